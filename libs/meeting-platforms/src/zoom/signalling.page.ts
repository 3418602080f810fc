// Zoom's client connects to its server in a worker, which posts each message to the page as JSON: `{evt, body}`.
// Numbers of events differ between builds, so messages are recognized by the names of their fields.

export interface RosterEntry {
  /** Decimal; the lower ten bits count streams of one participant and are cut off. */
  readonly id: string;
  /** Null where the message does not contain it. */
  readonly name: string | null;
  readonly isHost: boolean | null;
}

export type Signalling =
  /** The bot's own id, from the response to its join; another one in a breakout room. */
  | { readonly kind: 'self'; readonly id: string }
  | { readonly kind: 'roster'; readonly present: readonly RosterEntry[]; readonly gone: readonly string[] }
  /** The loudest speakers, loudest first; empty: silence. */
  | { readonly kind: 'active'; readonly ids: readonly string[] }
  | { readonly kind: 'level'; readonly id: string; readonly level: number };

type Fields = Readonly<Record<string, unknown>>;

/** The first list of a meeting of some hundred participants has more than half a million characters. */
const longestMessage = 4 * 1024 * 1024;
const mostEntries = 1_000;
/** From known builds; updated from each message that names speakers. */
const usualActiveEvent = 12_033;
const activeField = /^asn\d+$/;

/** Reads the messages of one worker. */
export class SignallingReader {
  #activeEvent: unknown = usualActiveEvent;

  /** @returns null for a message without participants or speech */
  read(data: unknown): Signalling | null {
    const message = messageOf(data);
    const body = message?.['body'];
    if (message === null || !isFields(body)) return null;
    return this.#activeIn(message['evt'], body) ?? levelIn(body) ?? rosterIn(body) ?? selfIn(body);
  }

  #activeIn(event: unknown, body: Fields): Signalling | null {
    const names = Object.keys(body);
    if (names.length > 0 && !names.every((name) => activeField.test(name))) return null;
    if (names.length === 0) return event === this.#activeEvent ? { kind: 'active', ids: [] } : null;
    this.#activeEvent = event;
    const loudestFirst = names.toSorted((one, other) => Number(one.slice(3)) - Number(other.slice(3)));
    return { kind: 'active', ids: loudestFirst.flatMap((name) => userId(body[name]) ?? []) };
  }
}

/** The envelope is `{type: 'message', data: '<json>'}`; some builds post the text, or the message, as it is. */
function messageOf(data: unknown): Fields | null {
  const content = isFields(data) && 'data' in data ? data['data'] : data;
  if (isFields(content)) return 'evt' in content ? content : null;
  if (typeof content !== 'string' || content.length > longestMessage || !content.startsWith('{')) return null;
  try {
    const message: unknown = JSON.parse(content);
    return isFields(message) ? message : null;
  } catch {
    return null;
  }
}

function levelIn(body: Fields): Signalling | null {
  const level = body['nLevel'];
  const id = userId(body['nUserID']);
  return typeof level === 'number' && id !== null ? { kind: 'level', id, level } : null;
}

function selfIn(body: Fields): Signalling | null {
  const id = userId(body['userID']);
  return id !== null && typeof body['zoomID'] === 'string' ? { kind: 'self', id } : null;
}

function rosterIn(body: Fields): Signalling | null {
  const lists = [body['add'], body['update'], body['remove']];
  if (!lists.some((list) => Array.isArray(list))) return null;
  const entries = (list: unknown): unknown[] => (Array.isArray(list) ? list.slice(0, mostEntries) : []);
  const present = [...entries(body['add']), ...entries(body['update'])].flatMap(entryOf);
  const gone = entries(body['remove']).flatMap((entry) => userId(isFields(entry) ? entry['id'] : entry) ?? []);
  return present.length + gone.length === 0 ? null : { kind: 'roster', present, gone };
}

function entryOf(entry: unknown): RosterEntry[] {
  if (!isFields(entry)) return [];
  const id = userId(entry['id']);
  if (id === null) return [];
  const isHost = entry['bHost'];
  return [{ id, name: nameOf(entry['dn2']), isHost: typeof isHost === 'boolean' ? isHost : null }];
}

/** Names travel as base64 of UTF-8. */
function nameOf(base64: unknown): string | null {
  if (typeof base64 !== 'string' || base64 === '') return null;
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim() || null;
  } catch {
    return null;
  }
}

function userId(value: unknown): string | null {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value <= 0) return null;
  return String(value - (value % 1_024));
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

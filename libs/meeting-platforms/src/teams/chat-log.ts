import { Tokenizer } from 'htmlparser2';
import type { TokenizerCallbacks } from 'htmlparser2';
import type { ChatMessage, MeetingParticipant } from '../platform.ts';
import type { TeamsChatRow } from './page-state.ts';
import type { TeamsChatEvent } from './teams.page.ts';

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
const largestCodePoint = 0x10_ffff;
/** Teams takes messages of about 28 kB with their markup; the rest is cut. */
const longestMarkup = 64 * 1024;
const lineEnds = new Set(['br', 'p', 'div', 'li']);

/** The text of a chat message in HTML. Emoji that are images give their alternative text. */
export function messageText(html: string): string {
  return (
    shownText(html.slice(0, longestMarkup))
      .replaceAll(/&(#x[\da-f]{1,6}|#\d{1,7}|[a-z]{2,5});/gi, (entity, name: string) => characterOf(name) ?? entity)
      .split('\n')
      .map((line) => line.replaceAll(/[ \t\u00a0]+/g, ' ').trim())
      .join('\n')
      .trim()
      // Lone surrogates from numeric entities cannot be stored.
      .toWellFormed()
  );
}

/** Text and line ends without the markup, entities unchanged. The tokenizer reads each character once. */
function shownText(html: string): string {
  let text = '';
  let tag = '';
  let attribute = '';
  const take = (from: number, to: number): string => html.slice(from, to);
  const endLine = (name: string): void => {
    if (lineEnds.has(name)) text += '\n';
  };
  const ignore = (): void => undefined;
  const callbacks: TokenizerCallbacks = {
    ontext: (from, to) => (text += take(from, to).replaceAll(/\s+/g, asSpace)),
    onopentagname: (from, to) => {
      tag = take(from, to).toLowerCase();
      if (tag === 'br') endLine(tag);
    },
    onclosetag: (from, to) => endLine(take(from, to).toLowerCase()),
    onattribname: (from, to) => (attribute = take(from, to).toLowerCase()),
    onattribdata: (from, to) => {
      if (tag === 'img' && attribute === 'alt') text += take(from, to);
    },
    onattribend: ignore,
    onattribentity: ignore,
    oncdata: ignore,
    oncomment: ignore,
    ondeclaration: ignore,
    onend: ignore,
    onopentagend: ignore,
    onprocessinginstruction: ignore,
    onselfclosingtag: ignore,
    ontextentity: ignore,
  };
  const tokenizer = new Tokenizer({ decodeEntities: false }, callbacks);
  tokenizer.write(html);
  tokenizer.end();
  return text;
}

/** A line end in the markup is a space; other white space stays. */
function asSpace(space: string): string {
  return space.includes('\n') ? ' ' : space;
}

function characterOf(name: string): string | null {
  if (!name.startsWith('#')) return named[name.toLowerCase()] ?? null;
  const code = name[1] === 'x' || name[1] === 'X' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= largestCodePoint ? String.fromCodePoint(code) : null;
}

/** More than a meeting has. */
const mostRemembered = 10_000;
/** The pane shows its times in minutes in some builds. */
const sameMessageMs = 90_000;

type Layer = 'events' | 'rows';

interface Delivered {
  readonly id: string;
  readonly sentAtMs: number;
  /** Reported as a message of the bot. */
  readonly own: boolean;
}

/** The sender: by id in the records, or by the shown name. */
export interface SenderLookup {
  byRecord(recordId: string): MeetingParticipant | null;
  byName(displayName: string | null): MeetingParticipant | null;
}

/**
 * Chat from the client's own listener and from the rows of the open pane, each message once. Their ids differ, so they
 * are matched by text and time.
 */
export class TeamsChat {
  readonly #senders: SenderLookup;
  readonly #ids = new Set<string>();
  /** Messages that only one layer has delivered so far, by layer and text. */
  readonly #unpaired = new Map<string, Delivered[]>();

  constructor(senders: SenderLookup) {
    this.#senders = senders;
  }

  applyEvents(events: readonly TeamsChatEvent[], nowMs: number): ChatMessage[] {
    return events.flatMap((event) => {
      const text = messageText(event.content);
      const sentAtMs = timeOf(event.sentAt) ?? nowMs;
      const sender = this.#senders.byRecord(recordOf(event.from)) ?? this.#senders.byName(event.senderName);
      const own = sender?.isSelf === true;
      if (text === '' || this.#delivered('events', { id: event.id, text, sentAtMs, own }) !== null) return [];
      return [this.#message({ id: event.id, text, sentAtMs, sender, senderName: event.senderName, own: false })];
    });
  }

  applyRows(rows: readonly TeamsChatRow[], nowMs: number): ChatMessage[] {
    return rows.flatMap(({ messageId: id, text, sentAtMs: shownAtMs, own, sender: senderName }) => {
      const sentAtMs = shownAtMs ?? nowMs;
      const before = this.#delivered('rows', { id, text, sentAtMs, own });
      // The pane marks the bot's own messages, also one whose event named a sender who was not recognised.
      if (before !== null && (!own || before.own)) return [];
      const sender = own ? null : this.#senders.byName(senderName);
      return [this.#message({ id: before?.id ?? id, text, sentAtMs, sender, senderName, own })];
    });
  }

  #message(read: {
    readonly id: string;
    readonly text: string;
    readonly sentAtMs: number;
    readonly sender: MeetingParticipant | null;
    readonly senderName: string | null;
    readonly own: boolean;
  }): ChatMessage {
    const { id, text, sentAtMs, sender } = read;
    return {
      id,
      senderId: sender?.id ?? null,
      senderName: sender?.name ?? read.senderName ?? '',
      text,
      sentAtMs,
      own: read.own || sender?.isSelf === true,
    };
  }

  /** The delivery before this one: the same, or that of the other layer under another id. Null: the message is new. */
  #delivered(layer: Layer, message: Delivered & { readonly text: string }): Delivered | null {
    const id = `${layer} ${message.id}`;
    if (this.#ids.has(id) || this.#ids.size >= mostRemembered) return { ...message, own: true };
    this.#ids.add(id);
    const text = message.text.replaceAll(/\s+/g, ' ');
    const others = this.#unpaired.get(unpairedKey(layer === 'events' ? 'rows' : 'events', text)) ?? [];
    const twin = others.findIndex(({ sentAtMs }) => Math.abs(sentAtMs - message.sentAtMs) <= sameMessageMs);
    if (twin !== -1) return others.splice(twin, 1)[0]!;
    const key = unpairedKey(layer, text);
    const own = this.#unpaired.get(key) ?? [];
    own.push({ id: message.id, sentAtMs: message.sentAtMs, own: message.own });
    this.#unpaired.set(key, own);
    return null;
  }
}

function unpairedKey(layer: Layer, text: string): string {
  return `${layer} ${text}`;
}

/** The id in the records at the end of an address: `https://…/contacts/8:orgid:…`. */
function recordOf(from: string): string {
  const last = from.slice(from.lastIndexOf('/') + 1);
  return last.slice(Math.max(last.indexOf('8:'), 0));
}

function timeOf(text: string): number | null {
  const ms = Date.parse(text);
  return Number.isFinite(ms) ? ms : null;
}

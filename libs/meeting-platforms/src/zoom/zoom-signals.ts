import type { MeetingParticipant, ChatMessage } from '../platform.ts';
import type { PlatformSignals, SessionHost } from '../web-client/web-session.ts';
import type { ZoomPageSnapshot, ZoomChatRow } from './page-state.ts';
import { ZoomRoster } from './participants.ts';
import type { LiveTranscriptionMessage } from './live-transcription.page.ts';
import { speechLayers } from './speech-layers.page.ts';
import type { ZoomPost, ZoomSelf } from './client-driver.page.ts';

interface ChatLine {
  readonly sender: string;
  readonly text: string;
}

/** Maximum number of reported rows; more than a meeting has. */
const mostRemembered = 10_000;
/** More than the page reads of a row. */
const longestLabel = 10_000;
const time = /, \d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp]\.?[Mm]\.?)?, /g;
const receiver = / to (?:Everyone|everyone|You|you|Me|me)\b/;
const ownSenders = new Set(['You', 'you', 'Me', 'me']);

/** `<name> to Everyone, <time>, <text>`; null where it has another form. */
export function readChatLine(label: string): ChatLine | null {
  const line = label.slice(0, longestLabel).replaceAll('\u202F', ' ');
  // The receiver is between the last comma and the time: each part of the line is searched once.
  for (const { 0: found, index } of line.matchAll(time)) {
    const begin = line.lastIndexOf(',', index - 1) + 1;
    const at = line.slice(begin, index).search(receiver);
    if (at >= 0 && begin + at > 0)
      return { sender: line.slice(0, begin + at).trim(), text: line.slice(index + found.length) };
  }
  return null;
}

/** Chat from the rows of the open panel, each message once. */
export class ZoomChat {
  readonly #find: (name: string) => MeetingParticipant | null;
  readonly #reported = new Set<string>();

  constructor(find: (name: string) => MeetingParticipant | null) {
    this.#find = find;
  }

  applyRows(rows: readonly ZoomChatRow[], self: MeetingParticipant | null, nowMs: number): ChatMessage[] {
    const alike = new Map<string, number>();
    return rows.flatMap((row) => {
      const times = (alike.get(row.label) ?? 0) + 1;
      alike.set(row.label, times);
      const id = row.id ?? `${row.label}#${times}`;
      const said = readChatLine(row.label);
      if (said === null || !this.#isNew(id)) return [];
      const own = ownSenders.has(said.sender);
      const sender = own ? self : this.#find(said.sender);
      const senderName = own ? (self?.name ?? '') : said.sender;
      return [
        {
          id,
          senderId: sender?.id ?? null,
          senderName,
          text: said.text,
          sentAtMs: nowMs,
          own: own || sender?.isSelf === true,
        },
      ];
    });
  }

  #isNew(id: string): boolean {
    if (this.#reported.has(id) || this.#reported.size >= mostRemembered) return false;
    this.#reported.add(id);
    return true;
  }
}

/** Without a message about participants this long, the list of participants is opened to be read. */
const listAfterMs = 3_000;
const tryAgainMs = 20_000;
const mostTries = 5;

/** Zoom's layers: the messages of its worker first, the tiles and lists of the page second. */
export class ZoomSignals implements PlatformSignals<ZoomPageSnapshot> {
  readonly #host: SessionHost<ZoomPageSnapshot>;
  readonly roster: ZoomRoster;
  readonly #chat: ZoomChat;
  readonly #panels = { chat: { tries: 0, atMs: -Infinity }, participants: { tries: 0, atMs: -Infinity } };
  #inCallAtMs: number | null = null;
  #selfInPage = '';

  constructor(host: SessionHost<ZoomPageSnapshot>) {
    this.#host = host;
    this.roster = new ZoomRoster(() => host.botName());
    this.#chat = new ZoomChat((name) => this.roster.named(name));
  }

  receive(post: unknown): void {
    if (!isZoomPost(post)) return;
    if (post.kind === 'caption') return this.#applyCaption(post.message, post.atMs);
    if (post.kind === 'self') return this.#host.reportParticipants(this.roster.applySelf(post.id, post.atMs));
    if (post.kind === 'roster') {
      // Each entry is checked separately: one of an unknown form affects none of the others.
      const present = post.present.filter(isRosterEntry);
      const gone = post.gone.filter((id) => typeof id === 'string');
      this.#host.reportParticipants(this.roster.applyRoster(present, gone, post.atMs));
    } else {
      this.#host.reportSpeech({ source: post.layer, key: post.key, speaking: post.speaking, atMs: post.atMs });
    }
  }

  #applyCaption(message: unknown, atMs: number): void {
    if (!isCaption(message)) return;
    const { msgId, text, done: isFinal, userId, name } = message;
    const speaker = this.roster.find(userId) ?? (name === null ? null : this.roster.named(name));
    if (speaker?.isSelf === true) return;
    this.#host.reportCaption({
      key: `${userId}/${msgId}`,
      participantId: speaker?.id ?? null,
      name: speaker?.name ?? name,
      text,
      isFinal,
      language: null,
      atMs: Math.min(atMs, this.#host.ports.clock.now()),
    });
  }

  seen(snapshot: ZoomPageSnapshot, nowMs: number): void {
    this.#inCallAtMs ??= nowMs;
    if (snapshot.messageAtMs != null) this.roster.confirm(Math.min(snapshot.messageAtMs, nowMs));
    this.#host.reportParticipants(this.roster.applyPage(snapshot.tiles, snapshot.participants, nowMs));
    const { self } = this.roster;
    this.#nameSelf(self);
    this.#host.reportChat(this.#chat.applyRows(snapshot.chatRows, self, nowMs));
    if (!snapshot.chatOpen) this.#open('chat', nowMs, () => this.#host.openChat());
    const unread = !this.roster.fromMessages && nowMs - this.#inCallAtMs >= listAfterMs;
    if (unread && snapshot.participants.length === 0) this.#open('participants', nowMs, () => this.#openParticipants());
  }

  /** The page leaves the bot's own video out by its id, or by the name that it has in the meeting. */
  #nameSelf(self: MeetingParticipant | null): void {
    const { id = null, name } = self ?? {};
    const known: ZoomSelf = { id, name: name ?? this.#host.botName() };
    const key = JSON.stringify(known);
    if (key === this.#selfInPage) return;
    this.#selfInPage = key;
    void this.#host.driver.notify('setSelf', known);
  }

  stop(): void {
    // There are no timers to stop.
  }

  async #openParticipants(): Promise<void> {
    const { driver } = this.#host;
    await driver.serialized(async () => {
      await driver.stir();
      await driver.press('participantsButton');
    });
  }

  #open(panel: 'chat' | 'participants', nowMs: number, open: () => Promise<void>): void {
    const tried = this.#panels[panel];
    if (tried.tries >= mostTries || nowMs - tried.atMs < tryAgainMs) return;
    tried.tries += 1;
    tried.atMs = nowMs;
    void open().catch(() => undefined);
  }
}

function isZoomPost(post: unknown): post is ZoomPost {
  if (typeof post !== 'object' || post === null) return false;
  const given = post as Record<string, unknown>;
  if (typeof given['atMs'] !== 'number') return false;
  if (given['kind'] === 'caption') return true;
  if (given['kind'] === 'self') return typeof given['id'] === 'string';
  if (given['kind'] === 'roster') {
    return Array.isArray(given['present']) && Array.isArray(given['gone']);
  }
  const layered = speechLayers.some((layer) => layer === given['layer']);
  return (
    given['kind'] === 'speech' && layered && typeof given['key'] === 'string' && typeof given['speaking'] === 'boolean'
  );
}

function isCaption(message: unknown): message is LiveTranscriptionMessage {
  if (typeof message !== 'object' || message === null) return false;
  const { msgId, text, done, userId, name } = message as Record<string, unknown>;
  const texts = [msgId, text, userId].every((one) => typeof one === 'string');
  return texts && typeof done === 'boolean' && (name === null || typeof name === 'string');
}

function isRosterEntry(entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null) return false;
  const { id, name, isHost } = entry as Record<string, unknown>;
  return (
    typeof id === 'string' &&
    (name === null || typeof name === 'string') &&
    (isHost === null || typeof isHost === 'boolean')
  );
}

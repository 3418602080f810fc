import type { ChatMessage, MeetingParticipant } from '../platform.ts';
import { messageText } from './message-text.ts';
import type { TeamsChatRow } from './page-state.ts';
import type { TeamsChatEvent } from './teams.page.ts';

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

import type { ChatMessage, MeetingParticipant } from '../platform.ts';
import type { CollectionChat } from './collections.ts';
import type { MeetChatRow } from './page-state.ts';

/** Maximum number of ids of reported messages; more than a meeting has. */
const mostRemembered = 10_000;

/** Chat from the meeting's records and from the panel's rows, each message once. */
export class MeetChat {
  readonly #find: (participantId: string) => MeetingParticipant | null;
  readonly #reported = new Set<string>();

  constructor(find: (participantId: string) => MeetingParticipant | null) {
    this.#find = find;
  }

  applyRecords(records: readonly CollectionChat[], nowMs: number): ChatMessage[] {
    return records
      .filter((record) => this.#isNew(record.messageId))
      .map((record) => {
        const sender = record.deviceId === null ? null : this.#find(record.deviceId);
        return {
          id: record.messageId,
          senderId: sender?.id ?? record.deviceId,
          senderName: sender?.name ?? '',
          text: record.text,
          sentAtMs: record.sentAtMs ?? sentAtMsOf(record.messageId) ?? nowMs,
          own: sender?.isSelf ?? false,
        };
      });
  }

  /** Rows have only the sender's name; they count when the records lack the message. */
  applyRows(rows: readonly MeetChatRow[], nowMs: number): ChatMessage[] {
    return rows
      .filter((row) => this.#isNew(row.messageId))
      .map((row) => ({
        id: row.messageId,
        senderId: null,
        senderName: row.sender ?? '',
        text: row.text,
        sentAtMs: sentAtMsOf(row.messageId) ?? nowMs,
        own: row.own,
      }));
  }

  #isNew(id: string): boolean {
    if (this.#reported.has(id) || this.#reported.size >= mostRemembered) return false;
    this.#reported.add(id);
    return true;
  }
}

/** Ids end in the microseconds of their sending: `spaces/<x>/messages/<16 digits>`. */
export function sentAtMsOf(messageId: string): number | null {
  const micros = /\/messages\/(\d{16})$/.exec(messageId)?.[1];
  return micros === undefined ? null : Math.round(Number(micros) / 1000);
}

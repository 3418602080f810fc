import type { ChatMessage, MeetingParticipant } from '../platform.ts';
import type { ZoomChatRow } from './page-state.ts';

export interface ChatLine {
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

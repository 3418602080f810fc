/** What identifies a message but for its id. */
export interface ShownMessage {
  readonly id: string;
  readonly senderName: string;
  readonly text: string;
  readonly sentAtMs: number;
}

/** More than a meeting has. */
const mostMessages = 10_000;
/** A page may show the times of its earlier messages in minutes. */
const sameMessageMs = 90_000;

/**
 * The chat messages of a meeting that several pages, or the pages of several runs, have shown: a later page may show
 * what was written before it, under other ids.
 */
export class ShownMessages {
  readonly #ids = new Set<string>();
  /** Times of all messages, by sender and text, and of those of earlier pages that this one has not shown yet. */
  readonly #written = new Map<string, number[]>();
  #earlier: ReadonlyMap<string, number[]> = new Map();
  #readUntilMs = -Infinity;

  /** The messages of another page follow. @param readUntilMs epoch ms of the last message that the one before can have */
  nextPage(readUntilMs: number): void {
    this.#readUntilMs = Math.max(this.#readUntilMs, readUntilMs);
    this.#earlier = new Map([...this.#written].map(([message, times]) => [message, [...times]]));
  }

  isNew({ id, senderName, text, sentAtMs }: ShownMessage): boolean {
    if (this.#ids.has(id)) return false;
    if (this.#ids.size >= mostMessages) return true;
    this.#ids.add(id);
    const message = JSON.stringify([senderName, text.replaceAll(/\s+/g, ' ').trim()]);
    const earlier = this.#earlier.get(message) ?? [];
    const same = earlier.findIndex((atMs) => Math.abs(atMs - sentAtMs) <= sameMessageMs);
    if (sentAtMs < this.#readUntilMs && same !== -1) {
      earlier.splice(same, 1);
      return false;
    }
    const times = this.#written.get(message);
    if (times === undefined) this.#written.set(message, [sentAtMs]);
    else times.push(sentAtMs);
    return true;
  }
}

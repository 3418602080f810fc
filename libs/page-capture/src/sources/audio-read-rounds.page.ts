/** A read that takes longer had to wait for its block: blocks come every 10 ms. */
const waitedMs = 3;
/** The block is old: another task kept the thread. */
const freshMs = 25;

/** A block that was read. */
export interface ReadBlock {
  /** Time of the block, as far as known. */
  readonly atMs: number;
  /** When it was requested. */
  readonly requestedAtMs: number;
}

/**
 * Batches the readers of audio into rounds: each reads all available blocks and one more, and then pauses until the
 * next round. Waking a thread for every 10 ms block of every track costs several times the reading itself. Only a block
 * that was waited for shows the time of arrival.
 */
export class AudioReadRounds {
  #waiting: (() => void)[] = [];
  #over = false;

  /** @returns what to wait for before the next block is read; null: read on */
  after({ atMs, requestedAtMs }: ReadBlock, nowMs: number): Promise<void> | null {
    if (this.#over || nowMs - requestedAtMs < waitedMs || nowMs - atMs >= freshMs) return null;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Starts the next round of reads. */
  next(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }

  /** Stops waiting: the following reads are the last. */
  end(): void {
    this.#over = true;
    this.next();
  }
}

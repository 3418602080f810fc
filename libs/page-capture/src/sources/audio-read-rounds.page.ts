/** What takes so long to read was not there yet: blocks come every 10 ms. */
const waitedMs = 3;
/** An older block was there, and something else kept the thread. */
const freshMs = 25;

/** A block that was read. */
export interface ReadBlock {
  /** When it was made, as far as is known. */
  readonly atMs: number;
  /** When it was requested. */
  readonly requestedAtMs: number;
}

/**
 * Readers of audio take turns: each reads all that has come and one more, and then nothing until the next turn. To wake a
 * thread for every block of 10 ms of every track costs several times what reading them does. The one that is waited for says
 * when audio comes: those that lay there say only that it has come.
 */
export class AudioReadRounds {
  #waiting: (() => void)[] = [];
  #over = false;

  /** @returns what to wait for before the next block is read; null: read on */
  after({ atMs, requestedAtMs }: ReadBlock, nowMs: number): Promise<void> | null {
    if (this.#over || nowMs - requestedAtMs < waitedMs || nowMs - atMs >= freshMs) return null;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Lets everybody read. */
  next(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }

  /** From now on nobody waits: what comes is the last. */
  end(): void {
    this.#over = true;
    this.next();
  }
}

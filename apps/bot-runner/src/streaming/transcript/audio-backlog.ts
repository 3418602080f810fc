interface Block {
  readonly positionMs: number;
  readonly pcm: Buffer;
}

const blockMs = 100;
/** Audio that waits for a provider; older audio is dropped. */
const mostUnsentMs = 60_000;
/** Audio that was sent and is kept for the next session, in case no final result arrives for it. */
const mostSentMs = 30_000;

/** Audio for which a provider has not returned final results yet. */
export class AudioBacklog {
  #blocks: Block[] = [];
  /** Index of the first block that was not sent to the present session. */
  #next = 0;
  /** Audio that was dropped without being sent. */
  droppedMs = 0;

  add(positionMs: number, pcm: Buffer): void {
    this.#blocks.push({ positionMs, pcm });
    while (this.unsentMs > mostUnsentMs) {
      if (this.#next === 0) this.#blocks.shift();
      else this.#blocks.splice(this.#next, 1);
      this.droppedMs += blockMs;
    }
    while (this.#next * blockMs > mostSentMs) this.#shift();
  }

  get unsentMs(): number {
    return (this.#blocks.length - this.#next) * blockMs;
  }

  /** Final results cover everything before. */
  settle(untilMs: number): void {
    while (this.#next > 0 && (this.#blocks[0]?.positionMs ?? Infinity) + blockMs <= untilMs) this.#shift();
  }

  /** A new session receives all kept blocks. */
  rewind(): void {
    this.#next = 0;
  }

  get nextBlock(): Block | null {
    return this.#blocks[this.#next] ?? null;
  }

  sent(): void {
    this.#next += 1;
  }

  #shift(): void {
    this.#blocks.shift();
    this.#next -= 1;
  }
}

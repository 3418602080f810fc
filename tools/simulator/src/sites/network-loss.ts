/** More than occurs in the longest loss; later messages are dropped. */
const LONGEST_QUEUE = 1_000;

/** A temporary loss of a browser's network: messages wait, in order, until it is back. */
export class NetworkLoss {
  readonly #waiting: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;

  get going(): boolean {
    return this.#timer !== undefined;
  }

  /** A second loss during the first restarts the time. `back` runs before everything that waited. */
  begin(forMs: number, back: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      back();
      for (const action of this.#waiting.splice(0)) action();
    }, forMs);
  }

  /** True when the line is cut: the action waits. */
  hold(action: () => void): boolean {
    if (!this.going) return false;
    if (this.#waiting.length < LONGEST_QUEUE) this.#waiting.push(action);
    return true;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting.length = 0;
  }
}

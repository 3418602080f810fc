/** Samples are taken about four times a second. The time between two of them counts as no more than this. */
const pollMaxMs = 500;
/** Signals arrive five times a second: each accounts for a little more than its own time. */
const signalMs = 250;
const lossesKept = 32;

/**
 * A clock for deadlines of a source that is observed by signals: it advances only by time for which signals arrived,
 * and stops while no sample is taken. On an overloaded machine frames, timers and signals are late together, without a
 * fault of the source.
 */
export class ObservedTime {
  #sampledAtMs: number | null = null;
  /** Times of the omissions, and the sum omitted before each. */
  readonly #losses: { readonly fromMs: number; readonly lostMs: number }[] = [];
  #lostMs = 0;
  /** Time claimed by signals that has not passed yet, because they arrive unevenly. */
  #accountedMs = 0;

  /**
   * @param signals number of signals since the sample before
   * @returns the time of this clock, ms
   */
  sample(nowMs: number, signals: number): number {
    const fromMs = this.#sampledAtMs ?? nowMs;
    this.#accountedMs = Math.min(pollMaxMs, this.#accountedMs + signals * signalMs);
    const passedMs = Math.min(nowMs - fromMs, this.#accountedMs);
    const lostMs = nowMs - fromMs - passedMs;
    this.#accountedMs -= passedMs;
    this.#sampledAtMs = nowMs;
    if (lostMs > 0) {
      this.#losses.push({ fromMs, lostMs: this.#lostMs });
      if (this.#losses.length > lossesKept) this.#losses.shift();
      this.#lostMs += lostMs;
    }
    return nowMs - this.#lostMs;
  }

  /** The time of this clock at an earlier page time, ms. */
  at(pastMs: number): number {
    const later = this.#losses.find(({ fromMs }) => pastMs <= fromMs);
    const lostMs = later === undefined ? this.#lostMs : later.lostMs;
    return Math.min(pastMs - lostMs, (this.#sampledAtMs ?? pastMs) - this.#lostMs);
  }
}

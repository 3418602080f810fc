/** Looks are made about four times a second. What lies between two of them counts as no more than this. */
const pollMaxMs = 500;
/** Word of what is judged comes five times a second: each vouches for a little more than its own time. */
const wordMs = 250;
const lossesKept = 32;

/**
 * A clock for what is judged from afar: it stands still while nobody could look, and goes as slowly as word of it comes. On a
 * starved machine frames, timers and the word of them are late together, and that says nothing against their strategy.
 */
export class PatientClock {
  #sampledAtMs: number | null = null;
  /** When time was lost, and how much was lost until then, all together. */
  readonly #losses: { readonly fromMs: number; readonly lostMs: number }[] = [];
  #lostMs = 0;
  /** What words vouch for and did not pass yet: they come neither at looks nor evenly. */
  #vouchedMs = 0;

  /**
   * @param words how often there was word of what is judged since the look before
   * @returns this clock's time
   */
  sample(nowMs: number, words: number): number {
    const fromMs = this.#sampledAtMs ?? nowMs;
    this.#vouchedMs = Math.min(pollMaxMs, this.#vouchedMs + words * wordMs);
    const passedMs = Math.min(nowMs - fromMs, this.#vouchedMs);
    const lostMs = nowMs - fromMs - passedMs;
    this.#vouchedMs -= passedMs;
    this.#sampledAtMs = nowMs;
    if (lostMs > 0) {
      this.#losses.push({ fromMs, lostMs: this.#lostMs });
      if (this.#losses.length > lossesKept) this.#losses.shift();
      this.#lostMs += lostMs;
    }
    return nowMs - this.#lostMs;
  }

  /** This clock's time at a moment that is past. */
  at(pastMs: number): number {
    const later = this.#losses.find(({ fromMs }) => pastMs <= fromMs);
    const lostMs = later === undefined ? this.#lostMs : later.lostMs;
    return Math.min(pastMs - lostMs, (this.#sampledAtMs ?? pastMs) - this.#lostMs);
  }
}

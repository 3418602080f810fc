/** Milliseconds of frames allowed in a burst: a page on a busy machine paints none for a while, then several. */
const burstMs = 1_000;

/** A token bucket: leaves out what exceeds a rate for longer than a burst. A source below the rate loses no frame. */
export class RateLimit {
  readonly #perMs: number;
  readonly #tokensMax: number;
  #tokens: number;
  #atMs = -Infinity;

  constructor(framesPerSecondMax: number) {
    this.#perMs = framesPerSecondMax / 1_000;
    this.#tokensMax = this.#perMs * burstMs;
    this.#tokens = this.#tokensMax;
  }

  /** @param pageMs presentation time of the frame; may jitter. @returns false for a frame that is left out */
  admits(pageMs: number): boolean {
    const passedMs = Math.max(0, pageMs - this.#atMs);
    this.#atMs = Math.max(this.#atMs, pageMs);
    this.#tokens = Math.min(this.#tokensMax, this.#tokens + passedMs * this.#perMs);
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}

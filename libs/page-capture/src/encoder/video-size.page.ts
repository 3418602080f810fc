export interface VideoSize {
  readonly width: number;
  readonly height: number;
}

/** Steps below the recording's own size. */
const steps = [1, 3 / 4, 1 / 2, 1 / 4];
/** Smaller frames must arrive for this long before the size follows. */
const downAfterMs = 10_000;
/** A smaller frame needs fewer bits, but more per pixel. */
const rateExponent = 0.75;
const leastBitsPerSecond = 100_000;

/**
 * The size to encode in: that of the received video, in steps, up to the recording's own. Larger frames are followed at
 * once, smaller ones after a while. The first size is the recording's own, so that the file's header has it.
 */
export class SizeLadder {
  readonly #sizes: readonly VideoSize[];
  #current: VideoSize;
  /** Since when only smaller frames have arrived, and the largest of them. */
  #smaller: { readonly sinceMs: number; needed: VideoSize } | null = null;

  constructor(most: VideoSize) {
    const even = (value: number): number => Math.max(2, Math.round(value / 2) * 2);
    this.#sizes = steps.map((step) => ({ width: even(most.width * step), height: even(most.height * step) }));
    this.#current = this.#sizes[0] ?? most;
  }

  get current(): VideoSize {
    return this.#current;
  }

  /** @param video size of the received frame @returns the size to encode it in */
  follow(video: VideoSize, nowMs: number): VideoSize {
    const needed = this.#neededFor(video);
    if (needed.width >= this.#current.width) {
      this.#smaller = null;
      this.#current = needed;
      return needed;
    }
    this.#smaller ??= { sinceMs: nowMs, needed };
    if (needed.width > this.#smaller.needed.width) this.#smaller.needed = needed;
    if (nowMs - this.#smaller.sinceMs < downAfterMs) return this.#current;
    this.#current = this.#smaller.needed;
    this.#smaller = null;
    return this.#current;
  }

  /** The smallest step without a loss. */
  #neededFor({ width, height }: VideoSize): VideoSize {
    const enough = this.#sizes.filter((size) => size.width >= width && size.height >= height);
    return enough.at(-1) ?? this.#sizes[0] ?? { width, height };
  }
}

export function bitsPerSecondFor(size: VideoSize, most: VideoSize, mostBitsPerSecond: number): number {
  const share = (size.width * size.height) / (most.width * most.height);
  const bits = Math.round((mostBitsPerSecond * share ** rateExponent) / 1_000) * 1_000;
  return Math.min(mostBitsPerSecond, Math.max(leastBitsPerSecond, bits));
}

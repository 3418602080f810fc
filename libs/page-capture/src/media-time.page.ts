import type { Continuation } from './messages.ts';

const keptPauses = 16;

/**
 * Media time: milliseconds of recording since the start, without pauses. Page time: epoch milliseconds of the page's
 * clock.
 */
export class MediaTime {
  readonly #startedAtMs: number;
  /** Nothing earlier is recorded here. */
  readonly #beginsAtMs: number;
  /** Latest pauses; the length of older ones is in `#pausedBeforeMs`. */
  readonly #pauses: { fromMs: number; toMs: number | null }[] = [];
  #pausedBeforeMs = 0;

  /** @param beginsAtMs page time: media time zero, or where an earlier recording continues */
  constructor(beginsAtMs: number, continuation: Continuation | null = null) {
    this.#startedAtMs = continuation?.startedAtMs ?? beginsAtMs;
    this.#beginsAtMs = beginsAtMs;
    this.#pausedBeforeMs = continuation?.pausedMs ?? 0;
    const fromMs = continuation?.pausedSinceMs ?? null;
    if (fromMs !== null) this.#pauses.push({ fromMs, toMs: null });
  }

  /** Epoch ms of media time zero. */
  get startedAtMs(): number {
    return this.#startedAtMs;
  }

  /** Media time at which this capture begins. */
  get beginsMs(): number {
    return this.reached(this.#beginsAtMs);
  }

  /** For a capture that replaces this one. @param recordedMs media time that is recorded already */
  continuation(recordedMs: number): Continuation {
    const [startedAtMs, last] = [this.#startedAtMs, this.#pauses.at(-1)];
    const pausedSinceMs = last?.toMs === null ? last.fromMs : null;
    const over = this.#pauses.map(({ fromMs, toMs }) => (toMs ?? fromMs) - fromMs);
    return {
      startedAtMs,
      pausedMs: over.reduce((sum, ms) => sum + ms, this.#pausedBeforeMs),
      pausedSinceMs,
      recordedMs,
    };
  }

  get paused(): boolean {
    return this.#pauses.at(-1)?.toMs === null;
  }

  /** @returns page time of the pause; of an open pause, its beginning */
  pause(atMs: number): number {
    const last = this.#pauses.at(-1);
    if (last?.toMs === null) return last.fromMs;
    const fromMs = Math.max(atMs, last?.toMs ?? this.#beginsAtMs);
    this.#pauses.push({ fromMs, toMs: null });
    return fromMs;
  }

  /** @returns page time at which the recording resumes */
  resume(atMs: number): number {
    const last = this.#pauses.at(-1);
    if (!last) return atMs;
    if (last.toMs !== null) return last.toMs;
    const toMs = Math.max(atMs, last.fromMs);
    last.toMs = toMs;
    if (this.#pauses.length > keptPauses) {
      const oldest = this.#pauses.shift();
      if (oldest) this.#pausedBeforeMs += (oldest.toMs ?? oldest.fromMs) - oldest.fromMs;
    }
    return toMs;
  }

  /** Media time of a page time, or null when that moment is not recorded (before the beginning, or in a pause). */
  at(pageMs: number): number | null {
    if (pageMs < this.#beginsAtMs) return null;
    return this.#pauses.some((pause) => pageMs >= pause.fromMs && (pause.toMs === null || pageMs < pause.toMs))
      ? null
      : this.reached(pageMs);
  }

  /** Page time of a media time; at a pause, its end. */
  pageTimeOf(mediaMs: number): number {
    let pageMs = this.#startedAtMs + this.#pausedBeforeMs + mediaMs;
    for (const { fromMs, toMs } of this.#pauses) if (pageMs >= fromMs) pageMs += (toMs ?? fromMs) - fromMs;
    return pageMs;
  }

  /** The media time reached at a page time; constant during a pause. */
  reached(pageMs: number): number {
    let pausedMs = this.#pausedBeforeMs;
    for (const pause of this.#pauses) {
      if (pageMs > pause.fromMs) pausedMs += Math.min(pageMs, pause.toMs ?? pageMs) - pause.fromMs;
    }
    return Math.max(0, pageMs - this.#startedAtMs - pausedMs);
  }
}

const windowMs = 5_000;
const restartMs = 3_000;
const stepBackMs = 50;

/**
 * Converts a source's own timestamps to the page's clock. Lateness is caused by this page, so the smallest difference
 * between arrival and timestamp in the last seconds counts as the true one; it follows slow drift.
 */
export class SourceClock {
  readonly #outliers: number;
  #lowest: readonly number[] = [];
  #earlierLowest: readonly number[] = [];
  /** The current estimate; recomputed when the lowest differences change. */
  #believedMs = Infinity;
  #windowStartMs = -Infinity;
  #lastSourceMs = -Infinity;
  /** Number of restarts of the source's clock. */
  restarts = 0;

  /** @param outliers number of early arrivals in some seconds that are ignored */
  constructor(outliers = 0) {
    this.#outliers = outliers;
  }

  /** The offset added to the source's timestamps, as far as known. */
  get offsetMs(): number {
    return this.#believedMs;
  }

  toPageMs(sourceMs: number, arrivalMs: number): number {
    const differenceMs = arrivalMs - sourceMs;
    const known = this.#believedMs;
    const wentBack = sourceMs < this.#lastSourceMs - stepBackMs;
    this.#lastSourceMs = sourceMs;
    if (wentBack || (Number.isFinite(known) && Math.abs(differenceMs - known) > restartMs)) {
      // The source's clock restarted: Chromium does so at times after a track's very first block.
      this.#lowest = [];
      this.#earlierLowest = [];
      this.#windowStartMs = -Infinity;
      this.restarts += 1;
    }
    if (arrivalMs - this.#windowStartMs > windowMs) {
      this.#earlierLowest = this.#lowest;
      this.#lowest = [];
      this.#windowStartMs = arrivalMs;
    }
    if (this.#lowest.length <= this.#outliers || differenceMs < (this.#lowest.at(-1) ?? Infinity)) {
      this.#lowest = [...this.#lowest, differenceMs].sort((a, b) => a - b).slice(0, this.#outliers + 1);
      this.#believedMs = this.#believed();
    }
    return sourceMs + this.#believedMs;
  }

  /** With fewer values than allowed outliers: the largest of them. */
  #believed(): number {
    const lowest = [...this.#lowest, ...this.#earlierLowest].sort((a, b) => a - b);
    return lowest[Math.min(this.#outliers, lowest.length - 1)] ?? Infinity;
  }
}

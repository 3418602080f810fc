/** A position of the streamed audio on other time lines. */
export interface StreamMoment {
  readonly epochMs: number;
  /** Of the recording; does not advance in pauses. */
  readonly mediaMs: number;
}

interface Anchor extends StreamMoment {
  readonly positionMs: number;
}

/** Tolerance between a block's start and the end of the one before. */
const toleranceMs = 150;
const mostAnchors = 2_000;

/** Maps positions in the streamed audio, which has no gaps, to clock time and recording time, which have. */
export class StreamTime {
  readonly #anchors: Anchor[] = [];
  #positionMs = 0;
  #next: StreamMoment | null = null;
  #isAfterPause = false;

  /** All audio so far. */
  get positionMs(): number {
    return this.#positionMs;
  }

  /** The next audio does not continue the previous one, and the recording is paused in between. */
  paused(): void {
    this.#isAfterPause = true;
  }

  /** @param startMs epoch ms of the block's first sample */
  add(startMs: number, lengthMs: number): void {
    const expected = this.#next ?? { epochMs: startMs, mediaMs: 0 };
    const gapMs = startMs - expected.epochMs;
    const isGap = Math.abs(gapMs) > toleranceMs;
    const mediaMs = expected.mediaMs + (isGap && !this.#isAfterPause ? Math.max(0, gapMs) : 0);
    const moment = { epochMs: isGap ? startMs : expected.epochMs, mediaMs };
    if (isGap || this.#next === null) this.#anchors.push({ positionMs: this.#positionMs, ...moment });
    if (this.#anchors.length > mostAnchors) this.#anchors.shift();
    if (isGap) this.#isAfterPause = false;
    this.#positionMs += lengthMs;
    this.#next = { epochMs: moment.epochMs + lengthMs, mediaMs: mediaMs + lengthMs };
  }

  at(positionMs: number): StreamMoment {
    const anchor = this.#anchors.findLast((one) => one.positionMs <= positionMs) ?? this.#anchors[0];
    if (anchor === undefined) return { epochMs: 0, mediaMs: 0 };
    const sinceMs = positionMs - anchor.positionMs;
    return { epochMs: anchor.epochMs + sinceMs, mediaMs: anchor.mediaMs + sinceMs };
  }
}

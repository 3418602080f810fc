import { SourceClock } from '../media-time.page.ts';

/** Maximum wait of a track's first blocks for their placement; the mix is encoded later than that. */
const settleMs = 200;

export interface AudioBlock {
  readonly samples: Float32Array;
  readonly sampleRate: number;
  /** On the clock of its track. */
  readonly sourceMs: number;
}

/** A block and when it was made, in page time. */
export type PlacedBlock = readonly [block: AudioBlock, pageMs: number];

/**
 * Blocks of one track that were read and are not placed yet. The offset of a track's clock is derived from the blocks
 * that arrived on time; the first ones of a busy thread are all late. Placed at once they would be too late, and the
 * correctly placed blocks after them would be dropped as overlapping.
 */
export class WaitingAudio {
  readonly #clock = new SourceClock();
  #waiting: AudioBlock[] = [];
  #placed: PlacedBlock[] = [];
  #settledAtMs: number | null = null;

  /** @returns when the block was made, in page time, as far as known now */
  add(block: AudioBlock, nowMs: number): number {
    const { offsetMs, restarts } = this.#clock;
    const pageMs = this.#clock.toPageMs(block.sourceMs, nowMs);
    if (this.#clock.restarts > restarts) {
      this.#place(offsetMs);
      this.#settledAtMs = null;
    }
    this.#settledAtMs ??= nowMs + settleMs;
    this.#waiting.push(block);
    return pageMs;
  }

  /** Takes the blocks whose position is known, in order. @param nowMs page time; Infinity: all of them */
  take(nowMs: number): readonly PlacedBlock[] {
    const [oldest] = this.#waiting;
    const { offsetMs } = this.#clock;
    if (oldest && (nowMs >= (this.#settledAtMs ?? 0) || nowMs >= oldest.sourceMs + offsetMs + settleMs))
      this.#place(offsetMs);
    const placed = this.#placed;
    this.#placed = [];
    return placed;
  }

  #place(offsetMs: number): void {
    this.#placed.push(...this.#waiting.map((block): PlacedBlock => [block, block.sourceMs + offsetMs]));
    this.#waiting = [];
  }
}

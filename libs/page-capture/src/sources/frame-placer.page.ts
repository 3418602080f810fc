import { SourceClock } from '../media-time.page.ts';

/** A frame and the page time at which it is to be seen. */
export interface PlacedFrame {
  readonly frame: VideoFrame;
  readonly pageMs: number;
}

/** So long the first frame of a stream waits for the second one, which says when its time is. */
const secondWithinMs = 300;
/** After a receiver lost frames it hands out the next one at once too. */
const beforeTheirTime = 1;

/**
 * Puts the frames of one stream on the page's clock. Each says when it is to be seen, on a clock of its own, and comes
 * about then; but a receiver hands out its first frame at once, a few hundred milliseconds before its time. Taken at its
 * word it would put all that follow so much too early: it is placed by the second one instead.
 */
export class FramePlacer {
  readonly #clock = new SourceClock(beforeTheirTime);
  #begun = false;
  #first: { readonly frame: VideoFrame; readonly sourceMs: number; readonly arrivedMs: number } | null = null;

  /** Takes a frame over. @returns those that can be placed now */
  add(frame: VideoFrame, nowMs: number): PlacedFrame[] {
    const sourceMs = frame.timestamp / 1_000;
    if (!this.#begun) {
      this.#begun = true;
      this.#first = { frame, sourceMs, arrivedMs: nowMs };
      return [];
    }
    const placed = { frame, pageMs: this.#clock.toPageMs(sourceMs, nowMs) };
    const first = this.#first;
    if (first === null) return [placed];
    this.#first = null;
    const stepMs = sourceMs - first.sourceMs;
    const follows = stepMs > 0 && stepMs <= secondWithinMs;
    return [{ frame: first.frame, pageMs: follows ? placed.pageMs - stepMs : first.arrivedMs }, placed];
  }

  /** The first frame, once it has waited for long enough: frames of a screen may come seldom. */
  overdue(nowMs: number): PlacedFrame | null {
    const first = this.#first;
    if (first === null || nowMs - first.arrivedMs < secondWithinMs) return null;
    this.#first = null;
    return { frame: first.frame, pageMs: first.arrivedMs };
  }

  close(): void {
    this.#first?.frame.close();
    this.#first = null;
  }
}

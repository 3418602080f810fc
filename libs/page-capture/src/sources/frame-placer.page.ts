import { SourceClock } from '../media-time.page.ts';

/** A frame and the page time at which it is shown. */
export interface PlacedFrame {
  readonly frame: VideoFrame;
  readonly pageMs: number;
}

/** The first frame of a stream waits this long for the second one, which shows its true time. */
const secondWithinMs = 300;
/** After lost frames a receiver also hands out the next one early. */
const beforeTheirTime = 1;

/**
 * Places the frames of one stream on the page's clock. Each has a presentation time, on a clock of its own, and arrives
 * about then; but a receiver hands out its first frame a few hundred milliseconds early. That would shift all following
 * frames, so the first is placed by the second one.
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

  /** The first frame after its maximum wait: frames of a screen may be rare. */
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

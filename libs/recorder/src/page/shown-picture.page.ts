import type { MediaTime } from './media-time.page.ts';
import { SourceClock } from './media-time.page.ts';
import type { CaptureConfig } from './messages.ts';
import type { PictureEncoder } from './picture-encoder.page.ts';
import { BlackLook } from './black-look.page.ts';
import { PictureFit } from './picture-fit.page.ts';

export interface ShownPicturePorts {
  now(): number;
  report(error: unknown): void;
  /** The shown stream gave its last frame. */
  ended(): void;
}

/** speaker_view: hands the encoder the frames of the one stream that is shown, fitted, at the rate that is wanted. */
export class ShownPicture {
  readonly #ports: ShownPicturePorts;
  readonly #time: MediaTime;
  readonly #encoder: PictureEncoder;
  readonly #fit: PictureFit;
  readonly #intervalMs: number;
  #reader: ReadableStreamDefaultReader<VideoFrame> | null = null;
  #nextFrameMs = -Infinity;
  #look = new BlackLook();
  /** Frames of what is shown now. */
  shownFrames = 0;
  /** Page time of the last frame of what is shown, or since when it is shown; null while nothing is. */
  shownFrameAtMs: number | null = null;
  /** `unrecorded`: in a pause. `dropped`: not fit for the encoder. */
  readonly counts = { received: 0, overRate: 0, unrecorded: 0, dropped: 0, switches: 0 };

  constructor(ports: ShownPicturePorts, time: MediaTime, encoder: PictureEncoder, config: CaptureConfig) {
    this.#ports = ports;
    this.#time = time;
    this.#encoder = encoder;
    this.#fit = new PictureFit(config.width, config.height);
    this.#intervalMs = 1_000 / config.framesPerSecondMax;
  }

  /** Shows another stream from its first frame on; until then the old picture stays. Null shows black. */
  show(frames: ReadableStream<VideoFrame> | null): void {
    this.leave();
    this.counts.switches += 1;
    this.shownFrames = 0;
    this.#look = new BlackLook();
    if (frames === null) {
      this.#encoder.take(null, null);
      return;
    }
    const reader = frames.getReader();
    this.#reader = reader;
    this.shownFrameAtMs = this.#ports.now();
    void this.#read(reader).catch((error: unknown) => this.#ports.report(error));
  }

  /** Since when what is shown is black; null while it is not. */
  get blackSinceMs(): number | null {
    return this.#look.blackSinceMs;
  }

  /** Shows nothing new from now on; the last picture stands. */
  leave(): void {
    const reader = this.#reader;
    this.#reader = null;
    this.shownFrameAtMs = null;
    void reader?.cancel().catch((error: unknown) => this.#ports.report(error));
  }

  async #read(reader: ReadableStreamDefaultReader<VideoFrame>): Promise<void> {
    const clock = new SourceClock();
    let first = true;
    for (;;) {
      const { value: frame, done } = await reader.read();
      if (done) break;
      if (reader !== this.#reader) {
        frame.close();
        continue;
      }
      this.counts.received += 1;
      this.shownFrames += 1;
      this.shownFrameAtMs = this.#ports.now();
      this.#look.at(frame, this.shownFrameAtMs);
      if (first) this.#encoder.wantKeyAtSwitch();
      // The first frame has waited for the reader: its time is not exact yet, and must not push out the second.
      if (first) this.#nextFrameMs = -Infinity;
      first = false;
      await this.#take(frame, clock.toPageMs(frame.timestamp / 1000, this.#ports.now()));
    }
    if (reader === this.#reader) {
      this.#reader = null;
      this.shownFrameAtMs = null;
      this.#ports.ended();
    }
  }

  async #take(frame: VideoFrame, pageMs: number): Promise<void> {
    const mediaMs = this.#time.at(pageMs);
    // Half an interval of slack: frames jitter, and only a rate above the cap for some time is too much.
    if (pageMs < this.#nextFrameMs - this.#intervalMs / 2) {
      this.counts.overRate += 1;
      frame.close();
      return;
    }
    this.#nextFrameMs = this.#nextFrameMs === -Infinity ? 0 : Math.max(this.#nextFrameMs, pageMs) + this.#intervalMs;
    try {
      const fitted = await this.#fit.shaped(frame);
      if (fitted !== frame) frame.close();
      if (mediaMs === null) this.counts.unrecorded += 1;
      this.#encoder.take(fitted, mediaMs);
    } catch (error) {
      frame.close();
      this.counts.dropped += 1;
      this.#ports.report(error);
    }
  }
}

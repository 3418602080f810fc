import type { MediaTime } from '../media-time.page.ts';
import type { CaptureConfig } from '../messages.ts';
import type { FrameEncoderPorts } from '../encoder/frame-encoder.page.ts';
import { FrameEncoder } from '../encoder/frame-encoder.page.ts';
import type { VideoCounts, VideoStrategy } from './video-strategy.page.ts';
import { ShownVideo } from './shown-video.page.ts';

export interface TracksVideoPorts extends FrameEncoderPorts {
  /** The shown stream gave its last frame. */
  ended(): void;
}

/** The strategies 'tracks' and 'tab' of speaker_view: one stream of decoded frames, encoded once. */
export class TracksVideo implements VideoStrategy {
  readonly #encoder: FrameEncoder;
  readonly #shown: ShownVideo;
  #current = false;

  constructor(ports: TracksVideoPorts, time: MediaTime, config: CaptureConfig) {
    this.#encoder = new FrameEncoder(ports, time, config);
    this.#shown = new ShownVideo(ports, time, this.#encoder, config);
  }

  /** The stream to show from now on; null shows black. */
  show(frames: ReadableStream<VideoFrame> | null): void {
    this.#shown.show(frames);
  }

  /** The next source differs, the painted page or the track it paints, and is later or earlier. */
  changeSource(): void {
    this.#shown.stand();
  }

  begin(): void {
    this.#current = true;
    this.#encoder.begin();
  }

  leave(): void {
    this.#current = false;
    this.#shown.leave();
    this.#encoder.leave();
  }

  tick(): void {
    if (!this.#current) return;
    this.#shown.tick();
    this.#encoder.tick();
  }

  wantKey(): void {
    this.#encoder.resume();
  }

  async settle(): Promise<void> {
    await this.#encoder.settle();
  }

  async finish(endMs: number): Promise<void> {
    this.#shown.leave();
    await this.#encoder.finish(this.#current ? endMs : null);
  }

  get shownFrameAtMs(): number | null {
    return this.#shown.shownFrameAtMs;
  }

  get missingSinceMs(): number | null {
    return this.#shown.missingSinceMs;
  }

  /** Frames of what is shown now that arrived. */
  get shownFrames(): number {
    return this.#shown.shownFrames;
  }

  /** Since when what is shown is black; null while it is not. */
  get blackSinceMs(): number | null {
    return this.#shown.blackSinceMs;
  }

  get counts(): VideoCounts {
    const [encoder, shown] = [this.#encoder.counts, this.#shown.counts];
    return { ...shown, ...encoder, dropped: encoder.dropped + shown.dropped };
  }
}

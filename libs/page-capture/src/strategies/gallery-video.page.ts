import { GalleryPainter } from '../mixer/gallery-painter.page.ts';
import type { GalleryView } from '../mixer/gallery-seats.page.ts';
import type { MediaTime } from '../media-time.page.ts';
import type { CaptureConfig } from '../messages.ts';
import { FrameEncoder } from '../encoder/frame-encoder.page.ts';
import type { FrameEncoderPorts } from '../encoder/frame-encoder.page.ts';
import type { VideoCounts, VideoStrategy } from './video-strategy.page.ts';

interface TileStreamPorts {
  /** A newer frame is there. */
  arrived(): void;
  /** The stream gave its last frame. */
  ended(): void;
  report(error: unknown): void;
}

/** Reads one participant's frames and keeps the newest. */
export class TileStream {
  readonly #ports: TileStreamPorts;
  #reader: ReadableStreamDefaultReader<VideoFrame> | null;
  #newest: VideoFrame | null;
  /** The newest frame has not been painted yet. */
  fresh = false;

  /** @param first shown until a frame arrives; taken over */
  constructor(frames: ReadableStream<VideoFrame>, ports: TileStreamPorts, first: VideoFrame | null) {
    this.#newest = first;
    this.#ports = ports;
    this.#reader = frames.getReader();
    void this.#read(this.#reader);
  }

  /** Open until the next one arrives: clone it to use it across an `await`. */
  get newest(): VideoFrame | null {
    return this.#newest;
  }

  /** Returns its newest frame, and closes. */
  release(): VideoFrame | null {
    const frame = this.#newest;
    this.#newest = null;
    this.close();
    return frame;
  }

  close(): void {
    const reader = this.#reader;
    this.#reader = null;
    this.#newest?.close();
    this.#newest = null;
    void reader?.cancel().catch((error: unknown) => this.#ports.report(error));
  }

  async #read(reader: ReadableStreamDefaultReader<VideoFrame>): Promise<void> {
    try {
      for (;;) {
        const { value: frame, done } = await reader.read();
        if (done) break;
        if (reader !== this.#reader) {
          frame.close();
          continue;
        }
        this.#newest?.close();
        this.#newest = frame;
        this.fresh = true;
        this.#ports.arrived();
      }
    } catch (error) {
      this.#ports.report(error);
    }
    if (reader === this.#reader) this.#ports.ended();
  }
}

/** More has no visible benefit in small frames, and every frame is scaled and encoded. */
const framesPerSecondMax = 25;
/** Frames of several participants arrive together: the first waits this long for the others. */
const gatherMs = 8;

export interface GalleryVideoPorts extends FrameEncoderPorts {
  /** The stream of a seat gave its last frame. */
  ended(id: string): void;
}

/** gallery_view: all participants in one frame, painted when one of the videos has changed, and encoded once. */
export class GalleryVideo implements VideoStrategy {
  readonly #ports: GalleryVideoPorts;
  readonly #time: MediaTime;
  readonly #encoder: FrameEncoder;
  readonly #painter: GalleryPainter;
  readonly #fullIntervalMs: number;
  readonly #streams = new Map<string, TileStream>();
  #current = false;
  /** Everything has to be painted again. */
  #stale = true;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #painting = false;
  #nextMs = -Infinity;
  #painted = 0;
  #switches = 0;
  #lost = 0;
  #shownFrameAtMs: number | null = null;
  /** Seats whose stream has given no frame, with the page time of its request. */
  readonly #awaited = new Map<string, number>();

  constructor(ports: GalleryVideoPorts, time: MediaTime, config: CaptureConfig) {
    this.#ports = ports;
    this.#time = time;
    this.#encoder = new FrameEncoder(ports, time, config);
    this.#painter = new GalleryPainter(config, ports.report);
    this.#fullIntervalMs = 1_000 / Math.min(framesPerSecondMax, config.framesPerSecondMax);
  }

  /** Sets the participants in the video. */
  seat(view: GalleryView): void {
    this.#painter.arrange(view);
    this.#switches += 1;
    this.#stale = true;
    const seated = new Set(view.seats.map(({ id }) => id));
    for (const id of this.#streams.keys()) if (!seated.has(id)) this.#drop(id);
    this.#plan();
  }

  /** Sets the frames of a seat; null: shows its name. */
  show(id: string, frames: ReadableStream<VideoFrame> | null): void {
    if (frames === null || !this.#current) {
      this.#drop(id);
      void frames?.cancel().catch(() => undefined);
      return;
    }
    // Another stream of the same participant: the last frame stays until the new stream has one.
    const first = this.#streams.get(id)?.release() ?? null;
    this.#shownFrameAtMs ??= this.#ports.now();
    this.#awaited.set(id, this.#ports.now());
    const arrived = (): void => {
      if (this.#streams.get(id) === stream) this.#awaited.delete(id);
      this.#shownFrameAtMs = this.#ports.now();
      this.#plan();
    };
    const ended = (): void => {
      if (this.#streams.get(id) !== stream) return;
      this.#drop(id);
      this.#ports.ended(id);
    };
    const report = (error: unknown): void => this.#ports.report(error);
    const stream: TileStream = new TileStream(frames, { arrived, ended, report }, first);
    this.#streams.set(id, stream);
  }

  begin(): void {
    this.#current = true;
    this.#stale = true;
    this.#encoder.begin();
    this.#plan();
  }

  leave(): void {
    this.#current = false;
    this.#stop();
    this.#encoder.leave();
  }

  tick(): void {
    if (!this.#current) return;
    // Frames that arrived in a pause are shown as soon as it ends.
    this.#plan();
    this.#encoder.tick();
  }

  get #intervalMs(): number {
    return this.#fullIntervalMs / this.#ports.limits().frameRate;
  }

  wantKey(): void {
    this.#encoder.wantKey();
    this.#plan();
  }

  async settle(): Promise<void> {
    await this.#encoder.settle();
  }

  async finish(endMs: number): Promise<void> {
    const delivers = this.#current;
    // First, so that nothing of a removed seat is painted any more.
    this.#current = false;
    this.#stop();
    await this.#encoder.finish(delivers ? endMs : null);
  }

  get shownFrameAtMs(): number | null {
    return this.#shownFrameAtMs;
  }

  get missingSinceMs(): number | null {
    return this.#awaited.size === 0 ? null : Math.min(...this.#awaited.values());
  }

  get counts(): VideoCounts {
    const counts = this.#encoder.counts;
    return {
      ...counts,
      received: this.#painted,
      skippedByRateLimit: 0,
      unrecorded: 0,
      dropped: counts.dropped + this.#lost,
      switches: this.#switches,
    };
  }

  #stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    for (const id of this.#streams.keys()) this.#drop(id);
  }

  #drop(id: string): void {
    const stream = this.#streams.get(id);
    if (!stream) return;
    this.#streams.delete(id);
    this.#awaited.delete(id);
    stream.close();
    if (this.#streams.size === 0) this.#shownFrameAtMs = null;
    this.#stale = true;
    this.#plan();
  }

  get #changed(): boolean {
    return this.#stale || [...this.#streams.values()].some(({ fresh }) => fresh);
  }

  #plan(): void {
    if (!this.#current || this.#timer !== null || this.#painting || !this.#changed) return;
    const waitMs = Math.max(gatherMs, this.#nextMs - this.#ports.now());
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.#paint();
    }, waitMs);
  }

  async #paint(): Promise<void> {
    const nowMs = this.#ports.now();
    // The painted frames arrived within the last interval: so the time is right on average.
    const mediaMs = this.#time.at(nowMs - this.#intervalMs / 2) ?? this.#time.at(nowMs);
    if (mediaMs === null) return;
    this.#painting = true;
    // An interval of slack: frames jitter, and two of one participant must not share one painting because the one
    // before was late. Only a rate above the cap for some time is limited.
    this.#nextMs = Math.max(this.#nextMs, nowMs - this.#intervalMs) + this.#intervalMs;
    try {
      await this.#paintChanges();
      if (!this.#current) return;
      this.#painted += 1;
      this.#encoder.take(this.#painter.toFrame(), mediaMs);
    } catch (error) {
      this.#lost += 1;
      this.#ports.report(error);
    } finally {
      this.#painting = false;
      this.#plan();
    }
  }

  async #paintChanges(): Promise<void> {
    const everything = this.#stale;
    const fresh = new Set([...this.#streams].flatMap(([id, stream]) => (stream.fresh ? [id] : [])));
    this.#stale = false;
    for (const stream of this.#streams.values()) stream.fresh = false;
    // Clones: a stream closes its newest frame when the next one arrives.
    const taken = new Map<string, VideoFrame>();
    for (const [id, { newest }] of this.#streams)
      if (newest && (everything || fresh.has(id))) taken.set(id, newest.clone());
    try {
      const frameOf = (id: string): VideoFrame | null => taken.get(id) ?? null;
      if (everything) await this.#painter.paintAll(frameOf);
      else await this.#painter.paintSome(fresh, frameOf);
    } finally {
      for (const frame of taken.values()) frame.close();
    }
  }
}

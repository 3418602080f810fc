import { SourceClock } from '../media-time.page.ts';
import type { LoadLimits } from '../load/degradation.page.ts';
import type { MediaTime } from '../media-time.page.ts';
import type { CaptureConfig } from '../messages.ts';
import type { FrameEncoder } from '../encoder/frame-encoder.page.ts';
import { FrameFit } from '../encoder/frame-fit.page.ts';

/** A frame and the page time at which it is shown. */
interface PlacedFrame {
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

  /**
   * @param pageMs presentation time of the frame; may jitter
   * @param share of the rate
   * @returns false for a frame that is left out
   */
  admits(pageMs: number, share = 1): boolean {
    const passedMs = Math.max(0, pageMs - this.#atMs);
    this.#atMs = Math.max(this.#atMs, pageMs);
    this.#tokens = Math.min(this.#tokensMax * share, this.#tokens + passedMs * this.#perMs * share);
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}

/** Sampling costs little, and black is not urgent for seconds. */
const pollIntervalMs = 1_500;
const bands = 6;
/** A level, of 255, in the video range where 16 is black. */
const darkest = 26;

/** Samples a few lines of a frame at intervals, to detect a black frame. */
class BlackDetector {
  #nextMs = -Infinity;
  /** Page time of the first of the black frames; null while the last sampled frame was not black. */
  blackSinceMs: number | null = null;

  /** Does not retain the frame. */
  at(frame: VideoFrame, nowMs: number): void {
    if (nowMs < this.#nextMs) return;
    this.#nextMs = nowMs + pollIntervalMs;
    void this.#sample(frame.clone(), nowMs).catch(() => undefined);
  }

  async #sample(frame: VideoFrame, nowMs: number): Promise<void> {
    try {
      const black = await isBlack(frame);
      this.blackSinceMs = black ? (this.blackSinceMs ?? nowMs) : null;
    } finally {
      frame.close();
    }
  }
}

export interface ShownVideoPorts {
  now(): number;
  limits(): LoadLimits;
  report(error: unknown): void;
  /** The shown stream gave its last frame. */
  ended(): void;
}

interface VideoStream {
  readonly reader: ReadableStreamDefaultReader<VideoFrame>;
  readonly placer: FramePlacer;
}

/** speaker_view: hands the encoder the frames of the shown stream, fitted, at the configured rate. */
export class ShownVideo {
  readonly #ports: ShownVideoPorts;
  readonly #time: MediaTime;
  readonly #encoder: Pick<FrameEncoder, 'take' | 'wantKeyAtSwitch'>;
  readonly #fit: FrameFit;
  readonly #rate: RateLimit;
  /** The recorded stream, and the one that replaces it with its first frame. */
  #stream: VideoStream | null = null;
  #next: VideoStream | null = null;
  /** Page time of the last frame that was handed on. */
  #lastMs = -Infinity;
  /** Frames are handed on one after the other, in order of their times. */
  #taking: Promise<void> = Promise.resolve();
  #sample = new BlackDetector();
  /** Frames of the requested video. */
  shownFrames = 0;
  /** Page time of the last frame of the requested video, or since when it is requested; null: none. */
  shownFrameAtMs: number | null = null;
  /** `unrecorded`: in a pause. `dropped`: not fit for the encoder. */
  readonly counts = { received: 0, skippedByRateLimit: 0, unrecorded: 0, dropped: 0, switches: 0 };

  constructor(
    ports: ShownVideoPorts,
    time: MediaTime,
    encoder: Pick<FrameEncoder, 'take' | 'wantKeyAtSwitch'>,
    config: Pick<CaptureConfig, 'width' | 'height' | 'framesPerSecondMax'>,
  ) {
    this.#ports = ports;
    this.#time = time;
    this.#encoder = encoder;
    this.#fit = new FrameFit(config.width, config.height);
    this.#rate = new RateLimit(config.framesPerSecondMax);
  }

  /** Shows another stream from its first frame on; until then the one before continues. Null shows black. */
  show(frames: ReadableStream<VideoFrame> | null): void {
    this.counts.switches += 1;
    this.shownFrames = 0;
    this.#sample = new BlackDetector();
    if (frames === null) {
      this.leave();
      this.#encoder.take(null, null);
      return;
    }
    this.#close(this.#next);
    const stream = { reader: frames.getReader(), placer: new FramePlacer() };
    this.#next = stream;
    this.shownFrameAtMs = this.#ports.now();
    void this.#read(stream).catch((error: unknown) => this.#ports.report(error));
  }

  /** Since when a stream is requested that has given no frame. */
  get missingSinceMs(): number | null {
    return this.shownFrames === 0 ? this.shownFrameAtMs : null;
  }

  /** Since when what is shown is black; null while it is not. */
  get blackSinceMs(): number | null {
    return this.#sample.blackSinceMs;
  }

  /** Keeps the last frame until the next stream has one: a late frame of the old stream would go back in time. */
  stand(): void {
    const stream = this.#stream;
    this.#stream = null;
    this.#close(stream);
  }

  /** Shows no new frames from now on; the last frame stays. */
  leave(): void {
    const [stream, next] = [this.#stream, this.#next];
    this.#stream = null;
    this.#next = null;
    this.shownFrameAtMs = null;
    this.#close(stream);
    this.#close(next);
  }

  /** Call it about ten times a second. */
  tick(): void {
    const stream = this.#next ?? this.#stream;
    const overdue = stream?.placer.overdue(this.#ports.now());
    // The previous stream continued meanwhile: a single frame follows it.
    if (stream && overdue) void this.#hand(stream, { ...overdue, pageMs: Math.max(overdue.pageMs, this.#lastMs + 1) });
  }

  async #read(stream: VideoStream): Promise<void> {
    for (;;) {
      const { value: frame, done } = await stream.reader.read();
      if (done) break;
      if (stream !== this.#stream && stream !== this.#next) {
        frame.close();
        continue;
      }
      this.counts.received += 1;
      const nowMs = this.#ports.now();
      if (stream === (this.#next ?? this.#stream)) {
        this.shownFrames += 1;
        this.shownFrameAtMs = nowMs;
        this.#sample.at(frame, nowMs);
      }
      for (const placed of stream.placer.add(frame, nowMs)) await this.#hand(stream, placed);
    }
    if (stream === (this.#next ?? this.#stream)) {
      this.shownFrameAtMs = null;
      this.#ports.ended();
    }
  }

  #close(stream: VideoStream | null): void {
    stream?.placer.close();
    void stream?.reader.cancel().catch((error: unknown) => this.#ports.report(error));
  }

  async #hand(stream: VideoStream, placed: PlacedFrame): Promise<void> {
    this.#taking = this.#taking.then(() => this.#take(stream, placed));
    await this.#taking;
  }

  async #take(stream: VideoStream, { frame, pageMs }: PlacedFrame): Promise<void> {
    if (stream === this.#next) {
      this.#close(this.#stream);
      this.#stream = stream;
      this.#next = null;
      this.#encoder.wantKeyAtSwitch();
      // The first frame of a new stream, earlier than one of the stream before: not part of what is shown.
      if (pageMs <= this.#lastMs) {
        this.counts.received -= 1;
        frame.close();
        return;
      }
    }
    if (stream !== this.#stream) {
      frame.close();
      return;
    }
    if (!this.#rate.admits(pageMs, this.#ports.limits().frameRate)) {
      this.counts.skippedByRateLimit += 1;
      frame.close();
      return;
    }
    this.#lastMs = Math.max(this.#lastMs, pageMs);
    try {
      const fitted = await this.#fit.shaped(frame);
      if (fitted !== frame) frame.close();
      if (stream !== this.#stream) {
        // The strategy was left meanwhile: the frame must not replace the current video.
        fitted.close();
        return;
      }
      const mediaMs = this.#time.at(pageMs);
      if (mediaMs === null) this.counts.unrecorded += 1;
      this.#encoder.take(fitted, mediaMs);
    } catch (error) {
      frame.close();
      this.counts.dropped += 1;
      this.#ports.report(error);
    }
  }
}

/** For frames whose first plane is luma; other formats count as not black. */
async function isBlack(frame: VideoFrame): Promise<boolean> {
  const { format, visibleRect } = frame;
  if (visibleRect === null || (format !== 'I420' && format !== 'NV12' && format !== 'I420A')) return false;
  const width = visibleRect.width & ~1;
  const lines = 2;
  if (width < 2 || visibleRect.height < bands * lines) return false;
  for (let band = 0; band < bands; band += 1) {
    const y = (visibleRect.y + Math.floor(((band + 0.5) * visibleRect.height) / bands)) & ~1;
    const rect = { x: visibleRect.x, y, width, height: lines };
    const data = new Uint8Array(frame.allocationSize({ rect }));
    const [light] = await frame.copyTo(data, { rect });
    if (light === undefined) return false;
    for (let line = 0; line < lines; line += 1) {
      const from = light.offset + line * light.stride;
      if (data.subarray(from, from + width).some((value) => value > darkest)) return false;
    }
  }
  return true;
}

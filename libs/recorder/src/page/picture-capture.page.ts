import type { MediaTime } from './media-time.page.ts';
import { SourceClock } from './media-time.page.ts';
import type { CaptureConfig } from './messages.ts';
import { PictureFit } from './picture-fit.page.ts';
import { bytesOf } from './sound-capture.page.ts';

/** A picture that stands still is encoded again this often, black even less often. */
const stillMs = 200;
const blackMs = 800;
/** How much later than it should a tick may come. */
const tickLateMs = 100;
/** So long a recording waits for its first picture before it begins with black. */
const firstPictureMs = 200;
/** A new speaker begins with a key frame unless the last one is this fresh. */
const keyAtSwitchMs = 500;
/** Timers come late; a fragment must not get longer than asked for. */
const keyMarginMs = 50;
const encoderQueueMax = 8;
const pictureEncodersMax = 20;

export interface PicturePorts {
  now(): number;
  /** True while too much waits to leave the page: pictures are given up, sound never. */
  congested(): boolean;
  deliver(timeUs: number, key: boolean, bytes: Uint8Array<ArrayBuffer>): void;
  describe(description: Uint8Array): void;
  report(error: unknown): void;
  ended(): void;
}

/** Encodes the shown track as H.264 at one size, whatever is shown; black while nothing is. */
export class PictureCapture {
  readonly #ports: PicturePorts;
  readonly #time: MediaTime;
  readonly #config: CaptureConfig;
  readonly #fit: PictureFit;
  readonly #black: VideoFrame;
  #reader: ReadableStreamDefaultReader<VideoFrame> | null = null;
  #encoder: VideoEncoder | null = null;
  #shown: VideoFrame | null = null;
  /** As if something had been shown before: black comes only if no picture does within moments. */
  #lastMediaMs: number;
  #nextFrameMs = -Infinity;
  #lastKeyMs = -Infinity;
  #keyWanted = true;
  #begun = false;
  /** Page time of the last frame of what is shown, or since when it is shown; null while nothing is. */
  shownFrameAtMs: number | null = null;
  /** `unrecorded`: in a pause. */
  readonly counts = {
    received: 0,
    encoded: 0,
    repeated: 0,
    overRate: 0,
    unrecorded: 0,
    dropped: 0,
    switches: 0,
    restarts: 0,
  };

  constructor(ports: PicturePorts, time: MediaTime, config: CaptureConfig) {
    this.#ports = ports;
    this.#time = time;
    this.#config = config;
    this.#lastMediaMs = time.beginsMs + firstPictureMs - blackMs;
    this.#fit = new PictureFit(config.width, config.height);
    this.#black = this.#fit.black();
  }

  /** Shows another track from its first frame on; until then the old picture stays. Null shows black. */
  show(frames: ReadableStream<VideoFrame> | null): void {
    this.#leave();
    this.counts.switches += 1;
    if (frames === null) {
      this.#keep(null);
      this.#keyWanted = true;
      return;
    }
    const reader = frames.getReader();
    this.#reader = reader;
    this.shownFrameAtMs = this.#ports.now();
    void this.#read(reader).catch((error: unknown) => this.#ports.report(error));
  }

  /** After a pause or a loss: the next frame stands alone. */
  wantKey(): void {
    this.#keyWanted = true;
  }

  /** Repeats the shown picture when nothing new came. Call it about ten times a second. */
  tick(): void {
    const mediaMs = this.#time.at(this.#ports.now());
    if (mediaMs === null || mediaMs - this.#lastMediaMs < (this.#shown ? stillMs : blackMs)) return;
    this.counts.repeated += 1;
    this.#encode(this.#shown ?? this.#black, mediaMs);
  }

  /** Resolves when every picture taken so far has been delivered. */
  async settle(): Promise<void> {
    if (this.#encoder?.state === 'configured') await this.#encoder.flush();
  }

  async finish(endMs: number): Promise<void> {
    this.#leave();
    // What is shown in a pause is not the end of what was recorded.
    if (!this.#time.paused && endMs - this.#lastMediaMs > stillMs) this.#encode(this.#shown ?? this.#black, endMs - 1);
    if (this.#encoder?.state === 'configured') await this.#encoder.flush();
    this.#encoder?.close();
    this.#encoder = null;
    this.#keep(null);
    this.#black.close();
  }

  #leave(): void {
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
      this.shownFrameAtMs = this.#ports.now();
      if (first) this.#keyWanted ||= this.#lastMediaMs - this.#lastKeyMs > keyAtSwitchMs;
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
    const intervalMs = 1_000 / this.#config.framesPerSecondMax;
    // Half an interval of slack: frames jitter, and only a rate above the cap for some time is too much.
    if (pageMs < this.#nextFrameMs - intervalMs / 2) {
      this.counts.overRate += 1;
      frame.close();
      return;
    }
    this.#nextFrameMs = this.#nextFrameMs === -Infinity ? 0 : Math.max(this.#nextFrameMs, pageMs) + intervalMs;
    try {
      const fitted = await this.#fit.shaped(frame);
      if (fitted !== frame) frame.close();
      // What is shown during a pause is what the recording goes on with after it.
      this.#keep(fitted);
      if (mediaMs === null) this.counts.unrecorded += 1;
      else if (this.#encode(fitted, mediaMs)) this.counts.encoded += 1;
    } catch (error) {
      frame.close();
      this.counts.dropped += 1;
      this.#ports.report(error);
    }
  }

  #keep(frame: VideoFrame | null): void {
    this.#shown?.close();
    this.#shown = frame;
  }

  #encode(frame: VideoFrame, wantedMs: number): boolean {
    const encoder = this.#openEncoder();
    if (!encoder || encoder.encodeQueueSize > encoderQueueMax || this.#ports.congested()) {
      this.counts.dropped += 1;
      if (this.#ports.congested()) this.#keyWanted = true;
      return false;
    }
    // The first picture stands from the very beginning: players and readers take that for granted.
    const mediaMs = this.#begun ? Math.max(wantedMs, this.#lastMediaMs + 1) : this.#time.beginsMs;
    this.#begun = true;
    const nextMs = (this.#shown ? stillMs : blackMs) + tickLateMs;
    const keyFrame = this.#keyWanted || mediaMs - this.#lastKeyMs + nextMs > this.#config.fragmentMs - keyMarginMs;
    const stamped = new VideoFrame(frame, { timestamp: Math.round(mediaMs * 1000) });
    encoder.encode(stamped, { keyFrame });
    stamped.close();
    this.#lastMediaMs = mediaMs;
    if (keyFrame) this.#lastKeyMs = mediaMs;
    this.#keyWanted = false;
    return true;
  }

  #openEncoder(): VideoEncoder | null {
    if (this.#encoder?.state === 'configured') return this.#encoder;
    if (this.counts.restarts > pictureEncodersMax) return null;
    if (this.#encoder) this.counts.restarts += 1;
    this.#keyWanted = true;
    this.#encoder = new VideoEncoder({
      output: (chunk, metadata) => this.#output(chunk, metadata),
      error: (error) => this.#ports.report(error),
    });
    this.#encoder.configure(h264Settings(this.#config));
    return this.#encoder;
  }

  #output(chunk: EncodedVideoChunk, metadata: EncodedVideoChunkMetadata | undefined): void {
    const description = metadata?.decoderConfig?.description;
    if (description) this.#ports.describe(bytesOf(description));
    const bytes = new Uint8Array(chunk.byteLength);
    chunk.copyTo(bytes);
    // Encoders add key frames of their own, at a cut in the picture for instance.
    if (chunk.type === 'key') this.#lastKeyMs = Math.max(this.#lastKeyMs, chunk.timestamp / 1000);
    this.#ports.deliver(chunk.timestamp, chunk.type === 'key', bytes);
  }
}

/** Constrained baseline, which every player has, at the lowest level that holds 30 pictures a second of this size. */
export function h264Settings(config: CaptureConfig): VideoEncoderConfig {
  const blocks = Math.ceil(config.width / 16) * Math.ceil(config.height / 16);
  const level = blocks <= 3_600 ? '1f' : blocks <= 8_192 ? '28' : '33';
  return {
    codec: `avc1.42e0${level}`,
    width: config.width,
    height: config.height,
    bitrate: config.videoBitsPerSecond,
    framerate: config.framesPerSecondMax,
    latencyMode: 'realtime',
    avc: { format: 'avc' },
  };
}

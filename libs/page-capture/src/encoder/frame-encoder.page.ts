import { shortestFragmentShare } from '@rapporteur/media-container/fragment-length';
import type { MediaTime } from '../media-time.page.ts';
import type { LoadLimits } from '../load/degradation.page.ts';
import type { CaptureConfig } from '../messages.ts';
import { FrameFit } from './frame-fit.page.ts';
import { bytesOf } from './opus-encoding.page.ts';

/** A still frame is encoded again at this interval, black at a longer one. */
const stillMs = 200;
const blackMs = 800;
/** Maximum delay of a tick. */
const tickLateMs = 100;
/** Frames may arrive this late: no repeated frame takes a place that a late frame may still need. */
const videoLateMs = 250;
/** A first frame up to this late counts from the beginning; before a later one there is black. */
const firstFrameMs = 200;
/** A strategy that takes over waits this long for its first frame before it shows black. */
const takeOverMs = 1_800;
/** A frame that replaces another begins with a key frame unless the last one is this fresh. */
const keyAtSwitchMs = 500;
/** Timers are late; a fragment must not exceed the requested length. */
const keyMarginMs = 50;
const encoderQueueMax = 8;
const frameEncodersMax = 20;

export interface FrameEncoderPorts {
  now(): number;
  /** True while too much waits to leave the page: frames are dropped, audio never. */
  congested(): boolean;
  limits(): LoadLimits;
  deliver(timeUs: number, key: boolean, bytes: Uint8Array<ArrayBuffer>): void;
  /** The avcC record that the next delivered key frame and all after it are decoded with. */
  describe(description: Uint8Array): void;
  report(error: unknown): void;
}

/** Encodes the given frames as H.264, repeats a still frame, and encodes black while there is none. */
export class FrameEncoder {
  readonly #ports: FrameEncoderPorts;
  readonly #time: MediaTime;
  readonly #config: CaptureConfig;
  readonly #black: VideoFrame;
  readonly #ladder: SizeLadder;
  /** The size that the encoder is set to. */
  #size: VideoSize;
  #encoder: VideoEncoder | null = null;
  #shown: VideoFrame | null = null;
  #lastMediaMs: number;
  /** Media time, the beginning or the end of a pause, from which the shown frame is to be encoded; null: done. */
  #standsFromMs: number | null;
  #lastKeyMs = -Infinity;
  /** The last key frame that begins a fragment. */
  #fragmentKeyMs = -Infinity;
  #keyWanted = true;
  #begun = false;
  /** The last description of the encoder, until it was delivered. */
  #description: Uint8Array | null = null;
  #descriptionPending = false;
  readonly counts = { encoded: 0, repeated: 0, dropped: 0, restarts: 0 };

  constructor(ports: FrameEncoderPorts, time: MediaTime, config: CaptureConfig) {
    this.#ports = ports;
    this.#time = time;
    this.#config = config;
    this.#lastMediaMs = time.beginsMs;
    this.#standsFromMs = time.beginsMs;
    this.#ladder = new SizeLadder(config);
    this.#size = this.#ladder.current;
    this.#black = new FrameFit(config.width, config.height).black();
  }

  /** Delivers frames from now on: the first is a key frame and is preceded by its description. */
  begin(): void {
    this.#keyWanted = true;
    this.#descriptionPending = this.#description !== null;
    const reachedMs = this.#time.reached(this.#ports.now());
    this.#begun ||= reachedMs > this.#time.beginsMs + firstFrameMs;
    if (!this.#begun) return;
    this.#standsFromMs = null;
    // The last frame of the previous strategy stays meanwhile: black is no better.
    this.#lastMediaMs = Math.max(this.#lastMediaMs, reachedMs + takeOverMs - blackMs);
  }

  /** Delivers no more frames. */
  leave(): void {
    this.#shown?.close();
    this.#shown = null;
  }

  /** After a loss: the next frame is a key frame. */
  wantKey(): void {
    this.#keyWanted = true;
  }

  /** After a pause: the frame shown now is the first one, and a key frame. */
  resume(): void {
    this.#keyWanted = true;
    this.#fragmentKeyMs = -Infinity;
    // One millisecond later: the pause's end may be rounded up elsewhere.
    if (this.#begun) this.#standsFromMs = this.#time.reached(this.#ports.now()) + 1;
  }

  /** Before another video: its first frame is a key frame, unless the last one was recent. */
  wantKeyAtSwitch(): void {
    this.#keyWanted ||= this.#lastMediaMs - this.#lastKeyMs > keyAtSwitchMs;
  }

  /**
   * Takes over a frame, which is shown until the next; null: black from now on.
   * @param mediaMs null in a pause: the frame is encoded when the recording resumes
   * @returns whether the frame was encoded
   */
  take(frame: VideoFrame | null, mediaMs: number | null): boolean {
    if (mediaMs !== null) this.#standUntil(mediaMs);
    this.#shown?.close();
    this.#shown = frame;
    if (frame === null) this.#keyWanted = true;
    if (frame === null || mediaMs === null || !this.#encode(frame, mediaMs)) return false;
    this.counts.encoded += 1;
    return true;
  }

  /** Repeats the shown video when no new frame arrived. Call it about ten times a second. */
  tick(): void {
    const mediaMs = this.#time.at(this.#ports.now() - videoLateMs);
    if (mediaMs === null) return;
    this.#standUntil(mediaMs);
    if (mediaMs - this.#lastMediaMs < (this.#shown ? stillMs : blackMs)) return;
    this.counts.repeated += 1;
    this.#encode(this.#shown ?? this.#black, mediaMs);
  }

  /** Resolves when every frame taken so far has been delivered. */
  async settle(): Promise<void> {
    if (this.#encoder?.state === 'configured') await this.#encoder.flush();
  }

  /** @param endMs null: no more frames are delivered */
  async finish(endMs: number | null): Promise<void> {
    // A frame shown in a pause is not the end of the recording.
    if (endMs !== null && !this.#time.paused) {
      this.#standUntil(endMs);
      if (endMs - this.#lastMediaMs > stillMs) this.#encode(this.#shown ?? this.#black, endMs - 1);
    }
    await this.settle();
    this.#encoder?.close();
    this.#encoder = null;
    this.#shown?.close();
    this.#shown = null;
    this.#black.close();
  }

  /** Encodes the frame shown at the beginning or the resumption of the recording, or else black. */
  #standUntil(mediaMs: number): void {
    const fromMs = this.#standsFromMs;
    if (fromMs === null || mediaMs <= fromMs) return;
    if (!this.#begun && !this.#shown && mediaMs - fromMs <= firstFrameMs) return;
    this.#standsFromMs = null;
    this.counts.repeated += 1;
    this.#encode(this.#shown ?? this.#black, fromMs);
  }

  #encode(frame: VideoFrame, wantedMs: number): boolean {
    const encoder = this.#openEncoder(frame, wantedMs);
    if (!encoder || encoder.encodeQueueSize > encoderQueueMax || this.#ports.congested()) {
      this.counts.dropped += 1;
      if (this.#ports.congested()) this.#keyWanted = true;
      return false;
    }
    // The first frame has the very beginning as its time: players and readers expect that.
    const mediaMs = this.#begun ? Math.max(wantedMs, this.#lastMediaMs + 1) : this.#time.beginsMs;
    this.#begun = true;
    this.#standsFromMs = null;
    const nextMs = (this.#shown ? stillMs : blackMs) + tickLateMs;
    const sinceMs = mediaMs - this.#fragmentKeyMs;
    const keyFrame = this.#keyWanted || sinceMs + nextMs > this.#config.fragmentMs - keyMarginMs;
    const stamped = new VideoFrame(frame, { timestamp: Math.round(mediaMs * 1000) });
    encoder.encode(stamped, { keyFrame });
    stamped.close();
    this.#lastMediaMs = mediaMs;
    if (keyFrame) this.#noteKey(mediaMs);
    this.#keyWanted = false;
    return true;
  }

  #noteKey(mediaMs: number): void {
    this.#lastKeyMs = Math.max(this.#lastKeyMs, mediaMs);
    if (mediaMs - this.#fragmentKeyMs >= shortestFragmentShare * this.#config.fragmentMs) this.#fragmentKeyMs = mediaMs;
  }

  #openEncoder(frame: VideoFrame, mediaMs: number): VideoEncoder | null {
    // The black frame does not set the size.
    const follows = frame !== this.#black && this.#config.videoSize === 'received';
    if (follows) this.#ladder.follow(sizeOf(frame), mediaMs);
    const size = this.#ladder.within(this.#ports.limits().frameSize);
    const changed = size !== this.#size;
    this.#size = size;
    if (this.#encoder?.state === 'configured') {
      if (!changed) return this.#encoder;
      // A reconfigured encoder keeps its size. The old one holds back at most one frame.
      this.#encoder.close();
    } else {
      if (this.counts.restarts > frameEncodersMax) return null;
      if (this.#encoder) this.counts.restarts += 1;
    }
    this.#keyWanted = true;
    this.#encoder = new VideoEncoder({
      output: (chunk, metadata) => this.#output(chunk, metadata),
      error: (error) => this.#ports.report(error),
    });
    const videoBitsPerSecond = bitsPerSecondFor(size, this.#config, this.#config.videoBitsPerSecond);
    this.#encoder.configure(
      h264Settings({ ...this.#config, width: size.width, height: size.height, videoBitsPerSecond }),
    );
    return this.#encoder;
  }

  #output(chunk: EncodedVideoChunk, metadata: EncodedVideoChunkMetadata | undefined): void {
    const description = metadata?.decoderConfig?.description;
    if (description) this.#description = bytesOf(description).slice();
    if (this.#description && (description || (this.#descriptionPending && chunk.type === 'key'))) {
      this.#descriptionPending = false;
      this.#ports.describe(this.#description);
    }
    const bytes = new Uint8Array(chunk.byteLength);
    chunk.copyTo(bytes);
    // Encoders add key frames of their own, at a cut in the video for instance.
    if (chunk.type === 'key') this.#noteKey(chunk.timestamp / 1000);
    this.#ports.deliver(chunk.timestamp, chunk.type === 'key', bytes);
  }
}

function sizeOf({ displayWidth, displayHeight }: VideoFrame): VideoSize {
  return { width: displayWidth, height: displayHeight };
}

/** Constrained baseline, which every player supports, at the lowest level for 30 frames a second of this size. */
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

interface VideoSize {
  readonly width: number;
  readonly height: number;
}

/** Steps below the recording's own size. */
const steps = [1, 3 / 4, 1 / 2, 1 / 4];
/** Smaller frames must arrive for this long before the size follows. */
const downAfterMs = 10_000;
/** A smaller frame needs fewer bits, but more per pixel. */
const rateExponent = 0.75;
const leastBitsPerSecond = 100_000;

/**
 * The size to encode in: that of the received video, in steps, up to the recording's own. Larger frames are followed at
 * once, smaller ones after a while. The first size is the recording's own, so that the file's header has it.
 */
export class SizeLadder {
  readonly #sizes: readonly VideoSize[];
  #current: VideoSize;
  /** Since when only smaller frames have arrived, and the largest of them. */
  #smaller: { readonly sinceMs: number; needed: VideoSize } | null = null;

  constructor(most: VideoSize) {
    const even = (value: number): number => Math.max(2, Math.round(value / 2) * 2);
    this.#sizes = steps.map((step) => ({ width: even(most.width * step), height: even(most.height * step) }));
    this.#current = this.#sizes[0] ?? most;
  }

  get current(): VideoSize {
    return this.#current;
  }

  /** The current size, or a smaller one: at most this share of the recording's own width. */
  within(share: number): VideoSize {
    const largest = this.#sizes[steps.findIndex((step) => step <= share)] ?? this.#current;
    return this.#current.width > largest.width ? largest : this.#current;
  }

  /** @param video size of the received frame @returns the size to encode it in */
  follow(video: VideoSize, nowMs: number): VideoSize {
    const needed = this.#neededFor(video);
    if (needed.width >= this.#current.width) {
      this.#smaller = null;
      this.#current = needed;
      return needed;
    }
    this.#smaller ??= { sinceMs: nowMs, needed };
    if (needed.width > this.#smaller.needed.width) this.#smaller.needed = needed;
    if (nowMs - this.#smaller.sinceMs < downAfterMs) return this.#current;
    this.#current = this.#smaller.needed;
    this.#smaller = null;
    return this.#current;
  }

  /** The smallest step without a loss. */
  #neededFor({ width, height }: VideoSize): VideoSize {
    const enough = this.#sizes.filter((size) => size.width >= width && size.height >= height);
    return enough.at(-1) ?? this.#sizes[0] ?? { width, height };
  }
}

export function bitsPerSecondFor(size: VideoSize, most: VideoSize, mostBitsPerSecond: number): number {
  const share = (size.width * size.height) / (most.width * most.height);
  const bits = Math.round((mostBitsPerSecond * share ** rateExponent) / 1_000) * 1_000;
  return Math.min(mostBitsPerSecond, Math.max(leastBitsPerSecond, bits));
}

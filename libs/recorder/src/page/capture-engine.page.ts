import { MediaTime } from './media-time.page.ts';
import type { Base64Bytes } from './chromium-media.ts';
import type { CaptureBatch, CaptureStats, ChunkHeader, EngineCommand, EngineEvent } from './messages.ts';
import type { TappedBlock } from './sound-tap.page.ts';
import { SoundTap, tappedBlockMs } from './sound-tap.page.ts';
import { PictureEncoder } from './picture-encoder.page.ts';
import { ShownPicture } from './shown-picture.page.ts';
import { SoundCapture } from './sound-capture.page.ts';

const tickMs = 100;
const ticksPerBatch = 2;
/** Characters of batches on their way to the recorder: above this, pictures are given up until it drains. */
const onTheWayMax = 12_000_000;
/** Above this, what is only listened along is given up. */
const tappedOnTheWayMax = 2_000_000;

/** Captures, encodes and batches. Runs in a worker, or in the page itself where the page forbids workers. */
export class CaptureEngine {
  readonly #post: (event: EngineEvent) => void;
  #time: MediaTime | null = null;
  #encoder: PictureEncoder | null = null;
  #picture: ShownPicture | null = null;
  #sound: SoundCapture | null = null;
  #tap: SoundTap | null = null;
  #tappedDropped = 0;
  #timer: ReturnType<typeof setInterval> | null = null;
  #run = 0;
  #ticks = 0;
  #sequence = 0;
  #pauses = 0;
  #onTheWay = 0;
  #lastError: string | null = null;
  #headers: ChunkHeader[] = [];
  #parts: Uint8Array[] = [];
  #audioDescription: string | null = null;
  #videoDescriptions: [beforeChunk: number, description: string][] = [];

  constructor(post: (event: EngineEvent) => void) {
    this.#post = post;
  }

  handle(command: EngineCommand): void {
    if (command.kind === 'start') this.#start(command);
    else if (command.kind === 'sound') this.#sound?.addTrack(command.id, command.frames);
    else if (command.kind === 'sound-gone') this.#sound?.removeTrack(command.id);
    else if (command.kind === 'picture') this.#picture?.show(command.frames);
    else if (command.kind === 'pause') void this.#pause();
    else if (command.kind === 'taken') this.#onTheWay -= command.characters;
    else if (command.kind === 'note') this.#lastError = command.error;
    else if (command.kind === 'resume') this.#resume();
    else void this.#stop(command.atMs);
  }

  #start(command: Extract<EngineCommand, { kind: 'start' }>): void {
    const { config, run, continuation } = command.start;
    const time = new MediaTime(command.beginsAtMs, continuation);
    const now = (): number => this.#now();
    const report = (error: unknown): void => {
      this.#lastError = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    };
    this.#run = run;
    this.#time = time;
    this.#tap = config.soundTapHz === null ? null : new SoundTap(config.soundTapHz);
    this.#sound = new SoundCapture(
      {
        now,
        report,
        tap: this.#tap,
        deliver: (timeUs, durationUs, bytes) => this.#add([1, timeUs, durationUs, 1, bytes.length], bytes),
        describe: (description) => (this.#audioDescription = base64(description)),
      },
      time,
      config.audioBitsPerSecond,
    );
    if (config.mode === 'speaker_view') {
      this.#encoder = new PictureEncoder(
        {
          now,
          report,
          congested: () => this.#onTheWay > onTheWayMax,
          deliver: (timeUs, key, bytes) => this.#add([0, timeUs, 0, key ? 1 : 0, bytes.length], bytes),
          describe: (description) => this.#videoDescriptions.push([this.#headers.length, base64(description)]),
        },
        time,
        config,
      );
      const ended = (): void => this.#post({ kind: 'picture-ended' });
      this.#picture = new ShownPicture({ now, report, ended }, time, this.#encoder, config);
    }
    this.#timer = setInterval(() => this.#tick(), tickMs);
  }

  async #pause(): Promise<void> {
    const time = this.#time;
    if (!time) return;
    const pause = (this.#pauses += 1);
    const atMs = time.pause(this.#now());
    const mediaMs = time.reached(atMs);
    this.#post({ kind: 'paused', atMs });
    const settled = await Promise.allSettled([this.#sound?.pause(mediaMs), this.#encoder?.settle()]);
    for (const result of settled) if (result.status === 'rejected') this.#lastError = String(result.reason);
    // Resumed, ended or paused anew meanwhile: then more may follow, and this is no place to cut.
    if (this.#timer === null || !time.paused || pause !== this.#pauses) return;
    this.#tap?.flush();
    this.#send({ pausedMs: mediaMs });
  }

  #resume(): void {
    const time = this.#time;
    if (!time) return;
    const atMs = time.resume(this.#now());
    this.#sound?.resume();
    this.#encoder?.wantKey();
    this.#post({ kind: 'resumed', atMs });
  }

  #now(): number {
    return performance.timeOrigin + performance.now();
  }

  #tick(): void {
    try {
      this.#encoder?.tick();
      this.#sound?.tick();
    } catch (error) {
      this.#lastError = String(error);
    }
    this.#ticks += 1;
    if (this.#ticks % ticksPerBatch === 0) this.#send();
  }

  async #stop(atMs: number): Promise<void> {
    if (this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
    const endMs = this.#time?.reached(atMs) ?? 0;
    this.#picture?.leave();
    const finished = await Promise.allSettled([this.#encoder?.finish(endMs), this.#sound?.finish(endMs)]);
    for (const result of finished) if (result.status === 'rejected') this.#lastError = String(result.reason);
    this.#tap?.flush();
    this.#send({ endMs });
    this.#post({ kind: 'stopped' });
  }

  #add(header: ChunkHeader, bytes: Uint8Array): void {
    this.#headers.push(header);
    this.#parts.push(bytes);
  }

  #send(place: Pick<CaptureBatch, 'pausedMs' | 'endMs'> = {}): void {
    const batch: CaptureBatch = {
      run: this.#run,
      sequence: this.#sequence,
      ...(this.#videoDescriptions.length === 0 ? {} : { videoDescriptions: this.#videoDescriptions }),
      ...(this.#audioDescription === null ? {} : { audioDescription: this.#audioDescription }),
      chunks: this.#headers,
      data: base64(joined(this.#parts)),
      stats: this.#stats(),
      ...this.#tapped(),
      ...place,
    };
    this.#sequence += 1;
    this.#videoDescriptions = [];
    this.#audioDescription = null;
    this.#headers = [];
    this.#parts = [];
    const text = JSON.stringify(batch);
    this.#onTheWay += text.length;
    this.#post({ kind: 'batch', text });
  }

  #tapped(): Pick<CaptureBatch, 'tapped'> {
    const [tap, time] = [this.#tap, this.#time];
    if (!tap || !time) return {};
    const whole = tap.take();
    const congested = this.#onTheWay > tappedOnTheWayMax;
    if (congested) this.#tappedDropped += whole.length;
    const blocks = congested ? [] : whole;
    // By its end: what the mix still held when a pause began goes with what comes after it.
    const startMs = (mediaMs: number): number => time.pageTimeOf(mediaMs + tappedBlockMs) - tappedBlockMs;
    const told = ({ mediaMs, bytes }: TappedBlock) => [startMs(mediaMs), base64(bytes)] as const;
    return { tapped: { blocks: blocks.map(told), dropped: this.#tappedDropped } };
  }

  #stats(): CaptureStats {
    const shown = this.#picture?.counts;
    const counts = this.#encoder?.counts;
    const level = this.#sound?.level();
    return {
      framesReceived: shown?.received ?? 0,
      framesEncoded: counts?.encoded ?? 0,
      framesRepeated: counts?.repeated ?? 0,
      framesOverRate: shown?.overRate ?? 0,
      framesUnrecorded: shown?.unrecorded ?? 0,
      framesDropped: (counts?.dropped ?? 0) + (shown?.dropped ?? 0),
      pictureSwitches: shown?.switches ?? 0,
      shownFrameAtMs: this.#picture?.shownFrameAtMs ?? null,
      encoderRestarts: (counts?.restarts ?? 0) + (this.#sound?.restarts ?? 0),
      soundTracks: this.#sound?.tracks ?? 0,
      lastSoundDataAtMs: this.#sound?.lastDataAtMs ?? null,
      soundJumps: this.#sound?.jumps ?? 0,
      soundLateMs: this.#sound?.lateMs ?? 0,
      soundPeak: level?.peak ?? 0,
      soundRms: level?.rms ?? 0,
      lastError: this.#lastError,
    };
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

function base64(bytes: Uint8Array): string {
  const native = (bytes as Uint8Array & Base64Bytes).toBase64?.();
  if (native !== undefined) return native;
  const step = 0x8000;
  let text = '';
  for (let at = 0; at < bytes.length; at += step) text += String.fromCharCode(...bytes.subarray(at, at + step));
  return btoa(text);
}

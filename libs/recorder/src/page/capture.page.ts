import type { PageMediaSourceGlobal } from '@rapporteur/contracts';
import type { ChromiumGlobal } from './chromium-media.ts';
import type { EngineLink } from './engine-link.page.ts';
import { openEngine } from './engine-link.page.ts';
import { MediaTime } from './media-time.page.ts';
import type { CaptureConfig, CaptureStart, EngineEvent, PageRecorder } from './messages.ts';
import { h264Settings } from './picture-encoder.page.ts';

/** A source is asked again this often, beside its own calls, so that a missed call costs a second at most. */
const askAgainMs = 1_000;
/** Tracks are read so long before the recording begins, so that its first moment is whole. */
const leadMs = 150;
/** A page's clock may stand a little behind that of the page before it. */
const clocksApartMostMs = 5_000;
/** Frames that may wait for a busy thread: sound blocks of 10 ms, pictures. */
const soundWaiting = 200;
const picturesWaiting = 4;

export interface InstallOptions {
  readonly bindingName: string;
  readonly workerSource: string;
}

/** Puts the recorder's page side in place; nothing runs until `start`. Frames inside the page stay untouched. */
export function install(options: InstallOptions): void {
  if (globalThis.window !== globalThis.top) return;
  Object.defineProperty(globalThis, 'rapporteurRecorder', {
    value: new PageCapture(options) satisfies PageRecorder,
    enumerable: false,
    configurable: true,
  });
}

/** Follows the page's media source and hands its tracks to the engine. */
class PageCapture implements PageRecorder {
  readonly #options: InstallOptions;
  readonly #sounds = new Map<MediaStreamTrack, { id: string; player: HTMLAudioElement }>();
  #engine: EngineLink | null = null;
  #withPicture = false;
  #shown: MediaStreamTrack | null = null;
  #soundNumber = 0;
  #stopListening: (() => void) | null = null;
  #timer: ReturnType<typeof setInterval> | null = null;
  #sending: Promise<unknown> = Promise.resolve();
  #stopped: (() => void) | null = null;
  /** Who waits for the engine's word on a pause or its end. */
  readonly #answered = new Map<'paused' | 'resumed', ((atMs: number) => void)[]>();

  constructor(options: InstallOptions) {
    this.#options = options;
  }

  async start(start: CaptureStart): Promise<{ startedAtMs: number; beginsMs: number; thread: 'worker' | 'page' }> {
    const { config, continuation } = start;
    if (this.#engine) throw new Error('This page is being recorded already.');
    if (!(globalThis as unknown as ChromiumGlobal).MediaStreamTrackProcessor) {
      throw new Error('This browser cannot read media tracks (no MediaStreamTrackProcessor).');
    }
    if (config.mode === 'speaker_view') await requireH264(config);
    const engine = await openEngine(this.#options.workerSource, (event) => this.#onEvent(event));
    this.#engine = engine;
    this.#withPicture = config.mode === 'speaker_view';
    const soonMs = this.#now() + leadMs;
    // Never where something is recorded already.
    const behindMs = (continuation?.recordedMs ?? 0) - new MediaTime(soonMs, continuation).beginsMs;
    const beginsAtMs = soonMs + Math.min(Math.max(0, behindMs), clocksApartMostMs);
    const { startedAtMs, beginsMs } = new MediaTime(beginsAtMs, continuation);
    engine.send({ kind: 'start', start, beginsAtMs });
    this.#follow();
    this.#timer = setInterval(() => this.#follow(), askAgainMs);
    await new Promise((resolve) => setTimeout(resolve, beginsAtMs - this.#now()));
    return { startedAtMs, beginsMs, thread: engine.thread };
  }

  async pause(): Promise<{ atMs: number }> {
    return await this.#askEngine('pause', 'paused');
  }

  async resume(): Promise<{ atMs: number }> {
    return await this.#askEngine('resume', 'resumed');
  }

  async stop(): Promise<{ atMs: number }> {
    const engine = this.#engine;
    const atMs = this.#now();
    if (!engine) return { atMs };
    this.#stopFollowing();
    const stopped = new Promise<void>((resolve) => (this.#stopped = resolve));
    engine.send({ kind: 'stop', atMs });
    await stopped;
    await this.#sending;
    this.abandon();
    return { atMs };
  }

  abandon(): void {
    this.#stopFollowing();
    this.#answered.clear();
    for (const track of this.#sounds.keys()) this.#dropSound(track);
    this.#engine?.close();
    this.#engine = null;
    this.#shown = null;
  }

  #stopFollowing(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#stopListening?.();
    this.#stopListening = null;
  }

  async #askEngine(kind: 'pause' | 'resume', answer: 'paused' | 'resumed'): Promise<{ atMs: number }> {
    const engine = this.#engine;
    if (!engine) throw new Error('This page is not being recorded.');
    const answered = new Promise<number>((resolve) => {
      this.#answered.set(answer, [...(this.#answered.get(answer) ?? []), resolve]);
    });
    engine.send({ kind });
    return { atMs: await answered };
  }

  #now(): number {
    return performance.timeOrigin + performance.now();
  }

  #onEvent(event: EngineEvent): void {
    if (event.kind === 'batch') this.#send(event.text);
    else if (event.kind === 'stopped') this.#stopped?.();
    else if (event.kind === 'picture-ended') this.#shown = null;
    else if (event.kind === 'paused' || event.kind === 'resumed') {
      for (const resolve of this.#answered.get(event.kind) ?? []) resolve(event.atMs);
      this.#answered.delete(event.kind);
    }
  }

  #send(text: string): void {
    const binding = (globalThis as unknown as Record<string, unknown>)[this.#options.bindingName];
    if (typeof binding !== 'function') return;
    const call = binding as (text: string) => Promise<void>;
    const taken = (): void => this.#engine?.send({ kind: 'taken', characters: text.length });
    this.#sending = Promise.all([this.#sending, call(text).then(taken, taken)]);
  }

  /** A source that fails is asked again; the recording goes on with what it had. */
  #follow(): void {
    const source = (globalThis as PageMediaSourceGlobal).rapporteurMediaSource;
    if (!source || !this.#engine) return;
    try {
      this.#stopListening ??= source.onChange(() => this.#follow());
      this.#followSounds(source.audioTracks().filter((track) => track.readyState === 'live'));
      if (this.#withPicture) this.#followPicture(source.shownVideo()?.track ?? null);
    } catch (error) {
      this.#engine.send({ kind: 'note', error: `The page's media source failed: ${String(error)}` });
    }
  }

  #followSounds(tracks: readonly MediaStreamTrack[]): void {
    for (const track of this.#sounds.keys()) if (!tracks.includes(track)) this.#dropSound(track);
    for (const track of tracks) if (!this.#sounds.has(track)) this.#takeSound(track);
  }

  #takeSound(track: MediaStreamTrack): void {
    this.#soundNumber += 1;
    const id = `sound-${this.#soundNumber}`;
    const frames = framesOf(track, soundWaiting);
    if (!frames) return;
    // Chromium decodes a remote track's sound only while some element plays it, be it muted.
    const player = new Audio();
    player.muted = true;
    player.srcObject = new MediaStream([track]);
    void player.play().catch(() => undefined);
    this.#sounds.set(track, { id, player });
    this.#engine?.send({ kind: 'sound', id, frames });
  }

  #dropSound(track: MediaStreamTrack): void {
    const sound = this.#sounds.get(track);
    if (!sound) return;
    this.#sounds.delete(track);
    sound.player.pause();
    sound.player.srcObject = null;
    this.#engine?.send({ kind: 'sound-gone', id: sound.id });
  }

  #followPicture(track: MediaStreamTrack | null): void {
    const wanted = track?.readyState === 'live' ? track : null;
    if (wanted === this.#shown) return;
    const frames = wanted && framesOf(wanted, picturesWaiting);
    this.#shown = frames ? wanted : null;
    this.#engine?.send({ kind: 'picture', frames });
  }
}

async function requireH264(config: CaptureConfig): Promise<void> {
  const { supported } = await VideoEncoder.isConfigSupported(h264Settings(config));
  if (!supported) throw new Error(`This browser cannot encode H.264 at ${config.width}x${config.height}.`);
}

function framesOf(
  track: MediaStreamTrack,
  waiting: number,
): (ReadableStream<VideoFrame> & ReadableStream<AudioData>) | null {
  const { MediaStreamTrackProcessor } = globalThis as unknown as ChromiumGlobal;
  if (!MediaStreamTrackProcessor) return null;
  try {
    return new MediaStreamTrackProcessor({ track, maxBufferSize: waiting }).readable;
  } catch {
    // The track ended between the question and now; the source will say what comes after it.
    return null;
  }
}

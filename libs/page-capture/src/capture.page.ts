import type { PageMediaSource, PageMediaSourceGlobal } from '@rapporteur/contracts';
import { exactPageNow } from '@rapporteur/page-scripts/page-time';
import type { ChromiumGlobal } from './chromium-media.ts';
import { openEngine } from './engine-link.page.ts';
import type { EngineLink } from './engine-link.page.ts';
import { MediaTime } from './media-time.page.ts';
import type { CaptureConfig, CaptureStart, EngineEvent, EngineSigns, PageRecorder } from './messages.ts';
import { PageStrategies } from './strategies/page-strategies.page.ts';
import { h264Settings } from './encoder/frame-encoder.page.ts';
import { PageAudio } from './load/page-audio.page.ts';
import { TabCapture } from './sources/tab-capture.page.ts';
import { framesOf } from './sources/track-frames.page.ts';

/** After admission the first frame arrives within this time of the first media, if a participant shows video. */
const firstWithinMs = 1_000;
/** A slow host takes longer to connect its tracks: until then waiting loses nothing. */
const connectsWithinMs = 3_000;
/** Not every page reports every change. */
const pollAgainMs = 50;

/**
 * Resolves once the page has a frame to record: a recording that began a moment before would begin with black. At the
 * latest a second after media arrived on any track; without any, after a second, or after 3 s if there are tracks to
 * wait for.
 */
export async function untilFrame(source: PageMediaSource, { mode, strategy }: CaptureConfig): Promise<void> {
  if (mode === 'audio_only' || strategy === 'tab') return;
  const offered = (): (MediaStreamTrack | null)[] =>
    mode === 'gallery_view' ? source.tiles().map(({ track }) => track) : [source.shownVideo()?.track ?? null];
  const ended = new AbortController();
  const deadline = new FirstFrameDeadline(() => [...source.audioTracks(), ...offered()]);
  const late = setInterval(() => deadline.hasPassed() && ended.abort(), pollAgainMs);
  try {
    const track = await untilOffered(source, offered, ended.signal);
    if (track) await firstFrame(track, ended.signal);
  } finally {
    clearInterval(late);
    ended.abort();
  }
}

/** A track is muted until its first media arrives. */
class FirstFrameDeadline {
  readonly #tracks: () => (MediaStreamTrack | null)[];
  readonly #startedAtMs = performance.now();
  #arrivedAtMs: number | null = null;

  constructor(tracks: () => (MediaStreamTrack | null)[]) {
    this.#tracks = tracks;
  }

  hasPassed(): boolean {
    const nowMs = performance.now();
    const live = this.#tracks().filter((track) => track?.readyState === 'live');
    if (live.some((track) => !track?.muted)) this.#arrivedAtMs ??= nowMs;
    if (this.#arrivedAtMs !== null) return nowMs - this.#arrivedAtMs >= firstWithinMs;
    return nowMs - this.#startedAtMs >= (live.length > 0 ? connectsWithinMs : firstWithinMs);
  }
}

async function untilOffered(
  source: PageMediaSource,
  offered: () => (MediaStreamTrack | null)[],
  signal: AbortSignal,
): Promise<MediaStreamTrack | null> {
  return await new Promise((resolve, reject) => {
    const sample = (): void => {
      try {
        const track = offered().find((one) => one?.readyState === 'live' && !one.muted);
        if (track || signal.aborted) done(track ?? null);
      } catch (error) {
        reject(error as Error);
        done(null);
      }
    };
    const stop = source.onChange(sample);
    const timer = setInterval(sample, pollAgainMs);
    const done = (track: MediaStreamTrack | null): void => {
      stop();
      clearInterval(timer);
      resolve(track);
    };
    signal.addEventListener('abort', () => done(null));
    sample();
  });
}

/** A track that is not muted any more may take some hundred milliseconds to its first frame. */
async function firstFrame(track: MediaStreamTrack, signal: AbortSignal): Promise<void> {
  const reader = framesOf(track, 1)?.getReader();
  if (!reader) return;
  const stop = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', stop);
  const { value } = await reader.read();
  value?.close();
  stop();
}

/**
 * Interval of polling the source, in addition to its events: bounds the delay of a missed event and of speaking marks.
 */
const requestAgainMs = 250;
/** Tracks are read this long before the recording begins, so that its beginning is complete. */
const leadMs = 150;
/** A page's clock may be a little behind that of the page before it. */
const clocksApartMostMs = 5_000;
/** An engine without an event for this long, while this thread runs on time, is lost. */
const engineSilentMs = 3_000;
const threadLateMs = 1_500;
/** After this many lost engines the next one runs in the page's own thread. */
const workersMost = 2;

export interface InstallOptions {
  readonly bindingName: string;
  readonly workerSource: string;
}

/** Installs the recorder's page side; nothing runs until `start`. Frames inside the page are recorded from it. */
export function install(options: InstallOptions): void {
  if (globalThis.window !== globalThis.top) return;
  Object.defineProperty(globalThis, 'rapporteurRecorder', {
    value: new PageCapture(options) satisfies PageRecorder,
    enumerable: false,
    configurable: true,
  });
}

/** Follows the page's media source, hands its tracks to the engine, and replaces a lost engine. */
class PageCapture implements PageRecorder {
  readonly #options: InstallOptions;
  readonly #tab = new TabCapture();
  #engine: EngineLink | null = null;
  #strategies: PageStrategies | null = null;
  #start: CaptureStart | null = null;
  /** Null before the first start. Its pauses are those that the engine reported. */
  #time: MediaTime | null = null;
  #enginesLost = 0;
  #replacing = false;
  /** Incremented by `abandon`: earlier operations are not continued. */
  #generation = 0;
  #signs: EngineSigns | null = null;
  #engineEventAtMs = 0;
  #sampledAtMs = 0;
  #stopListening: (() => void) | null = null;
  readonly #pageAudio = new PageAudio();
  #timer: ReturnType<typeof setInterval> | null = null;
  #sending: Promise<unknown> = Promise.resolve();
  #stopped: (() => void) | null = null;
  /** Pending requests to pause or resume. */
  readonly #responded = new Map<'paused' | 'resumed', ((atMs: number) => void)[]>();

  constructor(options: InstallOptions) {
    this.#options = options;
  }

  async start(start: CaptureStart): Promise<{ startedAtMs: number; beginsMs: number; thread: 'worker' | 'page' }> {
    const { config, continuation } = start;
    const generation = this.#generation;
    if (this.#engine) throw new Error('This page is being recorded already.');
    if (!(globalThis as unknown as ChromiumGlobal).MediaStreamTrackProcessor) {
      throw new Error('This browser cannot read media tracks (no MediaStreamTrackProcessor).');
    }
    if (config.mode !== 'audio_only') await requireH264(config);
    if (config.mode !== 'audio_only' && config.strategy === 'tab') await this.#tab.open(config);
    const engine = await this.#openEngine(this.#options.workerSource, generation);
    if (engine === null) throw abandoned();
    const strategies = new PageStrategies(config, {
      now: exactPageNow,
      send: (command) => this.#engine?.send(command),
      tab: this.#tab,
    });
    const source = (globalThis as PageMediaSourceGlobal).rapporteurMediaSource;
    // A continuation after a loss does not wait: its audio is missing already.
    if (source && continuation === null) await untilFrame(source, config).catch(() => undefined);
    if (generation !== this.#generation) {
      engine.close();
      throw abandoned();
    }
    const soonMs = exactPageNow() + leadMs;
    // Never earlier than recorded media.
    const behindMs = (continuation?.recordedMs ?? 0) - new MediaTime(soonMs, continuation).beginsMs;
    const beginsAtMs = soonMs + Math.min(Math.max(0, behindMs), clocksApartMostMs);
    const time = new MediaTime(beginsAtMs, continuation);
    this.#start = start;
    this.#time = time;
    this.#enginesLost = 0;
    this.#signs = null;
    engine.send({ kind: 'start', start, beginsAtMs, sequence: 0, continuesIn: null });
    this.#strategies = strategies;
    this.#sampledAtMs = exactPageNow();
    this.#sample();
    this.#timer = setInterval(() => this.#sample(), requestAgainMs);
    await new Promise((resolve) => setTimeout(resolve, beginsAtMs - exactPageNow()));
    if (generation !== this.#generation) throw abandoned();
    return { startedAtMs: time.startedAtMs, beginsMs: time.beginsMs, thread: engine.thread };
  }

  async pause(): Promise<{ atMs: number }> {
    return await this.#requestEngine('pause', 'paused');
  }

  async resume(): Promise<{ atMs: number }> {
    return await this.#requestEngine('resume', 'resumed');
  }

  async stop(): Promise<{ atMs: number }> {
    const atMs = exactPageNow();
    if (!this.#engine) return { atMs };
    this.#stopFollowing();
    const stopped = new Promise<void>((resolve) => (this.#stopped = resolve));
    this.#engine.send({ kind: 'stop', atMs });
    await stopped;
    await this.#sending;
    this.abandon();
    return { atMs };
  }

  abandon(): void {
    this.#generation += 1;
    this.#replacing = false;
    this.#stopFollowing();
    this.#responded.clear();
    this.#strategies?.close();
    this.#strategies = null;
    this.#start = null;
    this.#engine?.close();
    this.#engine = null;
  }

  #stopFollowing(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#stopListening?.();
    this.#stopListening = null;
  }

  async #requestEngine(kind: 'pause' | 'resume', response: 'paused' | 'resumed'): Promise<{ atMs: number }> {
    const engine = this.#engine;
    if (!engine) throw new Error('This page is not being recorded.');
    const responded = new Promise<number>((resolve) => {
      this.#responded.set(response, [...(this.#responded.get(response) ?? []), resolve]);
    });
    engine.send({ kind });
    return { atMs: await responded };
  }

  /** Null when its capture was abandoned meanwhile. */
  async #openEngine(workerSource: string | null, generation: number): Promise<EngineLink | null> {
    const ports = {
      onEvent: (event: EngineEvent) => this.#onEvent(event),
      onLost: (reason: string) => void this.#replaceEngine(reason),
    };
    const engine = await openEngine(workerSource, ports);
    if (generation !== this.#generation) {
      engine.close();
      return null;
    }
    this.#engineEventAtMs = exactPageNow();
    this.#engine = engine;
    return engine;
  }

  #onEvent(event: EngineEvent): void {
    this.#engineEventAtMs = exactPageNow();
    if (event.kind === 'batch' || event.kind === 'signs') {
      this.#signs = event.signs;
      this.#strategies?.onSigns(event.signs);
      if (event.kind === 'batch') this.#send(event.text);
    } else if (event.kind === 'stopped') this.#stopped?.();
    else if (event.kind === 'video-ended') this.#strategies?.videoEnded();
    else if (event.kind === 'tile-video-ended') this.#strategies?.tileVideoEnded(event.id);
    else if (event.kind === 'paused' || event.kind === 'resumed') {
      if (event.kind === 'paused') this.#time?.pause(event.atMs);
      else this.#time?.resume(event.atMs);
      for (const resolve of this.#responded.get(event.kind) ?? []) resolve(event.atMs);
      this.#responded.delete(event.kind);
    }
  }

  #send(text: string): void {
    const binding = (globalThis as unknown as Record<string, unknown>)[this.#options.bindingName];
    if (typeof binding !== 'function') return;
    const call = binding as (text: string) => Promise<void>;
    const engine = this.#engine;
    const taken = (): void => engine?.send({ kind: 'taken', characters: text.length });
    // Without a result: otherwise each would retain all before it.
    this.#sending = Promise.all([this.#sending, call(text).then(taken, taken)]).then(() => undefined);
  }

  /** Continues the same recording with another engine. Lost: what the old one had not handed over. */
  async #replaceEngine(reason: string): Promise<void> {
    const [lost, start, time] = [this.#engine, this.#start, this.#time];
    if (!lost || !start || !time || this.#replacing) return;
    lost.close();
    if (this.#timer === null) {
      // It was about to stop: no event follows.
      this.#stopped?.();
      return;
    }
    this.#enginesLost += 1;
    this.#replacing = true;
    const workerSource = this.#enginesLost < workersMost ? this.#options.workerSource : null;
    const engine = await this.#openEngine(workerSource, this.#generation);
    // A capture that began meanwhile has an engine of its own.
    if (engine === null) return;
    this.#replacing = false;
    const beginsAtMs = exactPageNow();
    const continuation = time.continuation(this.#signs?.reachedMs ?? start.continuation?.recordedMs ?? 0);
    const sequence = this.#signs?.nextSequence ?? 0;
    engine.send({
      kind: 'start',
      start: { ...start, continuation },
      beginsAtMs,
      sequence,
      continuesIn: engine.thread,
    });
    engine.send({ kind: 'note', error: reason });
    this.#strategies?.handOver();
    for (const response of this.#responded.keys()) engine.send({ kind: response === 'paused' ? 'pause' : 'resume' });
    this.#sample();
  }

  #sample(): void {
    const nowMs = exactPageNow();
    const lateMs = nowMs - this.#sampledAtMs;
    this.#sampledAtMs = nowMs;
    const silent = nowMs - this.#engineEventAtMs > engineSilentMs && lateMs < threadLateMs;
    if (this.#engine?.thread === 'worker' && silent) void this.#replaceEngine('The recorder’s worker did not respond.');
    const timerLateMs = Math.max(0, lateMs - requestAgainMs);
    this.#pageAudio.sample(mediaSource(), timerLateMs, nowMs);
    this.#engine?.send({ kind: 'page-load', lateMs: timerLateMs, played: this.#pageAudio.played });
    this.#follow(true);
  }

  /** A failed source is polled again; the recording continues with its previous tracks. */
  #follow(judge: boolean): void {
    const source = mediaSource();
    const [engine, strategies] = [this.#engine, this.#strategies];
    // A lost engine takes no commands; the next one gets the whole state.
    if (!engine || !strategies || this.#replacing) return;
    try {
      if (source !== noSource) this.#stopListening ??= source.onChange(() => this.#follow(false));
      if (judge && this.#time?.paused !== true) strategies.judge(source);
      strategies.follow(source);
    } catch (error) {
      engine.send({ kind: 'note', error: `The page's media source failed: ${String(error)}` });
    }
  }
}

function mediaSource(): PageMediaSource {
  return (globalThis as PageMediaSourceGlobal).rapporteurMediaSource ?? noSource;
}

function abandoned(): Error {
  return new Error('This recording was abandoned before it began.');
}

/** The source of a page whose platform offers none: painted video and played audio can still be captured. */
const noSource: PageMediaSource = {
  version: 2,
  audioTracks: () => [],
  shownVideo: () => null,
  tiles: () => [],
  onChange: () => () => undefined,
};

async function requireH264(config: CaptureConfig): Promise<void> {
  const { supported } = await VideoEncoder.isConfigSupported(h264Settings(config));
  if (!supported) throw new Error(`This browser cannot encode H.264 at ${config.width}x${config.height}.`);
}

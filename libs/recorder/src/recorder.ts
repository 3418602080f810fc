import { loadPageScript } from '@rapporteur/page-scripts';
import { readBatch } from './capture/read-batch.ts';
import type { ReadBatch } from './capture/read-batch.ts';
import { FragmentAssembler } from './fragments/fragment-assembler.ts';
import type { RecordingFragment } from './fragments/fragment-assembler.ts';
import { FragmentOutlet, withinMs } from './fragments/fragment-outlet.ts';
import type { LostFragment } from './fragments/fragment-outlet.ts';
import type { CaptureConfig, CaptureStats } from './page/messages.ts';
import { defaultLimits } from './recorder-ports.ts';
import type {
  AudioLevel,
  Recorder,
  RecorderHealth,
  RecorderLimits,
  RecorderOptions,
  RecordingGap,
  RecordingPause,
  RecordingSummary,
  RecordingWay,
} from './recorder-ports.ts';

const bindingName = 'rapporteurTakeBatch';
const gapsKept = 1_000;
/** Sound that did not arrive for so long stands still. */
const soundStillMs = 3_000;

/** Records one page, once. Start a new recorder for another attempt. @throws Error for a view that is not there yet */
export function createRecorder(options: RecorderOptions): Recorder {
  if (options.mode === 'gallery_view') {
    throw new Error('gallery_view cannot be recorded yet. Ask for speaker_view or audio_only.');
  }
  return new PageTrackRecorder(options, options.mode);
}

class PageTrackRecorder implements Recorder {
  readonly #options: RecorderOptions;
  readonly #limits: RecorderLimits;
  readonly #config: CaptureConfig;
  readonly #assembler: FragmentAssembler;
  readonly #outlet: FragmentOutlet;
  readonly #pauses: { startMs: number; endMs: number | null }[] = [];
  readonly #gaps: RecordingGap[] = [];
  #init: Promise<void> = Promise.resolve();
  #script: string | null = null;
  #way: RecordingWay = 'tracks-in-worker';
  #startedAtMs: number | null = null;
  #nextBatch = 0;
  #stats: CaptureStats | null = null;
  #lastVideoChunkAtMs: number | null = null;
  #lastAudioChunkAtMs: number | null = null;
  #fragments = 0;
  #bytes = 0;
  #endMs = 0;
  #finalBatchMs: number | null = null;
  #stopping: Promise<RecordingSummary> | null = null;

  constructor(options: RecorderOptions, mode: CaptureConfig['mode']) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#config = {
      mode,
      width: options.width ?? 1280,
      height: options.height ?? 720,
      framesPerSecondMax: options.framesPerSecondMax ?? 30,
      videoBitsPerSecond: this.#limits.videoBitsPerSecond,
      audioBitsPerSecond: this.#limits.audioBitsPerSecond,
      fragmentMs: this.#limits.fragmentMs,
    };
    this.#outlet = new FragmentOutlet({
      waitingMax: this.#limits.fragmentsWaitingMax,
      deadlineMs: this.#limits.fragmentDeadlineMs,
      take: async (fragment) => {
        await this.#init;
        await options.onFragment(fragment);
      },
      onLost: (lost) => this.#onLost(lost),
    });
    this.#assembler = new FragmentAssembler({
      withPicture: mode === 'speaker_view',
      width: this.#config.width,
      height: this.#config.height,
      fragmentMs: this.#limits.fragmentMs,
      onInit: (bytes) => this.#onInit(bytes),
      onFragment: (fragment) => this.#onFragment(fragment),
      onPictureLost: () =>
        options.logger.error(
          { lastError: this.#stats?.lastError },
          'The picture cannot be encoded; only sound is recorded.',
        ),
    });
  }

  async install(): Promise<void> {
    if (this.#script !== null) return;
    const workerSource = loadPageScript(new URL('./page/capture-worker.page.ts', import.meta.url));
    this.#script = loadPageScript(new URL('./page/capture.page.ts', import.meta.url), { bindingName, workerSource });
    await this.#options.page.exposeBinding(bindingName, async (text) => this.#take(text));
    await this.#options.page.addInitScript(this.#script);
  }

  async start(): Promise<{ startedAtMs: number }> {
    if (this.#startedAtMs !== null) return { startedAtMs: this.#startedAtMs };
    await this.install();
    const begun = await this.#ask(
      `(async () => { if (!globalThis.rapporteurRecorder) { ${this.#script} }
        return await globalThis.rapporteurRecorder.start(${JSON.stringify(this.#config)}); })()`,
      'The meeting page did not start the recording',
    );
    this.#startedAtMs = numberAt(begun, 'startedAtMs');
    this.#way = Reflect.get(Object(begun), 'thread') === 'page' ? 'tracks-in-page' : 'tracks-in-worker';
    this.#options.logger.info({ way: this.#way, mode: this.#config.mode }, 'Recording.');
    return { startedAtMs: this.#startedAtMs };
  }

  async pause(): Promise<{ atMs: number }> {
    const open = this.#pauses.at(-1);
    if (open?.endMs === null) return { atMs: open.startMs };
    const asked = this.#options.page.evaluate('globalThis.rapporteurRecorder.pause()').then((answer) => {
      const startMs = numberAt(answer, 'atMs');
      this.#pauses.push({ startMs, endMs: null });
      return startMs;
    });
    try {
      return { atMs: await withinMs(asked, this.#limits.pauseDeadlineMs, 'Pausing the recording') };
    } catch (error) {
      void asked.then(() => this.resume()).catch(() => undefined);
      throw error;
    }
  }

  async resume(): Promise<{ atMs: number }> {
    const asked = this.#options.page.evaluate('globalThis.rapporteurRecorder.resume()').then((answer) => {
      const endMs = numberAt(answer, 'atMs');
      const open = this.#pauses.at(-1);
      if (open?.endMs === null) open.endMs = endMs;
      return endMs;
    });
    asked.catch(() => undefined);
    return { atMs: await withinMs(asked, this.#limits.pauseDeadlineMs, 'Resuming the recording') };
  }

  get pauses(): readonly RecordingPause[] {
    return this.#pauses;
  }

  async stop(): Promise<RecordingSummary> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  health(): RecorderHealth {
    return {
      lastVideoChunkAtMs: this.#lastVideoChunkAtMs,
      lastAudioChunkAtMs: this.#lastAudioChunkAtMs,
      framesReceived: this.#stats?.framesReceived ?? 0,
      framesEncoded: this.#stats?.framesEncoded ?? 0,
      framesDropped: this.#stats?.framesDropped ?? 0,
      fragmentsClosed: this.#fragments,
      fragmentsWaiting: this.#outlet.waiting,
      bytes: this.#bytes,
      audioLevel: this.#audioLevel(),
      lastError: this.#stats?.lastError ?? null,
    };
  }

  async #stop(): Promise<RecordingSummary> {
    let endedCleanly = this.#startedAtMs !== null;
    if (this.#startedAtMs !== null) {
      try {
        await this.#ask('globalThis.rapporteurRecorder.stop()', 'The meeting page did not end the recording');
      } catch (error) {
        endedCleanly = false;
        this.#options.logger.warn({ err: error }, 'The page no longer answers; the recording ends with what arrived.');
      }
    }
    this.#assembler.finish(this.#finalBatchMs);
    await this.#outlet.drain(this.#limits.fragmentDeadlineMs);
    return this.#summary(endedCleanly && this.#finalBatchMs !== null);
  }

  #summary(endedCleanly: boolean): RecordingSummary {
    const pauses: readonly RecordingPause[] = this.#pauses;
    return {
      way: this.#way,
      startedAtMs: this.#startedAtMs ?? this.#options.clock.now(),
      durationMs: this.#endMs,
      fragments: this.#fragments,
      bytes: this.#bytes,
      framesReceived: (this.#stats?.framesReceived ?? 0) - (this.#stats?.framesUnrecorded ?? 0),
      framesEncoded: this.#stats?.framesEncoded ?? 0,
      framesRepeated: this.#stats?.framesRepeated ?? 0,
      framesOverRate: this.#stats?.framesOverRate ?? 0,
      framesDropped: this.#stats?.framesDropped ?? 0,
      soundJumps: this.#stats?.soundJumps ?? 0,
      soundLateMs: this.#stats?.soundLateMs ?? 0,
      pauses,
      gaps: this.#gaps,
      endedCleanly,
    };
  }

  #take(text: unknown): void {
    let batch: ReadBatch;
    try {
      batch = readBatch(text);
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'A batch of the recording was not readable and is left out.');
      return;
    }
    if (this.#stopping && this.#finalBatchMs !== null) return;
    if (batch.sequence !== this.#nextBatch) {
      this.#options.logger.warn(
        { got: batch.sequence, wanted: this.#nextBatch },
        'Batches of the recording are missing or doubled.',
      );
      if (batch.sequence < this.#nextBatch) return;
    }
    this.#nextBatch = batch.sequence + 1;
    this.#stats = batch.stats;
    this.#finalBatchMs = batch.endMs;
    this.#assembler.describe(batch);
    for (const chunk of batch.chunks) {
      if (chunk.kind === 'video') {
        this.#lastVideoChunkAtMs = this.#options.clock.now();
        this.#assembler.addVideo(chunk);
      } else {
        this.#lastAudioChunkAtMs = this.#options.clock.now();
        this.#assembler.addAudio(chunk);
      }
    }
    if (batch.pausedMs !== null) this.#assembler.cut(batch.pausedMs);
  }

  #onInit(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    this.#init = Promise.resolve(this.#options.onInit(bytes));
    this.#init.catch((error: unknown) =>
      this.#options.logger.error({ err: error }, 'The beginning of the recording could not be stored.'),
    );
  }

  #onFragment(fragment: RecordingFragment): void {
    this.#fragments += 1;
    this.#bytes += fragment.bytes.length;
    this.#endMs = fragment.endMs;
    this.#outlet.put(fragment);
  }

  #onLost(lost: LostFragment): void {
    const { sequence, startMs, endMs, reason } = lost;
    if (this.#gaps.length < gapsKept) this.#gaps.push({ startMs, endMs, reason });
    this.#options.logger.error(
      { err: lost.cause, sequence, reason },
      'A fragment of the recording was lost; the gap is noted.',
    );
  }

  #audioLevel(): AudioLevel {
    const stats = this.#stats;
    const nowMs = this.#options.clock.now();
    const fresh = (atMs: number | null): boolean => atMs !== null && nowMs - atMs < soundStillMs;
    const tracks = stats?.soundTracks ?? 0;
    const lastDataAtMs = stats?.lastSoundDataAtMs ?? null;
    return {
      peak: stats?.soundPeak ?? 0,
      rms: stats?.soundRms ?? 0,
      tracks,
      lastDataAtMs,
      captureAlive: fresh(this.#lastAudioChunkAtMs) && (tracks === 0 || fresh(lastDataAtMs)),
    };
  }

  async #ask(expression: string, failure: string): Promise<unknown> {
    return await withinMs(this.#options.page.evaluate(expression), this.#limits.pageDeadlineMs, failure);
  }
}

function numberAt(answer: unknown, name: string): number {
  const value: unknown = Reflect.get(Object(answer), name);
  if (typeof value !== 'number') throw new Error(`The recorder's page script gave no ${name}.`);
  return value;
}

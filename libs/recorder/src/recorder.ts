import { withDeadline } from '@rapporteur/async';
import type { AudioImpairment, CaptureBreak, DegradationStep, MissingVideoReason } from '@rapporteur/contracts';
import { readBatch, bindingName, captureScript } from '@rapporteur/page-capture';
import type {
  ReadBatch,
  CaptureConfig,
  CaptureStart,
  CaptureStats,
  Continuation,
  ReasonSpan,
  ReadAudio,
} from '@rapporteur/page-capture';
import { FragmentAssembler } from '@rapporteur/media-container';
import type { RecordingFragment } from '@rapporteur/media-container';
import { CaptureTotals } from './capture/capture-totals.ts';
import { PageSetup } from './capture/page-setup.ts';
import { numberAt } from './capture/page-response.ts';
import { PauseSwitch } from './capture/pause-switch.ts';
import { StrategyRecord } from './capture/strategy-record.ts';
import { FragmentOutlet } from './fragments/fragment-outlet.ts';
import type { LostFragment } from './fragments/fragment-outlet.ts';
import { InitOutlet } from './fragments/init-outlet.ts';
import { defaultLimits } from './recorder-ports.ts';
import type {
  Recorder,
  RecorderHealth,
  RecorderLimits,
  RecorderOptions,
  RecorderPage,
  RecordingGap,
  RecordingPause,
  RecordingSummary,
  AudioLevel,
  RecorderLogger,
  RecorderAudioTap,
} from './recorder-ports.ts';

/** 100 ms of 16 bit samples. */
const bytesPerBlock = (rateHz: number): number => (rateHz / 10) * 2;

/** Passes the tapped mix to its consumer. A failure of the consumer does not affect the recording. */
function handOutAudio(tap: RecorderAudioTap | null, logger: RecorderLogger): (tapped: ReadAudio | null) => void {
  let droppedBefore = 0;
  let failed = false;
  return (tapped) => {
    if (tap === null || tapped === null) return;
    const { blocks, dropped } = tapped;
    if (dropped > droppedBefore)
      logger.warn({ dropped: dropped - droppedBefore }, 'The live audio was dropped: the recording is late.');
    droppedBefore = dropped;
    for (const { pcm, startMs } of blocks) {
      if (pcm.length !== bytesPerBlock(tap.rateHz)) continue;
      try {
        tap.onAudio(pcm, startMs);
      } catch (error) {
        if (!failed) logger.error({ err: error }, 'A consumer of the live audio failed; the recording continues.');
        failed = true;
      }
    }
  };
}

/** Audio without data for this long has stalled. */
const audioStillMs = 3_000;

/** Distinguishes a silent meeting from a stalled capture. Pure. */
function audioLevelOf(stats: CaptureStats | null, lastChunkAtMs: number | null, nowMs: number): AudioLevel {
  const fresh = (atMs: number | null): boolean => atMs !== null && nowMs - atMs < audioStillMs;
  const tracks = stats?.audioTracks ?? 0;
  const lastDataAtMs = stats?.lastAudioDataAtMs ?? null;
  return {
    peak: stats?.audioPeak ?? 0,
    rms: stats?.audioRms ?? 0,
    tracks,
    lastDataAtMs,
    captureAlive: fresh(lastChunkAtMs) && (tracks === 0 || fresh(lastDataAtMs)),
  };
}

/** Bounds the memory of a page whose video or load comes and goes without end: later spans lengthen the last one. */
const spansKept = 500;

/** The spans of one recording that lack something, in order of their first report. */
class SpanRecord<Reason extends string> {
  readonly #spans: ReasonSpan<Reason>[] = [];

  /** A span that lasts is reported again, with a later end. */
  add(spans: readonly ReasonSpan<Reason>[]): void {
    for (const span of spans) {
      const isFull = this.#spans.length >= spansKept;
      const index = this.#spans.findLastIndex(
        ({ startMs, reason }) => reason === span.reason && (isFull || startMs === span.startMs),
      );
      const known = this.#spans[index];
      if (known) this.#spans[index] = { ...span, startMs: known.startMs };
      else if (!isFull) this.#spans.push(span);
    }
  }

  get spans(): readonly ReasonSpan<Reason>[] {
    return this.#spans;
  }
}

const gapsKept = 1_000;
const earlyBatchesMax = 100;

/** Makes one recording of consecutive pages, where pages get lost. Start a new recorder for another attempt. */
export function createRecorder(options: RecorderOptions): Recorder {
  return new PageTrackRecorder(options, options.mode);
}

/** Loads the scripts for `install` in advance, e.g. while the browser starts. */
export function preloadCapture(): void {
  captureScript();
}

class PageTrackRecorder implements Recorder {
  readonly #options: RecorderOptions;
  readonly #limits: RecorderLimits;
  readonly #config: CaptureConfig;
  readonly #assembler: FragmentAssembler;
  readonly #outlet: FragmentOutlet;
  readonly #init: InitOutlet;
  readonly #pauses: PauseSwitch;
  readonly #gaps: RecordingGap[] = [];
  readonly #totals = new CaptureTotals();
  readonly #strategyRecord: StrategyRecord;
  readonly #missingVideo = new SpanRecord<MissingVideoReason>();
  readonly #degradations = new SpanRecord<DegradationStep>();
  readonly #audioImpaired = new SpanRecord<AudioImpairment>();
  #degraded: DegradationStep | null = null;
  #isLate = false;
  readonly #handOut: (tapped: ReadBatch['tapped']) => void;
  readonly #bound = new PageSetup();
  readonly #scripted = new PageSetup();
  #page: RecorderPage;
  #script: string | null = null;
  #startedAtMs: number | null = null;
  /** Number of the current capture; each has its own. */
  #run = 1;
  /** No capture is active, though the recording has begun. */
  #broken: CaptureBreak | null = null;
  #starting: Promise<unknown> | null = null;
  /** Batches of a capture whose page has not reported its beginning yet. */
  #early: ReadBatch[] | null = [];
  #nextBatch = 0;
  #stats: CaptureStats | null = null;
  #lastVideoChunkAtMs: number | null = null;
  #lastAudioChunkAtMs: number | null = null;
  #fragments = 0;
  #fragmentsKept = 0;
  #bytes = 0;
  #endMs = 0;
  #finalBatchMs: number | null = null;
  #stopping: Promise<RecordingSummary> | null = null;

  constructor(options: RecorderOptions, mode: CaptureConfig['mode']) {
    this.#options = options;
    this.#page = options.page;
    this.#handOut = handOutAudio(options.audioTap ?? null, options.logger);
    this.#strategyRecord = new StrategyRecord(mode, options.logger, (strategy) => options.onStrategy?.(strategy));
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#config = {
      mode,
      width: options.width ?? 1280,
      height: options.height ?? 720,
      framesPerSecondMax: options.framesPerSecondMax ?? 30,
      videoBitsPerSecond: this.#limits.videoBitsPerSecond,
      audioBitsPerSecond: this.#limits.audioBitsPerSecond,
      fragmentMs: this.#limits.fragmentMs,
      strategy: options.strategy ?? 'auto',
      videoSize: options.videoSize ?? 'fixed',
      audioTapHz: options.audioTap?.rateHz ?? null,
      participantAudio: options.participantAudio ?? false,
    };
    this.#pauses = new PauseSwitch({ deadlineMs: this.#limits.pauseDeadlineMs, clock: options.clock });
    this.#init = new InitOutlet(
      (bytes) => options.onInit(bytes),
      (error) =>
        options.logger.error(
          { err: error },
          'The beginning of the recording could not be stored; it is tried again with the next fragment.',
        ),
    );
    this.#outlet = new FragmentOutlet({
      waitingMax: this.#limits.fragmentsWaitingMax,
      deadlineMs: this.#limits.fragmentDeadlineMs,
      take: async (fragment) => {
        await this.#init.kept();
        await options.onFragment(fragment);
        this.#fragmentsKept += 1;
      },
      onLost: (lost) => this.#onLost(lost),
    });
    this.#assembler = new FragmentAssembler({
      withVideo: mode !== 'audio_only',
      width: this.#config.width,
      height: this.#config.height,
      fragmentMs: this.#limits.fragmentMs,
      onInit: (bytes) => this.#onInit(bytes),
      onFragment: (fragment) => this.#onFragment(fragment),
      awaitsFirstFrame: () => this.#degraded !== null,
      onFrameLost: () =>
        options.logger.error(
          { lastError: this.#stats?.lastError },
          'The video cannot be encoded; only audio is recorded.',
        ),
    });
  }

  async install(): Promise<void> {
    const page = this.#page;
    const script = (this.#script ??= captureScript());
    // Apart: a browser refuses to make the same binding twice.
    await Promise.all([
      this.#bound.take(page, () => page.exposeBinding(bindingName, async (text) => this.#take(text))),
      this.#scripted.take(page, () => page.addInitScript(script)),
    ]);
  }

  async release(): Promise<void> {
    this.#releaseCapture('capture_restarted');
    const abandoned = this.#page.evaluate('globalThis.rapporteurRecorder?.abandon()');
    // A page that does not respond is lost.
    await withDeadline(abandoned, this.#limits.pauseDeadlineMs, 'Letting go of the page').catch(() => undefined);
  }

  async moveTo(page: RecorderPage): Promise<void> {
    this.#releaseCapture('page_lost');
    this.#page = page;
    await this.install();
  }

  async start(): Promise<{ startedAtMs: number }> {
    if (this.#startedAtMs !== null && this.#broken === null) return { startedAtMs: this.#startedAtMs };
    this.#starting = this.#begin();
    try {
      await this.#starting;
    } finally {
      this.#starting = null;
    }
    return { startedAtMs: this.#startedAtMs ?? 0 };
  }

  async #begin(): Promise<void> {
    await this.install();
    this.#run += 1;
    this.#nextBatch = 0;
    this.#early = [];
    const start: CaptureStart = { config: this.#config, run: this.#run, continuation: this.#continuation() };
    const begun = await this.#sendRequest(
      `(async () => { if (!globalThis.rapporteurRecorder) { ${this.#script} }
        globalThis.rapporteurRecorder.abandon();
        return await globalThis.rapporteurRecorder.start(${JSON.stringify(start)}); })()`,
      'The meeting page did not start the recording',
      this.#limits.startDeadlineMs,
    );
    if (this.#stopping !== null) throw new Error('The recording had ended before its capture began.');
    const after = this.#broken;
    if (after !== null) this.#resumeAfter(numberAt(begun, 'beginsMs'), after);
    this.#startedAtMs ??= numberAt(begun, 'startedAtMs');
    this.#strategyRecord.thread = Reflect.get(Object(begun), 'thread') === 'page' ? 'page' : 'worker';
    this.#options.logger.info(
      { thread: this.#strategyRecord.thread, mode: this.#config.mode, run: this.#run },
      'Recording.',
    );
    const early = this.#early;
    this.#early = null;
    for (const batch of early) this.#add(batch);
  }

  /** Continues the recording at a media time after a capture that broke off. */
  #resumeAfter(beginsMs: number, after: CaptureBreak): void {
    this.#broken = null;
    this.#assembler.resume(beginsMs, after);
    if (beginsMs - this.#endMs >= 1 && this.#gaps.length < gapsKept)
      this.#gaps.push({ startMs: this.#endMs, endMs: beginsMs, reason: after });
  }

  /** Another engine of the same capture took the place of one that was lost. */
  #continueWithEngine({ atMs, thread }: NonNullable<ReadBatch['continued']>): void {
    this.#assembler.finish(null);
    this.#totals.close(this.#stats);
    this.#strategyRecord.thread = thread;
    this.#options.logger.warn(
      { thread, atMs },
      'The capture engine of the page was lost; another one continues the capture.',
    );
    this.#resumeAfter(atMs, 'capture_restarted');
  }

  #releaseCapture(after: CaptureBreak): void {
    this.#pauses.release();
    this.#run += 1;
    this.#isLate = false;
    this.#early = [];
    if (this.#startedAtMs === null) return;
    if (this.#broken === null) {
      this.#assembler.finish(null);
      this.#totals.close(this.#stats);
      this.#stats = null;
      this.#finalBatchMs = null;
    }
    if (this.#broken !== 'page_lost') this.#broken = after;
  }

  /** Null for a recording that begins. */
  #continuation(): Continuation | null {
    if (this.#startedAtMs === null) return null;
    const { pausedMs, openSinceMs: pausedSinceMs } = this.#pauses.list;
    return { startedAtMs: this.#startedAtMs, pausedMs, pausedSinceMs, recordedMs: this.#endMs };
  }

  async pause(): Promise<{ atMs: number }> {
    return await this.#switchTo('pause');
  }

  async resume(): Promise<{ atMs: number }> {
    return await this.#switchTo('resume');
  }

  /** @throws Error also when a capture takes too long to begin: it starts with the earlier pauses and no later one */
  async #switchTo(to: 'pause' | 'resume'): Promise<{ atMs: number }> {
    const { pauseDeadlineMs } = this.#limits;
    while (this.#starting !== null)
      await withDeadline(
        this.#starting.catch(() => undefined),
        pauseDeadlineMs,
        'Beginning to record',
      );
    return await this.#pauses.switchTo(to, this.#broken === null ? this.#page : null);
  }

  get startedAtMs(): number | null {
    return this.#startedAtMs;
  }

  get pauses(): readonly RecordingPause[] {
    return this.#pauses.all;
  }

  async stop(): Promise<RecordingSummary> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  health(): RecorderHealth {
    const { framesReceived, framesEncoded, framesDropped } = this.#totals.with(this.#stats);
    return {
      lastVideoChunkAtMs: this.#lastVideoChunkAtMs,
      lastAudioChunkAtMs: this.#lastAudioChunkAtMs,
      framesReceived,
      framesEncoded,
      framesDropped,
      fragmentsClosed: this.#fragmentsKept,
      fragmentsWaiting: this.#outlet.waiting,
      bytes: this.#bytes,
      audioLevel: audioLevelOf(this.#stats, this.#lastAudioChunkAtMs, this.#options.clock.now()),
      degraded: this.#degraded,
      isLate: this.#isLate,
      lastError: this.#stats?.lastError ?? null,
    };
  }

  async #stop(): Promise<RecordingSummary> {
    let endedCleanly = this.#startedAtMs !== null && this.#broken === null;
    if (endedCleanly) {
      try {
        await this.#sendRequest('globalThis.rapporteurRecorder.stop()', 'The meeting page did not end the recording');
      } catch (error) {
        endedCleanly = false;
        this.#options.logger.warn({ err: error }, 'The page no longer responds; the recording ends with what arrived.');
      }
    }
    // Later media of a page are discarded: the files are being built.
    this.#run += 1;
    this.#isLate = false;
    this.#assembler.finish(this.#finalBatchMs);
    await this.#outlet.drain(this.#limits.fragmentDeadlineMs);
    return this.#summary(endedCleanly && this.#finalBatchMs !== null);
  }

  #summary(endedCleanly: boolean): RecordingSummary {
    const { framesUnrecorded, ...counts } = this.#totals.with(this.#stats);
    return {
      ...counts,
      strategy: this.#strategyRecord.strategy,
      thread: this.#strategyRecord.thread,
      switches: this.#strategyRecord.switches,
      startedAtMs: this.#startedAtMs ?? this.#options.clock.now(),
      durationMs: this.#endMs,
      fragments: this.#fragments,
      bytes: this.#bytes,
      framesReceived: counts.framesReceived - framesUnrecorded,
      pauses: this.#pauses.all,
      gaps: this.#gaps,
      videoMissing: this.#missingVideo.spans,
      degradations: this.#degradations.spans,
      audioImpaired: this.#audioImpaired.spans,
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
    if (batch.run !== this.#run || (this.#stopping && this.#finalBatchMs !== null)) return;
    if (this.#early === null) this.#add(batch);
    else if (this.#early.length < earlyBatchesMax) this.#early.push(batch);
  }

  #add(batch: ReadBatch): void {
    if (batch.sequence !== this.#nextBatch) {
      this.#options.logger.warn(
        { got: batch.sequence, wanted: this.#nextBatch },
        'Batches of the recording are missing or doubled.',
      );
      if (batch.sequence < this.#nextBatch) return;
    }
    this.#nextBatch = batch.sequence + 1;
    if (batch.continued) this.#continueWithEngine(batch.continued);
    this.#stats = batch.stats;
    this.#strategyRecord.add(batch.switches);
    this.#missingVideo.add(batch.videoMissing);
    this.#audioImpaired.add(batch.audioImpaired);
    this.#degradations.add(batch.degradations);
    this.#noteDegradation(batch.stats.degraded);
    this.#isLate = batch.isLate;
    this.#finalBatchMs = batch.endMs;
    if (batch.opusHead) this.#assembler.describe({ opusHead: batch.opusHead });
    for (const chunk of batch.chunks) {
      if (chunk.avcC) this.#assembler.describe({ avcC: chunk.avcC });
      if (chunk.kind === 'video') {
        this.#lastVideoChunkAtMs = this.#options.clock.now();
        this.#assembler.addVideo(chunk);
      } else {
        this.#lastAudioChunkAtMs = this.#options.clock.now();
        this.#assembler.addAudio(chunk);
      }
    }
    for (const packet of batch.participantPackets) this.#assembler.addParticipantPacket(packet);
    if (batch.pausedMs !== null) this.#assembler.cut(batch.pausedMs);
    this.#handOut(batch.tapped);
  }

  #noteDegradation(step: DegradationStep | null): void {
    if (step === this.#degraded) return;
    this.#degraded = step;
    if (step === null) this.#options.logger.info({}, 'The recording has its full quality again.');
    else this.#options.logger.warn({ step }, 'The bot has less CPU than it needs; the recording drops video.');
    this.#options.onDegraded?.(step);
  }

  #onInit(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    this.#init.put(bytes);
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

  async #sendRequest(expression: string, failure: string, deadlineMs = this.#limits.pageDeadlineMs): Promise<unknown> {
    return await withDeadline(this.#page.evaluate(expression), deadlineMs, failure);
  }
}

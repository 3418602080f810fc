import type {
  AudioImpairment,
  DegradationStep,
  GapReason,
  VideoStrategyName,
  CaptureStrategy,
  AudioStrategyName,
  StrategyReason,
} from '@rapporteur/contracts';
import type { RecordingFragment } from '@rapporteur/media-container';
import type { MissingVideo, ReasonSpan } from '@rapporteur/page-capture';
import type { CaptureCounts } from './capture/capture-totals.ts';

/** The page to record; the runner adapts its browser's page to this. */
export interface RecorderPage {
  /** Runs the text in every document the page opens from now on. */
  addInitScript(source: string): Promise<void>;
  /** Creates a function of this name in the page; it calls `receive` and resolves when that does. */
  exposeBinding(name: string, receive: (text: string) => Promise<void>): Promise<void>;
  /** Evaluates in the page's main frame; waits for a promise. */
  evaluate(expression: string): Promise<unknown>;
}

export interface RecorderLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export type RecordingMode = 'speaker_view' | 'gallery_view' | 'audio_only';

export interface RecorderOptions {
  readonly page: RecorderPage;
  readonly mode: RecordingMode;
  /** The size of the recording; even numbers. Default: 1280 and 720. */
  readonly width?: number;
  readonly height?: number;
  /** Frames above this rate are left out. Default: 30. */
  readonly framesPerSecondMax?: number;
  /** Called before the first fragment with the init segment, and again before the next one while it fails. */
  onInit(bytes: Uint8Array): void | Promise<void>;
  /** Stores one fragment. Called one after the other; the capture continues meanwhile. */
  onFragment(fragment: RecordingFragment): Promise<void>;
  /**
   * How the video is captured; `auto`, or omitted: the cheapest strategy that works on this page. A strategy that fails
   * is left nevertheless, and the record states it.
   */
  readonly strategy?: CaptureStrategySetting;
  /**
   * `fixed`, or omitted: every frame of the recording has its size. `received`: frames keep their received size, up to
   * the recording's, so that nothing is scaled up.
   */
  readonly videoSize?: VideoSizing;
  /** Called with the strategy of the video from now on. Must be quick. The strategy `tab` needs a painted page. */
  onStrategy?(strategy: CaptureStrategy): void;
  /** Called with what is given up for want of CPU from now on; null: nothing. Must be quick. */
  onDegraded?(step: DegradationStep | null): void;
  /** Also stores each participant's audio separately, on pages whose tracks have owners. */
  readonly participantAudio?: boolean;
  /** Receives the recording's mix, in addition to the recording. */
  readonly audioTap?: RecorderAudioTap;
  readonly logger: RecorderLogger;
  /** Epoch ms. */
  readonly clock: { now(): number };
  readonly limits?: Partial<RecorderLimits>;
}

export interface RecorderAudioTap {
  /** 16000, 24000, 32000 or 48000. */
  readonly rateHz: number;
  /**
   * 100 ms of the mix, silent ones too, 16 bit little-endian mono; contiguous, except for pauses, lost pages, and
   * blocks dropped because the recording itself was late. Must be quick and must not throw.
   * @param startMs epoch ms of the first sample
   */
  onAudio(pcm: Buffer, startMs: number): void;
}

export interface RecorderLimits {
  /** Longest fragment. */
  readonly fragmentMs: number;
  /** Maximum number of fragments waiting for `onFragment`; further ones are lost and become a reported gap. */
  readonly fragmentsWaitingMax: number;
  /** Time limit of `onFragment`. */
  readonly fragmentDeadlineMs: number;
  /** Time limit of the page for start: a machine under load takes its time. */
  readonly startDeadlineMs: number;
  /** Time limit of the page for stop. */
  readonly pageDeadlineMs: number;
  /** Time limit of the page for pause or resume. */
  readonly pauseDeadlineMs: number;
  readonly videoBitsPerSecond: number;
  readonly audioBitsPerSecond: number;
}

export const defaultLimits: RecorderLimits = {
  fragmentMs: 2_000,
  fragmentsWaitingMax: 16,
  fragmentDeadlineMs: 20_000,
  startDeadlineMs: 30_000,
  pageDeadlineMs: 10_000,
  pauseDeadlineMs: 4_000,
  videoBitsPerSecond: 1_200_000,
  audioBitsPerSecond: 64_000,
};

/** A span of media time that the recording lacks, and the reason. */
export interface RecordingGap {
  readonly startMs: number;
  readonly endMs: number;
  readonly reason: GapReason;
}

/** A pause, in epoch ms; `endMs` is null when the recording stopped in it. */
export interface RecordingPause {
  readonly startMs: number;
  readonly endMs: number | null;
}

export interface RecorderHealth {
  /** Epoch ms; null before the first. */
  readonly lastVideoChunkAtMs: number | null;
  readonly lastAudioChunkAtMs: number | null;
  /** Frames of the shown tracks that arrived, and those of them in the recording. */
  readonly framesReceived: number;
  readonly framesEncoded: number;
  readonly framesDropped: number;
  /** Closed, and stored by `onFragment`. */
  readonly fragmentsClosed: number;
  readonly fragmentsWaiting: number;
  readonly bytes: number;
  readonly audioLevel: AudioLevel;
  /** What the recording gives up for lack of CPU; null: nothing. */
  readonly degraded: DegradationStep | null;
  /** The bot has less CPU than it needs, or soon will: timers are late, or something is given up. */
  readonly isLate: boolean;
  /** The page's last error message. */
  readonly lastError: string | null;
}

export interface AudioLevel {
  /** The peak of the mix over the last second, 0..1. */
  readonly peak: number;
  readonly rms: number;
  /** Live tracks that are mixed now. */
  readonly tracks: number;
  /** When any track last gave data (silent or not); null until the first. Epoch ms. */
  readonly lastDataAtMs: number | null;
  /**
   * True when a silent mix means a silent meeting: the mix arrives, and the tracks deliver data. False when the audio
   * capture itself has stalled.
   */
  readonly captureAlive: boolean;
}

/** With the page's counters, as in `CaptureStats`. */
export interface RecordingSummary extends Omit<CaptureCounts, 'framesUnrecorded'> {
  /** The last strategy of the video. */
  readonly strategy: CaptureStrategy;
  /** The last thread of the engine. */
  readonly thread: 'worker' | 'page';
  /** Every selection and switch of a strategy, in order. */
  readonly switches: readonly StrategySwitch[];
  readonly startedAtMs: number;
  /** Media time. */
  readonly durationMs: number;
  readonly fragments: number;
  readonly bytes: number;
  readonly pauses: readonly RecordingPause[];
  readonly gaps: readonly RecordingGap[];
  /** Spans of media time in which the page showed a video that is not recorded, in order. */
  readonly videoMissing: readonly MissingVideo[];
  /** What was given up for want of CPU, and spans in which the page's audio was impaired, likewise. */
  readonly degradations: readonly ReasonSpan<DegradationStep>[];
  readonly audioImpaired: readonly ReasonSpan<AudioImpairment>[];
  /** False when the page no longer responded and the end is missing. */
  readonly endedCleanly: boolean;
}

export const videoSizings = ['fixed', 'received'] as const;
export type VideoSizing = (typeof videoSizings)[number];

export const captureStrategySettings = ['auto', 'tracks', 'tab'] as const;
export type CaptureStrategySetting = (typeof captureStrategySettings)[number];

/** A strategy was chosen, or left for another. */
export interface StrategySwitch {
  /** Media time. */
  readonly atMs: number;
  readonly media: 'video' | 'audio';
  /** Null where nothing was taken before. */
  readonly from: VideoStrategyName | AudioStrategyName | null;
  readonly to: VideoStrategyName | AudioStrategyName;
  readonly reason: StrategyReason;
}

export interface Recorder {
  /** Before the page opens the meeting. */
  install(): Promise<void>;
  /**
   * Begins, or continues after `moveTo` and `release`: the media time continues, and the missed part is a reported gap.
   * @returns the recording's time zero on the page's clock, epoch ms
   */
  start(): Promise<{ startedAtMs: number }>;
  /**
   * Gives up a lost page or a stalled capture: received media are closed and handed over, the rest is discarded. An
   * open pause continues. `start` begins anew in the same page.
   */
  release(): Promise<void>;
  /** Calls `release`, and installs in another page that has not opened the meeting yet. `start` continues there. */
  moveTo(page: RecorderPage): Promise<void>;
  /**
   * Pauses until `resume`; earlier media are closed and handed over meanwhile. A page that pauses after the deadline is
   * resumed, so that a failed pause has no effect.
   * @returns the beginning of the pause, epoch ms
   */
  pause(): Promise<{ atMs: number }>;
  resume(): Promise<{ atMs: number }>;
  /** Media time zero on the page's clock, epoch ms; null before the first start. */
  readonly startedAtMs: number | null;
  /** Every pause so far; the last one is open while the recording is paused. */
  readonly pauses: readonly RecordingPause[];
  /** Safe to call twice and after a crash of the page: received media are closed and handed over. */
  stop(): Promise<RecordingSummary>;
  health(): RecorderHealth;
}

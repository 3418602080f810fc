import type {
  AudioImpairment,
  AudioStrategyName,
  DegradationStep,
  MissingVideoReason,
  StrategyReason,
  VideoStrategyName,
} from '@rapporteur/contracts';
import type { GalleryView } from './mixer/gallery-seats.page.ts';

/** Messages between the parts of the capture: page script, capture engine (in a worker or not) and recorder. */

export interface CaptureConfig {
  readonly mode: 'speaker_view' | 'gallery_view' | 'audio_only';
  readonly width: number;
  readonly height: number;
  readonly framesPerSecondMax: number;
  readonly videoBitsPerSecond: number;
  readonly audioBitsPerSecond: number;
  /** The longest a fragment may get; key frames are requested in time. */
  readonly fragmentMs: number;
  /** The strategy to begin with, where a deployment pins one. */
  readonly strategy: VideoStrategyName | 'auto';
  /** One size for the whole recording, or that of what is received, up to this one. */
  readonly videoSize: 'fixed' | 'received';
  /** Samples per second at which the mix is handed out beside the recording; null: it is not. */
  readonly audioTapHz: number | null;
  /** Where tracks have owners, each participant's audio is recorded separately too. */
  readonly participantAudio: boolean;
}

/** A strategy was chosen, or left for another. */
export interface EngineSwitch {
  readonly media: 'video' | 'audio';
  /** Null at the beginning. */
  readonly from: VideoStrategyName | AudioStrategyName | null;
  readonly to: VideoStrategyName | AudioStrategyName;
  readonly reason: StrategyReason;
}

/** A span of media time with something that the recording lacks. */
export interface ReasonSpan<Reason> {
  readonly startMs: number;
  readonly endMs: number;
  readonly reason: Reason;
}

/** What the page plays from this time on (epoch ms): impaired, or not (null). */
export interface PlayedAudio {
  readonly sinceMs: number;
  readonly impairment: AudioImpairment | null;
}

/** The page shows a video that is not recorded. */
export type MissingVideo = ReasonSpan<MissingVideoReason>;

/** State of a recording that began before this capture. Times are epoch milliseconds. */
export interface Continuation {
  /** Media time zero. */
  readonly startedAtMs: number;
  /** Length of the closed pauses. */
  readonly pausedMs: number;
  /** Since when it is paused; null while it is not. */
  readonly pausedSinceMs: number | null;
  /** Media time that is recorded already. */
  readonly recordedMs: number;
}

export interface CaptureStart {
  readonly config: CaptureConfig;
  /** Part of every batch: separates this capture's batches from those of an earlier one in transit. */
  readonly run: number;
  /** Null for a recording that begins. */
  readonly continuation: Continuation | null;
}

/** From the page script to the engine. Times are epoch milliseconds on the page's clock. */
export type EngineCommand =
  | {
      readonly kind: 'start';
      readonly start: CaptureStart;
      readonly beginsAtMs: number;
      /** Number of its first batch. */
      readonly sequence: number;
      /** Set when it replaces a lost engine: the thread it runs in. */
      readonly continuesIn: 'worker' | 'page' | null;
    }
  /**
   * Switches the strategy; its frames or audio come with their own commands. From a strategy to the same one: restores
   * the state of an engine that replaces a lost one.
   */
  | { readonly kind: 'switch'; readonly strategySwitch: EngineSwitch }
  /** Why the page's video is not recorded although frames of it may arrive, or none is offered; null: it is. */
  | { readonly kind: 'video-missing'; readonly reason: MissingVideoReason | null }
  /** To a worker, first: the page's time, and the latest that the worker's `performance.now()` was zero in it. */
  | { readonly kind: 'time'; readonly nowMs: number; readonly latestOriginMs: number }
  /** To a worker: holds this lock while it lives. */
  | { readonly kind: 'hold'; readonly lock: string }
  | { readonly kind: 'audio'; readonly id: string; readonly frames: ReadableStream<AudioData> }
  | { readonly kind: 'audio-gone'; readonly id: string }
  | ({ readonly kind: 'audio-owners' } & AudioOwnersNews)
  | { readonly kind: 'video'; readonly frames: ReadableStream<VideoFrame> | null }
  /** gallery_view: the participants in the video from now on. */
  | { readonly kind: 'tiles'; readonly view: GalleryView }
  /** The frames of one of them; null: none. */
  | { readonly kind: 'tile-video'; readonly id: string; readonly frames: ReadableStream<VideoFrame> | null }
  /** Responded with `paused` and `resumed`, which have the time: only the engine has it. */
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'stop'; readonly atMs: number }
  /** An error outside the engine; it is reported with the stats. */
  | { readonly kind: 'note'; readonly error: string }
  /** How late the page's timers are, and what it plays. */
  | { readonly kind: 'page-load'; readonly lateMs: number; readonly played: PlayedAudio }
  /** The recorder has received so many characters of batches. */
  | { readonly kind: 'taken'; readonly characters: number };

/** Owners of the audio tracks, by the ids of their commands. */
export interface AudioOwnersNews {
  /** Time up to which the owners are known. */
  readonly knownUntilMs: number;
  readonly changes: readonly {
    readonly id: string;
    readonly sinceMs: number;
    readonly owner: AudioOwner | 'several' | null;
  }[];
}

export interface AudioOwner {
  readonly participantId: string;
  readonly participantName: string | null;
}

/** From the engine to the page script. */
export type EngineEvent =
  /** A worker is ready. `ownMs`: its `performance.now()`. */
  | { readonly kind: 'ready'; readonly ownMs: number }
  | { readonly kind: 'held' }
  | { readonly kind: 'batch'; readonly text: string; readonly signs: EngineSigns }
  | { readonly kind: 'signs'; readonly signs: EngineSigns }
  /** The shown video track gave its last frame. */
  | { readonly kind: 'video-ended' }
  /** The same for a seat of the gallery. */
  | { readonly kind: 'tile-video-ended'; readonly id: string }
  | { readonly kind: 'paused' | 'resumed'; readonly atMs: number }
  | { readonly kind: 'stopped' };

/** The engine's own measurements of the strategies. Times are epoch milliseconds on the page's clock. */
export interface EngineSigns {
  /** Media time up to which the audio is recorded. */
  readonly reachedMs: number;
  /** The number of the next batch. */
  readonly nextSequence: number;
  /** Time of the last shown frame, or since when the video is shown. */
  readonly shownFrameAtMs: number | null;
  /** Frames of the shown video that arrived. */
  readonly shownFrames: number;
  /** Since when every sampled frame is black; null while they are not. */
  readonly blackSinceMs: number | null;
  /** When the mix was last more than silence. */
  readonly loudAtMs: number | null;
  /** What is given up for want of CPU; null: nothing. */
  readonly degraded: DegradationStep | null;
}

/**
 * `[one of chunkKinds, media time in µs, duration in µs, key frame 0 | 1, bytes]`; the bytes are in `data`. Audio of
 * one participant has its index in the batch's `participants` in place of the key frame flag.
 */
export type ChunkHeader = readonly [kind: number, timeUs: number, durationUs: number, key: number, byteLength: number];

export interface CaptureStats {
  readonly framesReceived: number;
  readonly framesEncoded: number;
  /** Repeated still frames and black frames, encoded while no new frame arrives. */
  readonly framesRepeated: number;
  /** Not encoded because they exceeded the configured rate. */
  readonly framesSkippedByRateLimit: number;
  /** Shown in a pause. */
  readonly framesUnrecorded: number;
  /** Lost: the encoder or the output was too slow. */
  readonly framesDropped: number;
  readonly videoSwitches: number;
  readonly encoderRestarts: number;
  readonly audioTracks: number;
  /** Epoch ms; null until audio data arrived from any track. */
  readonly lastAudioDataAtMs: number | null;
  /** Times a track's audio was not contiguous. */
  readonly audioDiscontinuities: number;
  /** Audible audio that arrived too late to be mixed. */
  readonly lateAudioMs: number;
  /** The peak of the mix over the last second, 0..1. */
  readonly audioPeak: number;
  readonly audioRms: number;
  /** Number of reported owners. */
  readonly audioOwnersReported: number;
  /** Audio of tracks with more than one participant, and of tracks without a reported owner. */
  readonly audioSharedMs: number;
  readonly audioUnownedMs: number;
  /** What is given up for want of CPU; null: nothing. */
  readonly degraded: DegradationStep | null;
  readonly lastError: string | null;
}

export interface TappedAudio {
  /** Epoch ms of the first sample, and 100 ms of 16 bit little-endian mono in base64. */
  readonly blocks: readonly (readonly [startMs: number, data: string])[];
  /** Blocks dropped so far because the recording itself was late. */
  readonly dropped: number;
}

/** One call of the binding, as JSON. */
export interface CaptureBatch {
  readonly run: number;
  /** From 0 in each run, without gaps. */
  readonly sequence: number;
  /**
   * avcC records, in base64, each with the number of preceding chunks of this batch: the following chunks, in this
   * batch and the next, are decoded with it.
   */
  readonly videoDescriptions?: readonly (readonly [beforeChunk: number, description: string])[];
  /** OpusHead, in base64, once it is known. */
  readonly audioDescription?: string;
  readonly chunks: readonly ChunkHeader[];
  /** The owners of the audio among the chunks. */
  readonly participants?: readonly AudioOwner[];
  /** Strategies that took over since the batch before, with their media times. */
  readonly switches?: readonly (EngineSwitch & { readonly atMs: number })[];
  /** Spans since the batch before. One that lasts comes again with a later end, with the same start. */
  readonly videoMissing?: readonly MissingVideo[];
  readonly degradations?: readonly ReasonSpan<DegradationStep>[];
  readonly audioImpaired?: readonly ReasonSpan<AudioImpairment>[];
  /** Present while timers are late, or something is given up for want of CPU. */
  readonly late?: true;
  /** In the first batch of an engine that replaces a lost one: the media time of the continuation, and its thread. */
  readonly continued?: { readonly atMs: number; readonly thread: 'worker' | 'page' };
  /** The chunks' bytes one after the other, base64. */
  readonly data: string;
  readonly stats: CaptureStats;
  /** Whole blocks of the mix, when it is tapped. */
  readonly tapped?: TappedAudio;
  /** Media time of the pause; everything before it is in this batch or an earlier one. */
  readonly pausedMs?: number;
  /** Media time reached, in the last batch only. */
  readonly endMs?: number;
}

/** The interface of the page script for the recorder, at `globalThis.rapporteurRecorder`. */
export interface PageRecorder {
  /** `startedAtMs`: of media time zero; `beginsMs`: the media time from which on this capture records. */
  start(start: CaptureStart): Promise<{ startedAtMs: number; beginsMs: number; thread: 'worker' | 'page' }>;
  pause(): Promise<{ atMs: number }>;
  resume(): Promise<{ atMs: number }>;
  /** Resolves when the last batch has been handed over. */
  stop(): Promise<{ atMs: number }>;
  /** Stops at once and discards pending data. The page can be recorded again afterwards. */
  abandon(): void;
}

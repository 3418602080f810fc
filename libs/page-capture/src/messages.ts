import type { VideoStrategyName, AudioStrategyName, StrategyReason } from '@rapporteur/contracts';
import type { GalleryView } from './mixer/gallery-seats.page.ts';

/** What the parts of the capture say to each other: page script, capture engine (in a worker or not) and recorder. */

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
  /** Where tracks are people's, each participant's audio is kept apart too. */
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

/** Where a recording stands that began before this capture. Times are epoch milliseconds. */
export interface Continuation {
  /** Media time zero. */
  readonly startedAtMs: number;
  /** What the pauses that are over took. */
  readonly pausedMs: number;
  /** Since when it is paused; null while it is not. */
  readonly pausedSinceMs: number | null;
  /** Media time that is recorded already. */
  readonly recordedMs: number;
}

export interface CaptureStart {
  readonly config: CaptureConfig;
  /** Stands in every batch, so that what an earlier capture still had in transit is told from this one's. */
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
      /** Of its first batch. */
      readonly sequence: number;
      /** Where it takes the place of a lost engine: which thread it works in. */
      readonly goesOnIn: 'worker' | 'page' | null;
    }
  /**
   * Another way from now on; its frames or audio come with the commands for them. From a strategy to the same one: an engine
   * that takes the place of a lost one is told where things stand.
   */
  | { readonly kind: 'switch'; readonly strategySwitch: EngineSwitch }
  /** To a worker: it holds this lock as long as it lives. */
  | { readonly kind: 'hold'; readonly lock: string }
  | { readonly kind: 'audio'; readonly id: string; readonly frames: ReadableStream<AudioData> }
  | { readonly kind: 'audio-gone'; readonly id: string }
  | ({ readonly kind: 'audio-owners' } & AudioOwnersNews)
  | { readonly kind: 'video'; readonly frames: ReadableStream<VideoFrame> | null }
  /** gallery_view: who is in the video from now on. */
  | { readonly kind: 'tiles'; readonly view: GalleryView }
  /** The frames of one of them; null: none come. */
  | { readonly kind: 'tile-video'; readonly id: string; readonly frames: ReadableStream<VideoFrame> | null }
  /** Responded with `paused` and `resumed`: the engine itself says when, as only it knows what it has taken already. */
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'stop'; readonly atMs: number }
  /** Something outside the engine went wrong; it is told with the figures. */
  | { readonly kind: 'note'; readonly error: string }
  /** The recorder has taken so many characters of batches. */
  | { readonly kind: 'taken'; readonly characters: number };

/** Whose the audio are, by the names that their commands gave them. */
export interface AudioOwnersNews {
  /** So far it is known. */
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
  | { readonly kind: 'ready' }
  | { readonly kind: 'held' }
  | { readonly kind: 'batch'; readonly text: string; readonly signs: EngineSigns }
  | { readonly kind: 'signs'; readonly signs: EngineSigns }
  /** The shown video track gave its last frame. */
  | { readonly kind: 'video-ended' }
  /** So did that of a seat of the gallery. */
  | { readonly kind: 'tile-video-ended'; readonly id: string }
  | { readonly kind: 'paused' | 'resumed'; readonly atMs: number }
  | { readonly kind: 'stopped' };

/** What the engine alone can know of how the strategies do. Times are epoch milliseconds on the page's clock. */
export interface EngineSigns {
  /** Media time up to which the audio is recorded. */
  readonly reachedMs: number;
  /** The number of the next batch. */
  readonly nextSequence: number;
  /** Of what is shown: its last frame, or since when it is shown. */
  readonly shownFrameAtMs: number | null;
  /** Frames of what is shown now that arrived. */
  readonly shownFrames: number;
  /** Since when every frame that was looked at is black; null while they are not. */
  readonly blackSinceMs: number | null;
  /** When the mix was last more than silence. */
  readonly loudAtMs: number | null;
}

/**
 * `[one of chunkKinds, media time in µs, duration in µs, key frame 0 | 1, bytes]`; the bytes stand in `data`. Audio of one
 * participant has its place among the batch's `participants` where others say whether they are a key frame.
 */
export type ChunkHeader = readonly [kind: number, timeUs: number, durationUs: number, key: number, byteLength: number];

export interface CaptureStats {
  readonly framesReceived: number;
  readonly framesEncoded: number;
  /** Still frames repeated, and black ones, so that the recording goes on while nothing new is shown. */
  readonly framesRepeated: number;
  /** Not encoded because they came faster than the wanted rate. */
  readonly framesSkippedByRateLimit: number;
  /** Shown in a pause. */
  readonly framesUnrecorded: number;
  /** Lost: the encoder or the output was too slow. */
  readonly framesDropped: number;
  readonly videoSwitches: number;
  /** Epoch ms of the last frame of what is shown, or since when it is; null while nothing is shown. */
  readonly shownFrameAtMs: number | null;
  readonly encoderRestarts: number;
  readonly audioTracks: number;
  /** Epoch ms; null until audio data came from any track. */
  readonly lastAudioDataAtMs: number | null;
  /** Times a track's audio did not follow on from what came before it. */
  readonly audioDiscontinuities: number;
  /** Audio that came too late to be mixed. */
  readonly lateAudioMs: number;
  /** Of the mix over the last second, 0..1. */
  readonly audioPeak: number;
  readonly audioRms: number;
  /** Times it was told whose audio is. */
  readonly audioOwnersReported: number;
  /** Audio of tracks with more than one participant in them, and of tracks of which nobody said whose they are. */
  readonly audioSharedMs: number;
  readonly audioUnownedMs: number;
  readonly lastError: string | null;
}

export interface TappedAudio {
  /** Epoch ms of the first sample, and 100 ms of 16 bit little-endian mono in base64. */
  readonly blocks: readonly (readonly [startMs: number, data: string])[];
  /** Blocks given up so far because the recording itself was late. */
  readonly dropped: number;
}

/** One call of the binding, as JSON. */
export interface CaptureBatch {
  readonly run: number;
  /** From 0 in each run, without gaps. */
  readonly sequence: number;
  /**
   * avcC records, in base64, each with the number of chunks of this batch that stand before it: what comes after, in this
   * batch and the next, is decoded with it.
   */
  readonly videoDescriptions?: readonly (readonly [beforeChunk: number, description: string])[];
  /** OpusHead, in base64, once it is known. */
  readonly audioDescription?: string;
  readonly chunks: readonly ChunkHeader[];
  /** Whose audio is among the chunks. */
  readonly participants?: readonly AudioOwner[];
  /** Strategies that were taken since the batch before, with their media times. */
  readonly switches?: readonly (EngineSwitch & { readonly atMs: number })[];
  /** In the first batch of an engine that takes the place of a lost one: the media time at which it goes on, and where. */
  readonly goesOn?: { readonly atMs: number; readonly thread: 'worker' | 'page' };
  /** The chunks' bytes one after the other, base64. */
  readonly data: string;
  readonly stats: CaptureStats;
  /** Whole blocks of the mix, when it is tapped. */
  readonly tapped?: TappedAudio;
  /** Media time at which the recording stands still; everything before it is in this batch and those before. */
  readonly pausedMs?: number;
  /** Media time reached, in the last batch only. */
  readonly endMs?: number;
}

/** What the page script offers the recorder at `globalThis.rapporteurRecorder`. */
export interface PageRecorder {
  /** `startedAtMs`: of media time zero; `beginsMs`: the media time from which on this capture records. */
  start(start: CaptureStart): Promise<{ startedAtMs: number; beginsMs: number; thread: 'worker' | 'page' }>;
  pause(): Promise<{ atMs: number }>;
  resume(): Promise<{ atMs: number }>;
  /** Resolves when the last batch has been handed over. */
  stop(): Promise<{ atMs: number }>;
  /** Lets go of everything at once, whatever still was to come. The page can be recorded anew afterwards. */
  abandon(): void;
}

/** What the parts of the capture say to each other: page script, capture engine (in a worker or not) and recorder. */

export interface CaptureConfig {
  readonly mode: 'speaker_view' | 'audio_only';
  readonly width: number;
  readonly height: number;
  readonly framesPerSecondMax: number;
  readonly videoBitsPerSecond: number;
  readonly audioBitsPerSecond: number;
  /** The longest a fragment may get; key frames are asked for in time. */
  readonly fragmentMs: number;
  /** Samples per second at which the mix is handed out beside the recording; null: it is not. */
  readonly soundTapHz: number | null;
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
  /** Stands in every batch, so that what an earlier capture still had on the way is told from this one's. */
  readonly run: number;
  /** Null for a recording that begins. */
  readonly continuation: Continuation | null;
}

/** From the page script to the engine. Times are epoch milliseconds on the page's clock. */
export type EngineCommand =
  | { readonly kind: 'start'; readonly start: CaptureStart; readonly beginsAtMs: number }
  | { readonly kind: 'sound'; readonly id: string; readonly frames: ReadableStream<AudioData> }
  | { readonly kind: 'sound-gone'; readonly id: string }
  | { readonly kind: 'picture'; readonly frames: ReadableStream<VideoFrame> | null }
  /** Answered with `paused` and `resumed`: the engine itself says when, as only it knows what it has taken already. */
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'stop'; readonly atMs: number }
  /** Something outside the engine went wrong; it is told with the figures. */
  | { readonly kind: 'note'; readonly error: string }
  /** The recorder has taken so many characters of batches. */
  | { readonly kind: 'taken'; readonly characters: number };

/** From the engine to the page script. */
export type EngineEvent =
  | { readonly kind: 'ready' }
  | { readonly kind: 'batch'; readonly text: string }
  /** The shown picture's track gave its last frame. */
  | { readonly kind: 'picture-ended' }
  | { readonly kind: 'paused' | 'resumed'; readonly atMs: number }
  | { readonly kind: 'stopped' };

/** `[0 video | 1 audio, media time in µs, duration in µs, key frame 0 | 1, bytes]`; the bytes stand in `data`. */
export type ChunkHeader = readonly [kind: number, timeUs: number, durationUs: number, key: number, byteLength: number];

export interface CaptureStats {
  readonly framesReceived: number;
  readonly framesEncoded: number;
  /** Still pictures repeated, and black ones, so that the recording goes on while nothing new is shown. */
  readonly framesRepeated: number;
  /** Not encoded because they came faster than the wanted rate. */
  readonly framesOverRate: number;
  /** Shown in a pause. */
  readonly framesUnrecorded: number;
  /** Lost: the encoder or the way out was too slow. */
  readonly framesDropped: number;
  readonly pictureSwitches: number;
  /** Epoch ms of the last frame of what is shown, or since when it is; null while nothing is shown. */
  readonly shownFrameAtMs: number | null;
  readonly encoderRestarts: number;
  readonly soundTracks: number;
  /** Epoch ms; null until sound data came from any track. */
  readonly lastSoundDataAtMs: number | null;
  /** Times a track's sound did not follow on from what came before it. */
  readonly soundJumps: number;
  /** Sound that came too late to be mixed. */
  readonly soundLateMs: number;
  /** Of the mix over the last second, 0..1. */
  readonly soundPeak: number;
  readonly soundRms: number;
  readonly lastError: string | null;
}

export interface TappedSound {
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
  /** The chunks' bytes one after the other, base64. */
  readonly data: string;
  readonly stats: CaptureStats;
  /** Whole blocks of the mix, when it is tapped. */
  readonly tapped?: TappedSound;
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

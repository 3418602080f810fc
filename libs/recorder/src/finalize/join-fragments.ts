import { readFile } from 'node:fs/promises';
import type { CaptureBreak } from '@rapporteur/contracts';
import type { TrackRun, FrameDescription } from '@rapporteur/media-container';
import {
  fromFirstKey,
  canFollow,
  readAvcC,
  readOpus,
  readFrame,
  sameBytes,
  frameSamples,
  samplesAt,
  audioRate,
  startMsOf,
} from '@rapporteur/media-container';
import { readFragmentFile } from '../fragments/fragment-file.ts';
import type { FragmentFile } from '../fragments/fragment-file.ts';
import type { RecordingGap, RecordingPause } from '../recorder-ports.ts';

/** The recording of one runner, complete or not. */
export interface RecordingAttempt {
  /** Path of the init segment. */
  readonly init: string;
  /** In any order. A missing sequence number is a lost fragment. */
  readonly fragments: readonly StoredFragment[];
  /** Epoch ms of the attempt's media time zero. */
  readonly startedAtMs: number;
  /** Epoch ms; only those of this attempt. */
  readonly pauses?: readonly RecordingPause[];
  /** The path of its encoded audio by fragment, which a later run reuses. */
  readonly audioFragmentPath?: (index: number) => string;
}

export interface StoredFragment {
  readonly path: string;
  readonly sequence: number;
  /** Media time of the attempt. */
  readonly startMs: number;
  readonly endMs: number;
  /** The cause of the gap before it, where its runner reported one. */
  readonly gapBefore?: CaptureBreak | null;
}

export interface JoinedRecording {
  readonly durationMs: number;
  readonly fragments: number;
  readonly bytes: number;
  readonly videoSamples: number;
  readonly audioSamples: number;
  readonly gaps: readonly RecordingGap[];
  readonly missing: readonly { readonly attempt: number; readonly sequences: readonly number[] }[];
  /** First sample of the audio minus that of the video, in ms; null without both. */
  readonly startOffsetMs: number | null;
  /** The offset of the last attempt's media time zero. */
  readonly lastOffsetMs: number;
}

/** An attempt that can be part of the recording. */
export interface JoinedAttempt {
  /** Where it begins, in frames of the recording's audio. */
  readonly offsetFrame: number;
  /** Samples that its audio decoder gives before the first real one. */
  readonly preSkip: number;
  /** The decoder configuration of its frames, where it differs from the recording's init segment. */
  readonly otherAvcC: Uint8Array | null;
  readonly audioFragmentPath?: (index: number) => string;
}

/** Receives the joined fragments, in order. */
export interface JoinSink {
  beginAttempt(attempt: JoinedAttempt): Promise<void>;
  addFragment(file: FragmentFile, endMs: number): Promise<void>;
}

/** Every fragment was read, and none can be part of a recording: a retry cannot succeed. */
export class NothingToFinish extends Error {
  override readonly name = 'NothingToFinish';
}

/** Media times closer than this are equal. */
export const touchMs = 50;
const frameMs = (frameSamples * 1_000) / audioRate;

/** The recording's init segment: the first one with a frame, because media without one fits it too. */
export function firstInit(inits: readonly (Buffer | null)[]): Buffer | null {
  const known = inits.filter((init) => init !== null);
  return known.find((init) => readAvcC(init) !== null) ?? known[0] ?? null;
}

/** @throws Error when it is damaged */
export function frameOf(init: Buffer | null): FrameDescription | null {
  return init === null ? null : readFrame(init);
}

/**
 * Joins the fragments of all attempts by their times. Decodes nothing; only the fragments' own indexes are read. A
 * missing, cut or damaged fragment leaves a gap. Attempts begin on a frame of the audio, so that encoded frames fit the
 * whole recording: this moves an attempt by 11 ms at most, video and audio together.
 */
export class FragmentJoin {
  readonly #sink: JoinSink;
  readonly #init: Buffer | null;
  readonly #gaps: RecordingGap[] = [];
  readonly #missing: { attempt: number; sequences: number[] }[] = [];
  #otherAvcC: Uint8Array | null = null;
  /** The reference frames are missing: no frame is taken before the next key frame. */
  #awaitsKey = true;
  #attempt: { readonly offsetMs: number; readonly index: number } | null = null;
  #attempts = 0;
  /** The number of the next fragment of the attempt. */
  #expected = 1;
  #attemptEndMs = 0;
  #endMs = 0;
  #lastOffsetMs = 0;
  #fragments = 0;
  #bytes = 0;
  #videoSamples = 0;
  #audioSamples = 0;
  #firstVideoMs: number | null = null;
  #firstAudioMs: number | null = null;

  /** @param init the recording's beginning */
  constructor(init: Buffer | null, sink: JoinSink) {
    this.#init = init;
    this.#sink = sink;
    this.#bytes = init?.length ?? 0;
  }

  /** The current end of the recording, in samples. */
  get endSample(): number {
    return samplesAt(this.#endMs);
  }

  /**
   * Begins the next attempt; it is skipped when its media does not fit the recording.
   * @param atMs where it begins by its time
   * @param lastMs where its last fragment ends
   */
  async begin(
    attempt: Pick<RecordingAttempt, 'init' | 'audioFragmentPath'>,
    atMs: number,
    lastMs: number,
  ): Promise<void> {
    const index = this.#attempts;
    this.#attempts += 1;
    this.#attempt = null;
    this.#expected = 1;
    this.#attemptEndMs = 0;
    const offsetFrame = Math.max(Math.round(atMs / frameMs), Math.ceil(this.endSample / frameSamples));
    const offsetMs = offsetFrame * frameMs;
    this.#lastOffsetMs = offsetMs;
    const init = await readFile(attempt.init).catch(() => null);
    if (!init || !this.#accept(init)) {
      this.#gap(offsetMs, offsetMs + lastMs, init ? 'other_format' : 'missing_fragments');
      return;
    }
    if (index > 0) this.#gap(this.#endMs, offsetMs, 'between_attempts');
    this.#attempt = { offsetMs, index };
    this.#awaitsKey = true;
    await this.#sink.beginAttempt({
      offsetFrame,
      preSkip: readOpus(init).preSkip,
      otherAvcC: this.#otherAvcC,
      ...(attempt.audioFragmentPath ? { audioFragmentPath: attempt.audioFragmentPath } : {}),
    });
  }

  /** Adds the attempt's next fragment in order of number. */
  async add(fragment: StoredFragment): Promise<void> {
    if (this.#attempt === null || fragment.sequence < this.#expected) return;
    const { offsetMs } = this.#attempt;
    const before = this.#expected;
    for (; this.#expected < fragment.sequence; this.#expected += 1) this.#lose(this.#expected);
    const known = before === fragment.sequence ? (fragment.gapBefore ?? null) : null;
    this.#gap(offsetMs + this.#attemptEndMs, offsetMs + fragment.startMs, known ?? 'missing_fragments');
    this.#expected = fragment.sequence + 1;
    this.#attemptEndMs = fragment.endMs;
    const file = await readFragmentFile(fragment.path).catch((error: unknown) => error as NodeJS.ErrnoException);
    if (file instanceof Error) {
      const reason = file.code === 'ENOENT' ? 'missing_fragments' : 'damaged_fragments';
      this.#gap(offsetMs + fragment.startMs, offsetMs + fragment.endMs, reason);
      this.#lose(fragment.sequence);
      return;
    }
    const whole = { ...file, video: this.#decodable(file.video, offsetMs, offsetMs + fragment.endMs) };
    this.#count(whole, offsetMs);
    this.#endMs = Math.max(this.#endMs, offsetMs + fragment.endMs);
    await this.#sink.addFragment(whole, fragment.endMs);
  }

  /** Keeps the decodable frames of a fragment; the rest is a reported gap of the video. */
  #decodable(video: TrackRun | null, offsetMs: number, endMs: number): TrackRun | null {
    if (video === null || !this.#awaitsKey) return video;
    const kept = fromFirstKey(video);
    if (kept !== null) this.#awaitsKey = false;
    const fromMs = offsetMs + startMsOf(video);
    this.#gap(fromMs, kept === null ? endMs : offsetMs + startMsOf(kept), 'undecodable_video');
    return kept;
  }

  /** @throws NothingToFinish when there is no usable fragment at all */
  result(): JoinedRecording {
    if (this.#fragments === 0)
      throw new NothingToFinish('There is nothing to finish: no fragment of this recording can be read.');
    const both = this.#firstVideoMs !== null && this.#firstAudioMs !== null;
    return {
      durationMs: Math.round(this.#endMs),
      fragments: this.#fragments,
      bytes: this.#bytes,
      videoSamples: this.#videoSamples,
      audioSamples: this.#audioSamples,
      gaps: this.#gaps,
      missing: this.#missing,
      startOffsetMs: both ? Math.round((this.#firstAudioMs ?? 0) - (this.#firstVideoMs ?? 0)) : null,
      lastOffsetMs: this.#lastOffsetMs,
    };
  }

  #count(file: FragmentFile, offsetMs: number): void {
    this.#fragments += 1;
    this.#bytes += file.bytes;
    this.#videoSamples += file.video?.samples ?? 0;
    this.#audioSamples += file.audio?.samples ?? 0;
    if (file.video) this.#firstVideoMs ??= offsetMs + startMsOf(file.video);
    if (file.audio) this.#firstAudioMs ??= offsetMs + startMsOf(file.audio);
  }

  /**
   * True when an attempt's media fits the recording. Key frames of another encoder carry its parameters themselves, as
   * do all after them: a decoder keeps the last ones.
   */
  #accept(init: Buffer): boolean {
    if (this.#init === null || !canFollow(this.#init, init)) return false;
    const avcC = readAvcC(init);
    const first = readAvcC(this.#init);
    const same = avcC === null || first === null || sameBytes(avcC, first);
    if (!same || this.#otherAvcC !== null) this.#otherAvcC = avcC ?? this.#otherAvcC;
    return true;
  }

  #lose(sequence: number): void {
    this.#awaitsKey = true;
    const last = this.#missing.at(-1);
    const attempt = this.#attempt?.index ?? 0;
    if (last?.attempt === attempt) last.sequences.push(sequence);
    else this.#missing.push({ attempt, sequences: [sequence] });
  }

  #gap(startMs: number, endMs: number, reason: RecordingGap['reason']): void {
    if (endMs - startMs < touchMs) return;
    const last = this.#gaps.at(-1);
    if (last && last.reason === reason && startMs - last.endMs < touchMs) {
      this.#gaps[this.#gaps.length - 1] = { ...last, endMs: Math.round(endMs) };
    } else this.#gaps.push({ startMs: Math.round(startMs), endMs: Math.round(endMs), reason });
  }
}

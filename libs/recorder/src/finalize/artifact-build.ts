import { open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import {
  mediaOf,
  frameSamples,
  samplesAt,
  audioRate,
  ArtifactLayout,
  packetTimes,
  windowOf,
  numberedFlacFrame,
  jointFrames,
} from '@rapporteur/media-container';
import type {
  FrameDescription,
  TrackRun,
  ArtifactName,
  ByteSpan,
  EncodedAudio,
  AudioFrames,
} from '@rapporteur/media-container';
import { readBytes } from '../fragments/fragment-file.ts';
import type { FragmentFile } from '../fragments/fragment-file.ts';
import type { RecordingGap } from '../recorder-ports.ts';
import { AttemptAudio } from '../audio/attempt-audio.ts';
import type { AudioPace, AudioSource } from '../audio/attempt-audio.ts';
import { encodeAudio } from '../audio/encode-audio.ts';
import type { AudioEncoderOptions, AudioPacket } from '../audio/encode-audio.ts';
import { audioRunsIn, participantsOf } from '../participant-audio/participant-audio-files.ts';
import type { ParticipantAudio, ParticipantAudioRun } from '../participant-audio/participant-audio-files.ts';
import type { JoinedAttempt, JoinSink } from './join-fragments.ts';
import { keyFramesIn, makePoster, PosterChoice } from './poster.ts';

/** Frames passed on per batch. */
const framesAtOnce = 1_000;

/** Joins fragments of encoded audio on the recording's time, with silence where there is no fragment. */
export class JoinedAudio {
  readonly #encoder: AudioEncoderOptions;
  readonly #onFrames: (frames: AudioFrames) => Promise<void>;
  #nextAac = -1;
  #nextFlac = 0;
  /** Frames of the last fragment that the next one may still replace. */
  #last: AacFragment | null = null;
  #silence: { aac: Buffer; flac: Buffer } | null = null;

  constructor(encoder: AudioEncoderOptions, onFrames: (frames: AudioFrames) => Promise<void>) {
    this.#encoder = encoder;
    this.#onFrames = onFrames;
  }

  /** The fragment after the last one; its frames are counted from `offsetFrame`. */
  async add(audio: EncodedAudio, offsetFrame: number): Promise<void> {
    const first = offsetFrame + audio.firstFrame;
    if (this.#nextFlac < first) await this.fill(first);
    const fragment = { firstFrame: offsetFrame + audio.firstAacFrame, aac: audio.aac };
    const joint = this.#last === null ? this.#nextAac : jointOf(this.#last, fragment, first);
    const before = this.#takeLast(joint);
    const end = first + audio.flac.length;
    const own = fragment.aac.slice(this.#nextAac - fragment.firstFrame, end - jointFrames - fragment.firstFrame);
    this.#nextAac += own.length;
    this.#last = fragment;
    const flac = audio.flac.map((frame, index) => numberedFlacFrame(frame, first + index));
    this.#nextFlac = end;
    await this.#onFrames({ aac: [...before, ...own], flac });
  }

  /** Ends the last fragment there; silence follows where there is none. */
  async fill(endFrame: number): Promise<void> {
    const before = this.#takeLast(Math.min(this.#nextFlac, endFrame));
    this.#last = null;
    if (before.length > 0) await this.#onFrames({ aac: before, flac: [] });
    while (this.#nextAac < endFrame || this.#nextFlac < endFrame) {
      const { aac, flac } = await this.#silentFrame();
      const silentAac = Math.min(Math.max(0, endFrame - this.#nextAac), framesAtOnce);
      const silentFlac = Math.min(Math.max(0, endFrame - this.#nextFlac), framesAtOnce);
      const first = this.#nextFlac;
      this.#nextAac += silentAac;
      this.#nextFlac += silentFlac;
      await this.#onFrames({
        aac: Array.from({ length: silentAac }, () => aac),
        flac: Array.from({ length: silentFlac }, (_, index) => numberedFlacFrame(flac, first + index)),
      });
    }
  }

  #takeLast(endFrame: number): readonly Buffer[] {
    if (this.#last === null || endFrame <= this.#nextAac) return [];
    const taken = this.#last.aac.slice(this.#nextAac - this.#last.firstFrame, endFrame - this.#last.firstFrame);
    this.#nextAac += taken.length;
    return taken;
  }

  async #silentFrame(): Promise<{ aac: Buffer; flac: Buffer }> {
    if (this.#silence === null) {
      const { aac, flac } = await encodeAudio([], { firstFrame: 0, endSample: 8 * frameSamples }, this.#encoder);
      const [steadyAac, steadyFlac] = [aac[aac.length >> 1], flac[flac.length >> 1]];
      if (!steadyAac || !steadyFlac) throw new Error('ffmpeg encoded no silence.');
      this.#silence = { aac: steadyAac, flac: steadyFlac };
    }
    return this.#silence;
  }
}

interface AacFragment {
  readonly firstFrame: number;
  readonly aac: readonly Buffer[];
}

/** The frame nearest to the boundary where both fragments, and the frame before, have the same window; the boundary without one. */
function jointOf(before: AacFragment, after: AacFragment, boundary: number): number {
  const same = (frame: number): boolean => {
    const [one, other] = [before.aac[frame - before.firstFrame], after.aac[frame - after.firstFrame]];
    return one !== undefined && other !== undefined && windowOf(one) === windowOf(other);
  };
  for (let away = 0; away < jointFrames; away += 1)
    for (const frame of [boundary - away, boundary + away]) if (same(frame - 1) && same(frame)) return frame;
  return boundary;
}

/** A file for bytes until they are part of an artifact. */
class Spool {
  readonly #path: string;
  readonly #file: FileHandle;
  #bytes = 0;

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  static async open(path: string): Promise<Spool> {
    return new Spool(path, await open(path, 'w', 0o600));
  }

  async keep(parts: readonly Buffer[]): Promise<Extract<ByteSpan, { path: string }>> {
    const bytes = Buffer.concat(parts);
    const start = this.#bytes;
    for (let at = 0; at < bytes.length;) {
      at += (await this.#file.write(bytes, at, bytes.length - at, start + at)).bytesWritten;
    }
    this.#bytes += bytes.length;
    return { path: this.#path, start, length: bytes.length };
  }

  async close(): Promise<void> {
    await this.#file.close();
    await rm(this.#path, { force: true });
  }
}

export interface ArtifactBuildOptions {
  readonly video: FrameDescription | null;
  /** A temporary file of the build. */
  readonly spoolPath: string;
  readonly encoder: AudioEncoderOptions;
  readonly pace: AudioPace;
  /** No further run follows: audio that cannot be encoded becomes silence. */
  readonly isLastChance: boolean;
  append(name: ArtifactName, spans: readonly ByteSpan[]): void;
  /** Audio that could not be encoded is tried again, a poster is left out. */
  onFailure?(error: unknown, what: 'audio' | 'poster'): void;
}

/** An artifact whose media is laid out: `head`, followed by everything appended. */
export interface BuiltArtifact {
  readonly name: ArtifactName;
  readonly head: Buffer;
  readonly bytes: number;
}

export interface BuiltRecording {
  readonly artifacts: readonly BuiltArtifact[];
  readonly hasPoster: boolean;
}

/** Builds the artifacts' media from consecutive fragments, during a call or after it. */
export class ArtifactBuild implements JoinSink {
  readonly #options: ArtifactBuildOptions;
  readonly #encoder: AudioEncoderOptions;
  readonly #spool: Spool;
  readonly #layout: ArtifactLayout;
  readonly #joined: JoinedAudio;
  readonly #posters = new PosterChoice();
  readonly #audioRuns: ParticipantAudioRun[] = [];
  #preSkip: number | null = null;
  #attempt: JoinedAttempt | null = null;
  #audio: AttemptAudio | null = null;
  #attemptEndSample = 0;
  #cpuMs = 0;
  readonly #silenced: RecordingGap[] = [];

  private constructor(options: ArtifactBuildOptions, spool: Spool) {
    this.#options = options;
    const { encoder } = options;
    this.#encoder = {
      ...encoder,
      // The niceness may change.
      get niceness() {
        return encoder.niceness;
      },
      onCpu: (cpuMs) => (this.#cpuMs += cpuMs),
    };
    this.#spool = spool;
    this.#layout = new ArtifactLayout({ ...options, spool });
    this.#joined = new JoinedAudio(this.#encoder, (frames) => this.#layout.addAudio(frames));
  }

  static async open(options: ArtifactBuildOptions): Promise<ArtifactBuild> {
    return new ArtifactBuild(options, await Spool.open(options.spoolPath));
  }

  /** CPU time of ffmpeg so far. */
  get cpuMs(): number {
    return this.#cpuMs;
  }

  /** Audio that could not be read. */
  get silenced(): readonly RecordingGap[] {
    return this.#silenced;
  }

  get memoryBytes(): number {
    return this.#layout.memoryBytes;
  }

  /** The audio of single participants, and the number of samples that their decoder gives before the first real one. */
  get recordedParticipants(): { readonly ownAudio: readonly ParticipantAudio[]; readonly preSkip: number } {
    return { ownAudio: participantsOf(this.#audioRuns), preSkip: this.#preSkip ?? 0 };
  }

  async beginAttempt(attempt: JoinedAttempt): Promise<void> {
    await this.#endAttempt(Math.ceil(this.#attemptEndSample / frameSamples) * frameSamples);
    const { isLastChance, onFailure } = this.#options;
    const offsetSample = attempt.offsetFrame * frameSamples;
    this.#attempt = attempt;
    this.#preSkip ??= attempt.preSkip;
    this.#attemptEndSample = 0;
    this.#audio = new AttemptAudio({
      encoder: this.#encoder,
      pace: this.#options.pace,
      ...(attempt.audioFragmentPath ? { fragmentPath: attempt.audioFragmentPath } : {}),
      onFailure: (error) => onFailure?.(error, 'audio'),
      ...(isLastChance
        ? {
            onLost: ({ firstFrame, endSample }) =>
              this.#silence(offsetSample + firstFrame * frameSamples, offsetSample + endSample),
          }
        : {}),
      onAudio: (audio) => this.#joined.add(audio, attempt.offsetFrame),
    });
  }

  async addFragment(file: FragmentFile, endMs: number): Promise<void> {
    if (!this.#attempt || !this.#audio) throw new Error('A fragment arrived before its attempt.');
    const { offsetFrame, otherAvcC, preSkip } = this.#attempt;
    if (file.video) {
      this.#layout.addFrames({ path: file.path, run: file.video, offsetFrame, otherAvcC });
      this.#considerPoster(file.path, file.video, this.#attempt);
    }
    this.#audioRuns.push(...audioRunsIn(file, offsetFrame * frameSamples));
    const endSample = samplesAt(endMs);
    this.#attemptEndSample = Math.max(this.#attemptEndSample, endSample);
    await this.#audio.add(file.audio ? audioSource(file.path, file.audio, preSkip) : null, endSample);
  }

  /**
   * All media was added: the recording ends after so many samples. Writes one of its frames to the path of the poster.
   */
  async finish(samples: number, posterPath: string): Promise<BuiltRecording> {
    const poster = this.#makePoster(posterPath);
    // After an exception nothing is written any more.
    const artifacts = await this.#finishMedia(samples).finally(() => poster);
    return { artifacts, hasPoster: await poster };
  }

  async #finishMedia(samples: number): Promise<BuiltArtifact[]> {
    await this.#endAttempt(Math.max(0, samples - (this.#attempt?.offsetFrame ?? 0) * frameSamples));
    await this.#joined.fill(Math.ceil(samples / frameSamples));
    return this.#layout.finish(samples);
  }

  /** @returns false when there is none; a failure is only reported */
  async #makePoster(path: string): Promise<boolean> {
    const { video, encoder, onFailure } = this.#options;
    if (video === null) return false;
    const onCpu = (cpuMs: number): void => void (this.#cpuMs += cpuMs);
    try {
      return await makePoster(this.#posters.best, { video, path, ffmpegPath: encoder.ffmpegPath, onCpu });
    } catch (error) {
      onFailure?.(error, 'poster');
      return false;
    }
  }

  /** What was appended from its spool can't be read any more. Safe twice. */
  async close(): Promise<void> {
    await this.#spool.close();
  }

  #considerPoster(path: string, run: TrackRun, { offsetFrame, otherAvcC }: JoinedAttempt): void {
    const offsetMs = (offsetFrame * frameSamples * 1_000) / audioRate;
    for (const key of keyFramesIn({ path, run }, { offsetMs, otherAvcC })) this.#posters.consider(key);
  }

  #silence(startSample: number, endSample: number): void {
    this.#silenced.push({ startMs: msAt(startSample), endMs: msAt(endSample), reason: 'damaged_fragments' });
  }

  async #endAttempt(endSample: number): Promise<void> {
    await this.#audio?.finish(endSample);
    this.#audio = null;
  }
}

function msAt(samples: number): number {
  return Math.round((samples * 1_000) / audioRate);
}

function audioSource(path: string, run: TrackRun, preSkip: number): AudioSource {
  const packets = packetTimes(run, preSkip);
  const last = packets.at(-1);
  return {
    start: packets[0]?.start ?? 0,
    end: last ? last.start + last.samples : 0,
    read: async () => {
      const file = await open(path, 'r');
      try {
        const bytes = await readBytes(file, run.dataAt, mediaOf(run));
        return packets.map(({ start, samples, at, size }): AudioPacket => ({
          start,
          samples,
          bytes: bytes.subarray(at - run.dataAt, at - run.dataAt + size),
        }));
      } finally {
        await file.close();
      }
    },
  };
}

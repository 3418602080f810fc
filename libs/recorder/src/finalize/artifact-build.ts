import { open } from 'node:fs/promises';
import { mediaOf, readBytes } from '../fragments/fragment-file.ts';
import type { FragmentFile } from '../fragments/fragment-file.ts';
import type { PictureDescription } from '../fragments/track-box.ts';
import type { TrackRun } from '../fragments/media-fragment.ts';
import type { RecordingGap } from '../recorder-ports.ts';
import { AttemptSound } from '../sound/attempt-sound.ts';
import type { SoundSource } from '../sound/attempt-sound.ts';
import type { SoundEncoderOptions, SoundPacket } from '../sound/encode-sound.ts';
import { JoinedSound } from '../sound/joined-sound.ts';
import { frameSamples, samplesAt, soundRate } from '../sound/sound-grid.ts';
import { ArtifactLayout, packetTimes } from './artifact-layout.ts';
import type { ArtifactName } from './artifact-layout.ts';
import type { ByteSpan } from './byte-span.ts';
import type { JoinedAttempt, JoinSink } from './join-fragments.ts';
import { keyPicturesIn, makePoster, PosterChoice } from './poster.ts';
import { Spool } from './spool.ts';
import { PersonSounds } from '../persons/person-sounds.ts';
import type { PersonSound } from '../persons/person-sounds.ts';

export interface ArtifactBuildOptions {
  readonly picture: PictureDescription | null;
  /** A file that is there only while the build goes on. */
  readonly spoolPath: string;
  readonly encoder: SoundEncoderOptions;
  /** Nobody tries again: sound that cannot be encoded becomes silence. */
  readonly isLastChance: boolean;
  /** Encoded now and kept; pieces that were there already are not told. */
  onPiece?(index: number, path: string): void;
  append(name: ArtifactName, spans: readonly ByteSpan[]): void;
  /** Sound that could not be encoded is tried again, a poster is left out. */
  onFailure?(error: unknown, what: 'sound' | 'poster'): void;
}

/** An artifact whose media is laid out: `head` and then everything that was appended. */
export interface BuiltArtifact {
  readonly name: ArtifactName;
  readonly head: Buffer;
  readonly bytes: number;
}

/** Makes the artifacts' media of fragments that come one after the other, in a call or after it. */
export class ArtifactBuild implements JoinSink {
  readonly #options: ArtifactBuildOptions;
  readonly #encoder: SoundEncoderOptions;
  readonly #spool: Spool;
  readonly #layout: ArtifactLayout;
  readonly #joined: JoinedSound;
  readonly #posters = new PosterChoice();
  readonly #persons = new PersonSounds();
  #preSkip: number | null = null;
  #attempt: JoinedAttempt | null = null;
  #sound: AttemptSound | null = null;
  #attemptEndSample = 0;
  #cpuMs = 0;
  readonly #silenced: RecordingGap[] = [];

  private constructor(options: ArtifactBuildOptions, spool: Spool) {
    this.#options = options;
    const { encoder } = options;
    this.#encoder = {
      ...encoder,
      // How much it stands back may change.
      get niceness() {
        return encoder.niceness;
      },
      onCpu: (cpuMs) => (this.#cpuMs += cpuMs),
    };
    this.#spool = spool;
    this.#layout = new ArtifactLayout({ ...options, spool });
    this.#joined = new JoinedSound(this.#encoder, (frames) => this.#layout.addSound(frames));
  }

  static async open(options: ArtifactBuildOptions): Promise<ArtifactBuild> {
    return new ArtifactBuild(options, await Spool.open(options.spoolPath));
  }

  /** Of ffmpeg so far. */
  get cpuMs(): number {
    return this.#cpuMs;
  }

  /** Sound that could not be read. */
  get silenced(): readonly RecordingGap[] {
    return this.#silenced;
  }

  get memoryBytes(): number {
    return this.#layout.memoryBytes;
  }

  /** What was heard of single people, and what their decoder gives before the first real sample. */
  get persons(): { readonly heard: readonly PersonSound[]; readonly preSkip: number } {
    return { heard: this.#persons.all(), preSkip: this.#preSkip ?? 0 };
  }

  async beginAttempt(attempt: JoinedAttempt): Promise<void> {
    await this.#endAttempt(Math.ceil(this.#attemptEndSample / frameSamples) * frameSamples);
    const { isLastChance, onPiece, onFailure } = this.#options;
    const offsetSample = attempt.offsetFrame * frameSamples;
    this.#attempt = attempt;
    this.#preSkip ??= attempt.preSkip;
    this.#attemptEndSample = 0;
    this.#sound = new AttemptSound({
      encoder: this.#encoder,
      ...(attempt.soundPiecePath ? { piecePath: attempt.soundPiecePath } : {}),
      ...(onPiece ? { onPiece } : {}),
      onFailure: (error) => onFailure?.(error, 'sound'),
      ...(isLastChance
        ? {
            onLost: ({ firstFrame, endSample }) =>
              this.#silence(offsetSample + firstFrame * frameSamples, offsetSample + endSample),
          }
        : {}),
      onSound: (sound) => this.#joined.add(sound, attempt.offsetFrame),
    });
  }

  async addFragment(file: FragmentFile, endMs: number): Promise<void> {
    if (!this.#attempt || !this.#sound) throw new Error('A fragment came before its attempt.');
    const { offsetFrame, otherAvcC, preSkip } = this.#attempt;
    if (file.video) {
      this.#layout.addPictures({ path: file.path, run: file.video, offsetFrame, otherAvcC });
      this.#considerPoster(file.path, file.video, this.#attempt);
    }
    this.#persons.add(file, offsetFrame * frameSamples);
    const endSample = samplesAt(endMs);
    this.#attemptEndSample = Math.max(this.#attemptEndSample, endSample);
    await this.#sound.add(file.audio ? soundSource(file.path, file.audio, preSkip) : null, endSample);
  }

  /** Everything is there: the recording ends after so many samples. */
  async finish(samples: number): Promise<BuiltArtifact[]> {
    await this.#endAttempt(Math.max(0, samples - (this.#attempt?.offsetFrame ?? 0) * frameSamples));
    await this.#joined.fill(Math.ceil(samples / frameSamples));
    return this.#layout.finish(samples);
  }

  /** Leaves a picture of the recording at the path. @returns false when there is none; what fails here is only told */
  async makePoster(path: string): Promise<boolean> {
    const { picture, encoder, onFailure } = this.#options;
    if (picture === null) return false;
    const onCpu = (cpuMs: number): void => void (this.#cpuMs += cpuMs);
    try {
      return await makePoster(this.#posters.best, { picture, path, ffmpegPath: encoder.ffmpegPath, onCpu });
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
    const offsetMs = (offsetFrame * frameSamples * 1_000) / soundRate;
    for (const key of keyPicturesIn({ path, run }, { offsetMs, otherAvcC })) this.#posters.consider(key);
  }

  #silence(startSample: number, endSample: number): void {
    this.#silenced.push({ startMs: msAt(startSample), endMs: msAt(endSample), reason: 'damaged_fragments' });
  }

  async #endAttempt(endSample: number): Promise<void> {
    await this.#sound?.finish(endSample);
    this.#sound = null;
  }
}

function msAt(samples: number): number {
  return Math.round((samples * 1_000) / soundRate);
}

function soundSource(path: string, run: TrackRun, preSkip: number): SoundSource {
  const packets = packetTimes(run, preSkip);
  const last = packets.at(-1);
  return {
    start: packets[0]?.start ?? 0,
    end: last ? last.start + last.samples : 0,
    read: async () => {
      const file = await open(path, 'r');
      try {
        const bytes = await readBytes(file, run.dataAt, mediaOf(run));
        return packets.map(({ start, samples, at, size }): SoundPacket => ({
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

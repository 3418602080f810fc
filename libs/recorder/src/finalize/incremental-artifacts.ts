import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { spansLength, splitSpans } from '@rapporteur/media-container';
import type { ArtifactName, ByteSpan } from '@rapporteur/media-container';
import type { RecorderLogger, RecordingMode } from '../recorder-ports.ts';
import { ArtifactBuild } from './artifact-build.ts';
import { concludeRecording } from './conclude-recording.ts';
import type { ConcludedRecording, ConcludeOptions } from './conclude-recording.ts';
import { encodeDeadlineMs, posterFile } from './finalize-recording.ts';
import { FragmentJoin, frameOf } from './join-fragments.ts';
import type { StoredFragment } from './join-fragments.ts';

/** Minimum size of the head of a file: object stores accept smaller parts only at the end. */
export const heldBytes = 6 * 1024 * 1024;
export const partBytes = 8 * 1024 * 1024;

/** A file uploaded in parts while it grows, except its head, which is complete last. */
export class IncrementalFile {
  readonly #onPart: (number: number, spans: readonly ByteSpan[]) => void;
  #held: ByteSpan[] = [];
  #waiting: ByteSpan[] = [];
  #waitingBytes = 0;
  #parts = 0;

  constructor(onPart: (number: number, spans: readonly ByteSpan[]) => void) {
    this.#onPart = onPart;
  }

  append(spans: readonly ByteSpan[]): void {
    this.#waiting.push(...spans);
    this.#waitingBytes += spansLength(spans);
    if (this.#held.length === 0 && this.#waitingBytes >= heldBytes) this.#held = this.#take(heldBytes);
    while (this.#held.length > 0 && this.#waitingBytes >= partBytes) {
      this.#parts += 1;
      this.#onPart(this.#parts, this.#take(partBytes));
    }
  }

  /** The bytes that were not uploaded yet, preceded by the head. */
  finish(head: Buffer): { readonly head: ByteSpan[]; readonly parts: number; readonly tail: ByteSpan[] } {
    return { head: [{ bytes: head }, ...this.#held], parts: this.#parts, tail: this.#waiting };
  }

  #take(length: number): ByteSpan[] {
    const { first, rest } = splitSpans(this.#waiting, length);
    this.#waiting = rest;
    this.#waitingBytes -= length;
    return first;
  }
}

export interface IncrementalOptions {
  /** Path of the init segment of the attempt; it exists before the first fragment. */
  readonly init: string;
  readonly mode: RecordingMode;
  /** Created when missing; has a temporary file while the artifacts grow. */
  readonly workFolder: string;
  readonly ffmpegPath: string;
  readonly audioFragmentPath: (index: number) => string;
  readonly logger: RecorderLogger;
  /** The next part of an artifact, without its head. Its bytes can be read until `close`. */
  onPart(name: ArtifactName, number: number, spans: readonly ByteSpan[]): void;
}

/** A complete artifact: `head`, the number of uploaded parts, and `tail`. */
export interface IncrementalArtifact {
  readonly name: ArtifactName;
  readonly bytes: number;
  readonly head: readonly ByteSpan[];
  readonly parts: number;
  readonly tail: readonly ByteSpan[];
}

export interface IncrementalRecording extends ConcludedRecording {
  readonly artifacts: readonly IncrementalArtifact[];
  /** Path of a JPEG of a frame with content. */
  readonly poster?: string;
}

/**
 * Builds the artifacts of one attempt during its meeting, so that the cost at its end does not depend on its length.
 */
export interface IncrementalArtifacts {
  /** Adds a stored fragment, in order of number. Never throws. Ignored after `finish`. */
  add(fragment: StoredFragment): void;
  /** The failure because of which the artifacts have to be built from the fragments after the call; null: none. */
  readonly failure: Error | null;
  /** Memory used for the state so far. */
  readonly memoryBytes: number;
  /** Resolves when nothing waits to be worked on. */
  idle(): Promise<void>;
  /** @throws Error when a fragment could not be added: `finalizeRecording` builds the artifacts then */
  finish(options: Omit<ConcludeOptions, 'workFolder' | 'mode'>): Promise<IncrementalRecording>;
  /** Stops it at any time and removes its temporary files. Safe twice. */
  close(): Promise<void>;
}

/** Maximum number of waiting fragments: more means that this machine cannot keep up. */
const waitingMax = 90;
/** The meeting has priority; a higher niceness would starve the encoder on a busy machine. */
const inCallNiceness = 10;

export function startIncrementalArtifacts(options: IncrementalOptions): IncrementalArtifacts {
  return new FragmentArtifacts(options);
}

class FragmentArtifacts implements IncrementalArtifacts {
  readonly #options: IncrementalOptions;
  readonly #files: Readonly<Record<ArtifactName, IncrementalFile>>;
  #work: Promise<void> = Promise.resolve();
  #waiting = 0;
  #begun: { readonly build: ArtifactBuild; readonly joining: FragmentJoin } | null = null;
  #failure: Error | null = null;
  #niceness = inCallNiceness;
  #finishing = false;
  #closed = false;

  constructor(options: IncrementalOptions) {
    this.#options = options;
    const file = (name: ArtifactName): IncrementalFile =>
      new IncrementalFile((number, spans) => {
        if (!this.#closed && this.#failure === null) options.onPart(name, number, spans);
      });
    this.#files = { video: file('video'), audio: file('audio'), audio_m4a: file('audio_m4a') };
  }

  get failure(): Error | null {
    return this.#failure;
  }

  get memoryBytes(): number {
    return this.#begun?.build.memoryBytes ?? 0;
  }

  add(fragment: StoredFragment): void {
    if (this.#failure !== null || this.#finishing || this.#closed) return;
    if (this.#waiting >= waitingMax) {
      this.#fail(new Error(`${waitingMax} fragments wait for their audio to be encoded.`));
      return;
    }
    this.#waiting += 1;
    this.#work = this.#work
      .then(() => this.#take(fragment))
      .catch((error: unknown) => this.#fail(error as Error))
      .finally(() => (this.#waiting -= 1));
  }

  async idle(): Promise<void> {
    await this.#work;
  }

  async finish(options: Omit<ConcludeOptions, 'workFolder' | 'mode'>): Promise<IncrementalRecording> {
    this.#niceness = 0;
    this.#finishing = true;
    await this.#work;
    if (this.#failure !== null) throw this.#failure;
    if (this.#begun === null) throw new Error('No fragment of this recording was kept.');
    const { build, joining } = this.#begun;
    const joined = joining.result();
    const { workFolder, mode } = this.#options;
    const posterPath = join(workFolder, posterFile);
    const samples = joining.endSample;
    const built = await build.finish(samples, posterPath);
    const artifacts = built.artifacts
      .filter(({ name }) => name !== 'video' || joined.videoSamples > 0)
      .map(({ name, head, bytes }) => ({ name, bytes, ...this.#files[name].finish(head) }));
    const concluded = await concludeRecording({ ...options, workFolder, mode }, joined, {
      recordedParticipants: { ...build.recordedParticipants, samples },
      resourceUsage: {
        filesMade: 'in_call',
        encodingCpuMs: build.cpuMs,
        artifactBytes: artifacts.reduce((sum, { bytes }) => sum + bytes, 0),
      },
    });
    return { ...concluded, artifacts, ...(built.hasPoster ? { poster: posterPath } : {}) };
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#work;
    await this.#begun?.build.close();
  }

  async #take(fragment: StoredFragment): Promise<void> {
    if (this.#failure !== null || this.#closed) return;
    this.#begun ??= await this.#begin(fragment);
    await this.#begun.joining.add(fragment);
  }

  async #begin(fragment: StoredFragment) {
    const { init, mode, workFolder, ffmpegPath, audioFragmentPath, logger } = this.#options;
    const beginning = await readFile(init);
    await mkdir(workFolder, { recursive: true, mode: 0o700 });
    const niceness = (): number => this.#niceness;
    const build = await ArtifactBuild.open({
      video: mode !== 'audio_only' ? frameOf(beginning) : null,
      spoolPath: join(workFolder, 'growing.part'),
      encoder: {
        ffmpegPath,
        deadlineMs: encodeDeadlineMs,
        get niceness() {
          return niceness();
        },
      },
      pace: { runs: 1, fragmentsPerRun: 1 },
      isLastChance: false,
      append: (name, spans) => this.#files[name].append(spans),
      onFailure: (error, what) =>
        logger.warn(
          { err: error },
          what === 'audio' ? 'Encoding audio failed; it is tried again.' : 'There is no poster: it could not be made.',
        ),
    });
    const joining = new FragmentJoin(beginning, build);
    await joining.begin({ init, audioFragmentPath }, 0, fragment.endMs);
    return { build, joining };
  }

  #fail(error: Error): void {
    if (this.#failure !== null) return;
    this.#failure = error;
    this.#options.logger.warn(
      { err: error },
      'The files can not be made during the meeting; they are made at its end.',
    );
  }
}

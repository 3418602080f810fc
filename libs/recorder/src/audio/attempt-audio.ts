import { readFile } from 'node:fs/promises';
import type { EncodedAudio } from '@rapporteur/media-container';
import {
  contextFrames,
  frameSamples,
  fragmentFrames,
  audioRate,
  readAudioFragment,
  audioFragmentBytes,
} from '@rapporteur/media-container';
import { writeSpans } from '../span-files.ts';
import { encodeAudio } from './encode-audio.ts';
import type { AudioEncoderOptions, AudioPacket, AudioSpan } from './encode-audio.ts';

/** Packets with their positions on disk. Times are in samples of the attempt. */
export interface AudioSource {
  readonly start: number;
  readonly end: number;
  read(): Promise<readonly AudioPacket[]>;
}

/** How much is encoded at the same time. */
export interface AudioPace {
  /** Runs of ffmpeg. */
  readonly runs: number;
  /** Fragments in each run: the start of the program costs as much as a third of a fragment. */
  readonly fragmentsPerRun: number;
}

export interface AttemptAudioOptions {
  readonly encoder: AudioEncoderOptions;
  readonly pace: AudioPace;
  /** The path of an encoded fragment, which a later run reuses; without it none is stored. */
  readonly fragmentPath?: (index: number) => string;
  /** Called when an encoder failed; the audio is tried again. */
  onFailure?(error: unknown, span: AudioSpan): void;
  /** Called with audio that cannot be encoded and becomes silence. Without it, such audio is an error. */
  onLost?(span: AudioSpan): void;
  /** Receives the fragments in order. */
  onAudio(audio: EncodedAudio): Promise<void>;
}

/** Audio later than this after the video counts as missing. */
const audioWaitSamples = 2 * audioRate;

/** Encodes the audio of one attempt fragment by fragment, as it arrives; encoded fragments are reused. */
export class AttemptAudio {
  readonly #options: AttemptAudioOptions;
  #sources: AudioSource[] = [];
  #nextFragment = 0;
  #receivedSample = 0;
  /** Runs in progress, in order. */
  readonly #running: Promise<readonly EncodedAudio[]>[] = [];

  constructor(options: AttemptAudioOptions) {
    this.#options = options;
  }

  /** @param untilSample everything before has arrived, except late audio */
  async add(source: AudioSource | null, untilSample: number): Promise<void> {
    if (source !== null) {
      this.#sources.push(source);
      this.#receivedSample = Math.max(this.#receivedSample, source.end);
    }
    const { fragmentsPerRun } = this.#options.pace;
    const complete = Math.max(this.#receivedSample, untilSample - audioWaitSamples);
    while (complete >= endOf(this.#nextFragment + fragmentsPerRun - 1) + contextFrames * frameSamples)
      await this.#start(fragmentsPerRun);
  }

  /** Encodes the rest, up to the end of the attempt. */
  async finish(endSample: number): Promise<void> {
    const { fragmentsPerRun } = this.#options.pace;
    const fragments = Math.floor(endSample / endOf(0));
    while (this.#nextFragment < fragments) await this.#start(Math.min(fragmentsPerRun, fragments - this.#nextFragment));
    const firstFrame = this.#nextFragment * fragmentFrames;
    if (endSample > firstFrame * frameSamples) this.#run(this.#encode([{ firstFrame, endSample }]));
    await this.#handDownTo(0);
  }

  async #start(count: number): Promise<void> {
    this.#run(this.#fragments(this.#nextFragment, count));
    this.#nextFragment += count;
    const from = (this.#nextFragment * fragmentFrames - 2 * contextFrames) * frameSamples;
    this.#sources = this.#sources.filter((source) => source.end > from);
    await this.#handDownTo(this.#options.pace.runs - 1);
  }

  #run(work: Promise<readonly EncodedAudio[]>): void {
    // A failure is thrown when its turn comes.
    work.catch(() => undefined);
    this.#running.push(work);
  }

  async #handDownTo(most: number): Promise<void> {
    try {
      while (this.#running.length > most)
        for (const audio of (await this.#running.shift()) ?? []) await this.#options.onAudio(audio);
    } catch (error) {
      await Promise.allSettled(this.#running);
      throw error;
    }
  }

  async #fragments(first: number, count: number): Promise<readonly EncodedAudio[]> {
    const sources = this.#sources;
    const indexes = Array.from({ length: count }, (_, index) => first + index);
    const pathOf = (index: number): string | null => this.#options.fragmentPath?.(index) ?? null;
    const stored = await Promise.all(indexes.map((index) => readStored(pathOf(index), index)));
    const known = stored.filter((audio) => audio !== null);
    if (known.length === count) return known;
    const spans = indexes.map((index) => ({ firstFrame: index * fragmentFrames, endSample: endOf(index) }));
    const encoded = await this.#encode(spans, sources);
    const path = pathOf(first);
    // The frames of longer runs differ at the joints: a later run must not mix them with those of single fragments.
    const [only] = encoded;
    if (count === 1 && path !== null && only?.lost === false)
      await writeSpans(path, [{ bytes: audioFragmentBytes(only) }]);
    return encoded;
  }

  /** Encodes consecutive spans as one, or each alone where that fails. */
  async #encode(spans: readonly AudioSpan[], sources: readonly AudioSource[] = this.#sources): Promise<EncodedNow[]> {
    const { encoder, onFailure } = this.#options;
    const [first, last] = [spans[0], spans.at(-1)];
    if (first === undefined || last === undefined) return [];
    const from = (first.firstFrame - 2 * contextFrames) * frameSamples;
    const to = last.endSample + 2 * contextFrames * frameSamples;
    const packets: AudioPacket[] = [];
    for (const source of sources) if (source.end > from && source.start < to) packets.push(...(await source.read()));
    try {
      const audio = await encodeAudio(packets, { ...last, firstFrame: first.firstFrame }, encoder);
      return [{ ...audio, lost: false }];
    } catch (error) {
      for (const span of spans) onFailure?.(error, span);
    }
    const each: EncodedNow[] = [];
    for (const span of spans) each.push(await this.#encodeAgain(packets, span));
    return each;
  }

  /** On the last chance, audio that cannot be encoded becomes silence: it must not cost the video. */
  async #encodeAgain(packets: readonly AudioPacket[], span: AudioSpan): Promise<EncodedNow> {
    const { encoder, onFailure, onLost } = this.#options;
    try {
      return { ...(await encodeAudio(packets, span, encoder)), lost: false };
    } catch (error) {
      onFailure?.(error, span);
      if (!onLost) throw error;
    }
    const silence = await encodeAudio([], span, encoder);
    onLost(span);
    return { ...silence, lost: true };
  }
}

/** The end of a fragment, in samples of the attempt. */
function endOf(index: number): number {
  return (index + 1) * fragmentFrames * frameSamples;
}

interface EncodedNow extends EncodedAudio {
  /** True for silence in place of lost audio. */
  readonly lost: boolean;
}

/** A fragment of an earlier run; null when there is no complete one. */
async function readStored(path: string | null, index: number): Promise<EncodedAudio | null> {
  if (path === null) return null;
  try {
    const audio = readAudioFragment(await readFile(path));
    return audio.firstFrame === index * fragmentFrames && audio.flac.length === fragmentFrames ? audio : null;
  } catch {
    return null;
  }
}

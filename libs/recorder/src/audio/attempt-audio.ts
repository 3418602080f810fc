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

export interface AttemptAudioOptions {
  readonly encoder: AudioEncoderOptions;
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
const triesAtMost = 2;

/** Encodes the audio of one attempt fragment by fragment, as it arrives; encoded fragments are reused. */
export class AttemptAudio {
  readonly #options: AttemptAudioOptions;
  #sources: AudioSource[] = [];
  #nextFragment = 0;
  #heardSample = 0;

  constructor(options: AttemptAudioOptions) {
    this.#options = options;
  }

  /** @param untilSample everything before has arrived, except late audio */
  async add(source: AudioSource | null, untilSample: number): Promise<void> {
    if (source !== null) {
      this.#sources.push(source);
      this.#heardSample = Math.max(this.#heardSample, source.end);
    }
    const complete = Math.max(this.#heardSample, untilSample - audioWaitSamples);
    while (complete >= this.#nextEnd() + contextFrames * frameSamples)
      await this.#hand(await this.#fragment(this.#nextFragment));
  }

  /** Encodes the rest, up to the end of the attempt. */
  async finish(endSample: number): Promise<void> {
    for (; this.#nextEnd() <= endSample;) await this.#hand(await this.#fragment(this.#nextFragment));
    const firstFrame = this.#nextFragment * fragmentFrames;
    if (endSample > firstFrame * frameSamples) await this.#hand((await this.#encode({ firstFrame, endSample })).audio);
  }

  #nextEnd(): number {
    return (this.#nextFragment + 1) * fragmentFrames * frameSamples;
  }

  async #hand(audio: EncodedAudio): Promise<void> {
    this.#nextFragment += 1;
    await this.#options.onAudio(audio);
    const from = (this.#nextFragment * fragmentFrames - 2 * contextFrames) * frameSamples;
    this.#sources = this.#sources.filter((source) => source.end > from);
  }

  async #fragment(index: number): Promise<EncodedAudio> {
    const path = this.#options.fragmentPath?.(index) ?? null;
    const known = path === null ? null : await readKnown(path, index);
    if (known) return known;
    const { audio, lost } = await this.#encode({ firstFrame: index * fragmentFrames, endSample: this.#nextEnd() });
    if (path !== null && !lost) await writeSpans(path, [{ bytes: audioFragmentBytes(audio) }]);
    return audio;
  }

  async #encode(span: AudioSpan): Promise<EncodedNow> {
    const from = (span.firstFrame - 2 * contextFrames) * frameSamples;
    const to = span.endSample + 2 * contextFrames * frameSamples;
    const packets: AudioPacket[] = [];
    for (const source of this.#sources)
      if (source.end > from && source.start < to) packets.push(...(await source.read()));
    return this.#tryTwice(packets, span);
  }

  /** On the last chance, audio that cannot be encoded becomes silence: it must not cost the video. */
  async #tryTwice(packets: readonly AudioPacket[], span: AudioSpan): Promise<EncodedNow> {
    const { encoder, onFailure, onLost } = this.#options;
    for (let tries = 1; ; tries += 1) {
      try {
        return { audio: await encodeAudio(packets, span, encoder), lost: false };
      } catch (error) {
        onFailure?.(error, span);
        if (tries < triesAtMost) continue;
        if (!onLost) throw error;
        break;
      }
    }
    const silence = await encodeAudio([], span, encoder);
    onLost(span);
    return { audio: silence, lost: true };
  }
}

interface EncodedNow {
  readonly audio: EncodedAudio;
  /** True for silence in place of lost audio. */
  readonly lost: boolean;
}

/** A fragment of an earlier run; null when there is no complete one. */
async function readKnown(path: string, index: number): Promise<EncodedAudio | null> {
  try {
    const audio = readAudioFragment(await readFile(path));
    return audio.firstFrame === index * fragmentFrames && audio.flac.length === fragmentFrames ? audio : null;
  } catch {
    return null;
  }
}

import { Resampler } from '@rapporteur/page-scripts/resampler';

/** What the page is given: 16 bit mono at this rate. */
export const playedRateHz = 48_000;
const mostWaitingSamples = 30 * playedRateHz;
/** Small chunks are merged up to this length. */
const chunkSamples = playedRateHz / 10;
const rates = { lowestHz: 8_000, highestHz: 96_000 } as const;

/** A part of the audio and its position in everything given so far: `endMs` includes what was dropped after it. */
export interface AudioChunk {
  readonly samples: Int16Array;
  readonly startMs: number;
  readonly endMs: number;
}

/** The queued audio, in order, at most 30 s. */
export class AudioQueue {
  #chunks: AudioChunk[] = [];
  #waitingSamples = 0;
  #givenMs = 0;
  #rateHz = 0;
  #resampler = new Resampler(1, 1);
  /** Half a sample, when a chunk of bytes ended in its middle. */
  #halfSample = Buffer.alloc(0);

  /** Total milliseconds given. */
  get givenMs(): number {
    return this.#givenMs;
  }

  /** Position of the queued audio; the total when the queue is empty. */
  get startMs(): number {
    return this.#chunks[0]?.startMs ?? this.#givenMs;
  }

  /**
   * @returns the milliseconds that had no room
   * @throws RangeError for a rate outside 8 to 96 kHz
   */
  add(pcm: Buffer, rateHz: number): number {
    if (!Number.isInteger(rateHz) || rateHz < rates.lowestHz || rateHz > rates.highestHz) {
      throw new RangeError(`Sound has 8000 to 96000 samples a second, not ${rateHz}.`);
    }
    const given = this.#wholeSamples(pcm, rateHz);
    const startMs = this.#givenMs;
    const lengthMs = (given.length * 1_000) / rateHz;
    this.#givenMs += lengthMs;
    const samples = new Int16Array(this.#resampler.process(given).map(rounded));
    const fitting = samples.subarray(0, Math.max(0, mostWaitingSamples - this.#waitingSamples));
    this.#append(fitting, startMs);
    return ((samples.length - fitting.length) * 1_000) / playedRateHz;
  }

  /** The first samples, at most this many; null when the queue is empty. */
  take(mostSamples: number): AudioChunk | null {
    const first = this.#chunks.shift();
    if (first === undefined) return null;
    const taken = first.samples.length <= mostSamples ? first : this.#split(first, mostSamples);
    this.#waitingSamples -= taken.samples.length;
    return taken;
  }

  /** Puts taken but unplayed audio back in front. */
  putBack(chunks: readonly AudioChunk[]): void {
    this.#chunks.unshift(...chunks);
    this.#waitingSamples += chunks.reduce((sum, { samples }) => sum + samples.length, 0);
  }

  clear(): void {
    this.#chunks = [];
    this.#waitingSamples = 0;
    this.#rateHz = 0;
  }

  #wholeSamples(pcm: Buffer, rateHz: number): Float32Array {
    if (rateHz !== this.#rateHz) {
      this.#rateHz = rateHz;
      this.#resampler = new Resampler(rateHz, playedRateHz);
      this.#halfSample = Buffer.alloc(0);
    }
    const bytes = this.#halfSample.length === 0 ? pcm : Buffer.concat([this.#halfSample, pcm]);
    const whole = bytes.length - (bytes.length % 2);
    this.#halfSample = Buffer.from(bytes.subarray(whole));
    const samples = new Float32Array(whole / 2);
    for (let index = 0; index < samples.length; index += 1) samples[index] = bytes.readInt16LE(index * 2);
    return samples;
  }

  #append(samples: Int16Array, startMs: number): void {
    this.#waitingSamples += samples.length;
    const last = this.#chunks.at(-1);
    const joins = last !== undefined && (last.samples.length < chunkSamples || samples.length === 0);
    if (!joins && samples.length === 0) return;
    if (joins) this.#chunks.pop();
    const joined = joins ? new Int16Array(last.samples.length + samples.length) : Int16Array.from(samples);
    if (joins) {
      joined.set(last.samples);
      joined.set(samples, last.samples.length);
    }
    this.#chunks.push({ samples: joined, startMs: joins ? last.startMs : startMs, endMs: this.#givenMs });
  }

  #split(fragment: AudioChunk, at: number): AudioChunk {
    const middleMs = fragment.startMs + ((fragment.endMs - fragment.startMs) * at) / fragment.samples.length;
    this.#chunks.unshift({ samples: fragment.samples.subarray(at), startMs: middleMs, endMs: fragment.endMs });
    return { samples: fragment.samples.subarray(0, at), startMs: fragment.startMs, endMs: middleMs };
  }
}

const rounded = (sample: number): number => Math.max(-32_768, Math.min(32_767, Math.round(sample)));

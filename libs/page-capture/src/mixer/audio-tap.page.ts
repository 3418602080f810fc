import { Resampler } from '@rapporteur/page-scripts/resampler';
import { mixRate } from './audio-mix.page.ts';

export const tappedBlockMs = 100;
const blocksPerSecond = 1_000 / tappedBlockMs;

export interface TappedBlock {
  /** Media time of the first sample. */
  readonly mediaMs: number;
  /** 100 ms, 16 bit little-endian mono. */
  readonly bytes: Uint8Array;
}

/** Delivers the mix in blocks of 100 ms at another rate. */
export class AudioTap {
  readonly #resampler: Resampler;
  readonly #open: Int16Array<ArrayBuffer>;
  /** Samples in the open block. */
  #filled = 0;
  /** Media position of the open block's first sample, in samples of the mix; null: that of the next sample. */
  #from: number | null = null;
  /** Media position up to which audio was added, in samples of the mix. */
  #until = -Infinity;
  readonly #ready: TappedBlock[] = [];

  constructor(rateHz: number) {
    this.#resampler = new Resampler(mixRate, rateHz);
    this.#open = new Int16Array(rateHz / blocksPerSecond);
  }

  /**
   * Audio that was added before is skipped: samples held at a pause are repeated with the block that ends after it.
   * @param from media position of the first sample, in samples of the mix
   */
  add(samples: Float32Array, from: number): void {
    const known = Math.min(samples.length, Math.max(0, this.#until - from));
    if (known === samples.length) return;
    this.#until = from + samples.length;
    this.#from ??= from + known;
    const resampled = this.#resampler.process(samples.subarray(known));
    for (let at = 0; at < resampled.length;) {
      const length = Math.min(resampled.length - at, this.#open.length - this.#filled);
      toSixteenBits(resampled.subarray(at, at + length), this.#open.subarray(this.#filled));
      this.#filled += length;
      at += length;
      if (this.#filled === this.#open.length) this.#close(this.#from + mixRate / blocksPerSecond);
    }
  }

  /** The mix is paused: the open block is delivered, padded with silence. */
  flush(): void {
    if (this.#filled > 0) this.#close(null);
    this.#from = null;
  }

  /** Returns the complete blocks. */
  take(): TappedBlock[] {
    return this.#ready.splice(0);
  }

  #close(next: number | null): void {
    this.#open.fill(0, this.#filled);
    const bytes = new Uint8Array(this.#open.slice().buffer);
    this.#ready.push({ mediaMs: ((this.#from ?? 0) / mixRate) * 1_000, bytes });
    this.#filled = 0;
    this.#from = next;
  }
}

/** Runs for every sample: written for speed. */
function toSixteenBits(samples: Float32Array, into: Int16Array): void {
  for (let index = 0; index < samples.length; index += 1) {
    const scaled = (samples[index] as number) * 32_767;
    into[index] = scaled > 32_767 ? 32_767 : scaled < -32_767 ? -32_767 : scaled;
  }
}

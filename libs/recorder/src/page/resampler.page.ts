import { mixRate } from './audio-mix.page.ts';

/** Taps at 48 kHz, per step of the lower rate: 50 dB down a little above the new highest frequency. */
const tapsPerStep = 24;
/** Of the new highest frequency: what is below passes. */
const passShare = 0.92;
const kaiserBeta = 5;

/**
 * Turns the mix's rate into a lower one: a low pass that keeps what the lower rate cannot hold from folding back as
 * noise, evaluated only where an output sample lies. Blocks follow on each other without a seam.
 */
export class Resampler {
  readonly #up: number;
  readonly #down: number;
  /** One filter per position between two input samples, oldest sample first. */
  readonly #filters: readonly Float32Array[];
  readonly #taps: number;
  #input: Float32Array;
  /** Where the next output sample's filter begins: whole input samples, and parts of one. */
  #whole = 0;
  #part = 0;
  #quiet = true;

  constructor(rateHz: number) {
    const step = divisor(mixRate, rateHz);
    this.#up = rateHz / step;
    this.#down = mixRate / step;
    this.#filters = filtersOf(this.#up, this.#down);
    this.#taps = this.#filters[0]?.length ?? 1;
    this.#input = new Float32Array(this.#taps - 1);
  }

  process(samples: Float32Array): Float32Array {
    if (this.#up === this.#down) return samples;
    const input = new Float32Array(this.#input.length + samples.length);
    input.set(this.#input);
    input.set(samples, this.#input.length);
    const silent = isSilent(samples);
    const available = input.length - this.#taps - this.#whole;
    const length =
      available < 0 ? 0 : Math.floor((available * this.#up + (this.#up - 1 - this.#part)) / this.#down) + 1;
    const output = new Float32Array(length);
    if (!silent || !this.#quiet) this.#filter(input, output);
    const ended = this.#part + length * this.#down;
    const consumed = this.#whole + Math.floor(ended / this.#up);
    this.#part = ended % this.#up;
    const kept = Math.min(consumed, input.length);
    this.#whole = consumed - kept;
    this.#input = input.subarray(kept);
    this.#quiet = silent && isSilent(this.#input);
    return output;
  }

  #filter(input: Float32Array, output: Float32Array): void {
    let whole = this.#whole;
    let part = this.#part;
    for (let index = 0; index < output.length; index += 1) {
      const filter = this.#filters[part] as Float32Array;
      output[index] = this.#up === 1 ? symmetric(filter, input, whole) : weighed(filter, input, whole);
      part += this.#down;
      while (part >= this.#up) {
        part -= this.#up;
        whole += 1;
      }
    }
  }
}

/** Both halves of the filter are the same: half of the multiplications. */
function symmetric(filter: Float32Array, input: Float32Array, from: number): number {
  const half = filter.length >> 1;
  let sum = 0;
  for (let tap = 0, left = from, right = from + filter.length - 1; tap < half; tap += 1, left += 1, right -= 1)
    sum += (filter[tap] as number) * ((input[left] as number) + (input[right] as number));
  return sum;
}

function weighed(filter: Float32Array, input: Float32Array, from: number): number {
  let sum = 0;
  for (let tap = 0; tap < filter.length; tap += 1) sum += (filter[tap] as number) * (input[from + tap] as number);
  return sum;
}

function isSilent(samples: Float32Array): boolean {
  for (let index = 0; index < samples.length; index += 1) if (samples[index] !== 0) return false;
  return true;
}

function filtersOf(up: number, down: number): Float32Array[] {
  const taps = Math.ceil((tapsPerStep * down) / up / 2) * 2;
  const length = taps * up;
  const cutoff = (passShare * 0.5) / down;
  const middle = (length - 1) / 2;
  const whole = Array.from({ length }, (_none, index) => {
    const at = index - middle;
    return sinc(2 * cutoff * at) * kaiser(at / middle);
  });
  const sum = whole.reduce((total, weight) => total + weight, 0);
  // The sample that lies `part` steps behind an input sample is weighed with every `up`-th weight from there.
  return Array.from({ length: up }, (_none, part) =>
    Float32Array.from({ length: taps }, (_tap, tap) => ((whole[(taps - 1 - tap) * up + part] ?? 0) * up) / sum),
  );
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

/** The Kaiser window at -1..1. */
function kaiser(x: number): number {
  return bessel(kaiserBeta * Math.sqrt(Math.max(0, 1 - x * x))) / bessel(kaiserBeta);
}

/** The modified Bessel function of order zero. */
function bessel(x: number): number {
  let term = 1;
  let sum = 1;
  for (let index = 1; index < 30; index += 1) {
    term *= (x / (2 * index)) ** 2;
    sum += term;
  }
  return sum;
}

function divisor(one: number, other: number): number {
  return other === 0 ? one : divisor(other, one % other);
}

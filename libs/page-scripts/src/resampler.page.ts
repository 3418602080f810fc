/** Filter taps per sample of the lower rate. */
const tapsPerStep = 24;
/** Share of the common band that is kept; the filter falls off in the rest. */
const keptBand = 0.92;
const kaiserBeta = 6;

/**
 * Resamples mono audio block by block and without a seam. The output is delayed by half a filter: 12 samples of the
 * lower rate.
 */
export class Resampler {
  readonly #up: number;
  readonly #down: number;
  /** One filter per position between two input samples, oldest sample first. */
  readonly #filters: readonly Float32Array[];
  readonly #taps: number;
  /** Input that is still needed. */
  #input: Float32Array;
  /** Position of the next output sample's filter in it, in parts of a sample: `#up` are one. */
  #next = 0;

  constructor(fromHz: number, toHz: number) {
    const step = divisor(fromHz, toHz);
    this.#up = toHz / step;
    this.#down = fromHz / step;
    const share = Math.min(1, toHz / fromHz);
    this.#taps = 2 * Math.ceil(tapsPerStep / share / 2);
    this.#filters = Array.from({ length: this.#up }, (_, part) =>
      filterOf(this.#taps, keptBand * share, part / this.#up),
    );
    this.#input = new Float32Array(this.#taps - 1);
  }

  process(samples: Float32Array): Float32Array {
    if (this.#up === this.#down) return samples;
    const input = new Float32Array(this.#input.length + samples.length);
    input.set(this.#input);
    input.set(samples, this.#input.length);
    const pastLast = (input.length - this.#taps + 1) * this.#up;
    const output = new Float32Array(Math.max(0, Math.ceil((pastLast - this.#next) / this.#down)));
    for (let index = 0; index < output.length; index += 1) {
      const part = this.#next % this.#up;
      output[index] = weighed(this.#filters[part] as Float32Array, input, (this.#next - part) / this.#up);
      this.#next += this.#down;
    }
    const used = Math.min(Math.floor(this.#next / this.#up), input.length);
    this.#next -= used * this.#up;
    this.#input = input.subarray(used);
    return output;
  }
}

/** Runs for every sample, so it is written for speed: two sums do not wait for each other. */
function weighed(filter: Float32Array, input: Float32Array, from: number): number {
  let even = 0;
  let odd = 0;
  for (let tap = 0, at = from; tap < filter.length; tap += 2, at += 2) {
    even += (filter[tap] as number) * (input[at] as number);
    odd += (filter[tap + 1] as number) * (input[at + 1] as number);
  }
  return even + odd;
}

/** A sinc in a Kaiser window. @param cutoff share of the input's band; @param fraction position behind an input sample */
function filterOf(taps: number, cutoff: number, fraction: number): Float32Array {
  const weights = Array.from({ length: taps }, (_, tap) => {
    const distance = tap - (taps / 2 - 1) - fraction;
    const window = bessel(kaiserBeta * Math.sqrt(Math.max(0, 1 - (distance / (taps / 2)) ** 2)));
    return window * (distance === 0 ? 1 : Math.sin(Math.PI * cutoff * distance) / (Math.PI * cutoff * distance));
  });
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return Float32Array.from(weights, (weight) => weight / sum);
}

/** The modified Bessel function of the first kind and order zero, as its series. */
function bessel(x: number): number {
  let sum = 1;
  let term = 1;
  for (let index = 1; index <= 30; index += 1) {
    term *= (x / (2 * index)) ** 2;
    sum += term;
  }
  return sum;
}

function divisor(one: number, other: number): number {
  return other === 0 ? one : divisor(other, one % other);
}

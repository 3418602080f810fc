/** Input samples around each output sample that it is made of; the filter is half as wide to either side. */
const tapCount = 32;
/** Of the band that both rates hold, so much is kept; the rest is where the filter falls off. */
const keptBand = 0.92;
const kaiserBeta = 8;

/**
 * Turns 16 bit mono audio of one rate into another, chunk by chunk. The chunks fit together without a seam: output n
 * stands exactly at n / toHz. The last half millisecond or so comes out with the chunk that follows.
 */
export class Resampler {
  readonly #up: number;
  readonly #down: number;
  readonly #phases: readonly Float64Array[];
  /** Input that is still needed. Its first sample has the index `#firstIndex`. */
  #input = new Int16Array(tapCount / 2 - 1);
  #firstIndex = -(tapCount / 2 - 1);
  #nextOutput = 0;

  constructor(fromHz: number, toHz: number) {
    const divisor = greatestCommonDivisor(fromHz, toHz);
    this.#up = toHz / divisor;
    this.#down = fromHz / divisor;
    this.#phases = this.#up === this.#down ? [] : filterPhases(this.#up, this.#down);
  }

  push(samples: Int16Array): Int16Array {
    if (this.#phases.length === 0) return samples;
    const input = new Int16Array(this.#input.length + samples.length);
    input.set(this.#input);
    input.set(samples, this.#input.length);
    const afterMiddle = tapCount / 2;
    const pastEnd = this.#firstIndex + input.length;
    // The first output whose filter would reach beyond what is there.
    const end = Math.max(this.#nextOutput, Math.ceil(((pastEnd - afterMiddle) * this.#up) / this.#down));
    const output = new Int16Array(end - this.#nextOutput);
    for (let index = 0; index < output.length; index += 1) {
      const place = (this.#nextOutput + index) * this.#down;
      const from = Math.floor(place / this.#up) - (afterMiddle - 1) - this.#firstIndex;
      output[index] = filtered(input, from, this.#phases[place % this.#up]!);
    }
    this.#nextOutput = end;
    const needed = Math.floor((end * this.#down) / this.#up) - (afterMiddle - 1) - this.#firstIndex;
    this.#input = input.slice(Math.max(0, needed));
    this.#firstIndex += Math.max(0, needed);
    return output;
  }
}

function filtered(input: Int16Array, from: number, phase: Float64Array): number {
  let sum = 0;
  for (let tap = 0; tap < tapCount; tap += 1) sum += (input[from + tap] ?? 0) * phase[tap]!;
  return Math.max(-32_768, Math.min(32_767, Math.round(sum)));
}

/** One windowed sinc per place that an output sample can have between two input samples. */
function filterPhases(up: number, down: number): Float64Array[] {
  const cutoff = keptBand * Math.min(1, up / down);
  return Array.from({ length: up }, (_, phase) => {
    const taps = Float64Array.from({ length: tapCount }, (_tap, tap) => {
      const distance = tap - (tapCount / 2 - 1) - phase / up;
      return cutoff * sinc(cutoff * distance) * kaiser(distance / (tapCount / 2));
    });
    const sum = taps.reduce((total, tap) => total + tap, 0);
    return taps.map((tap) => tap / sum);
  });
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function kaiser(x: number): number {
  return Math.abs(x) >= 1 ? 0 : bessel(kaiserBeta * Math.sqrt(1 - x * x)) / bessel(kaiserBeta);
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

function greatestCommonDivisor(first: number, second: number): number {
  return second === 0 ? first : greatestCommonDivisor(second, first % second);
}

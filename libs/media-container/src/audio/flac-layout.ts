import { flacHead } from './flac-frames.ts';
import { frameSamples, audioRate } from './audio-grid.ts';
import type { ByteSpan } from '../byte-span.ts';

/** Frames per seek point: some ten seconds. */
const seekFrames = 469;

/** A FLAC file laid out while its frames arrive; only its head is built at the end. */
export class FlacLayout {
  readonly #append: (spans: readonly ByteSpan[]) => void;
  readonly #seekPoints: { sample: number; offset: number; samples: number }[] = [];
  #frames = 0;
  #bytes = 0;

  constructor(append: (spans: readonly ByteSpan[]) => void) {
    this.#append = append;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get memoryBytes(): number {
    return this.#seekPoints.length * 64;
  }

  add(sizes: readonly number[], span: ByteSpan): void {
    for (const size of sizes) {
      if (this.#frames % seekFrames === 0)
        this.#seekPoints.push({ sample: this.#frames * frameSamples, offset: this.#bytes, samples: frameSamples });
      this.#frames += 1;
      this.#bytes += size;
    }
    this.#append([span]);
  }

  head(samples: number, multipleOf: number): Buffer {
    const seekPoints = this.#seekPoints.map((point) => ({
      ...point,
      samples: Math.min(point.samples, samples - point.sample),
    }));
    return flacHead({ samples, rate: audioRate, seekPoints }, multipleOf);
  }
}

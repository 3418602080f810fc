import { box, text, u32 } from '../boxes/mp4-boxes.ts';
import { movieHeader } from '../boxes/track-box.ts';
import { audioRate } from '../audio/audio-grid.ts';
import { spansLength } from '../byte-span.ts';
import type { ByteSpan } from '../byte-span.ts';
import { aacSamples, aacTrack, movieHead } from './movie-parts.ts';
import { SampleTable } from './sample-table.ts';

const onlyTrack = 1;

/** An M4A with its index in front: the movie's own AAC frames, without the video. */
export class AudioLayout {
  readonly #frames = new SampleTable(true);
  readonly #append: (spans: readonly ByteSpan[]) => void;
  #bytes = 0;

  constructor(append: (spans: readonly ByteSpan[]) => void) {
    this.#append = append;
  }

  /** Of the media so far. */
  get bytes(): number {
    return this.#bytes;
  }

  get memoryBytes(): number {
    return this.#frames.memoryBytes;
  }

  /** Contiguous AAC frames. */
  add(sizes: readonly number[], spans: readonly ByteSpan[]): void {
    this.#frames.addChunk(this.#bytes, aacSamples(this.#frames, sizes));
    this.#bytes += spansLength(spans);
    this.#append(spans);
  }

  /**
   * Everything before the media, padded to a multiple of so many bytes. @param samples presented length of the audio
   */
  head(samples: number, multipleOf: number): Buffer {
    return movieHead({
      type: box('ftyp', text('M4A '), u32(512), text('M4A isomiso2mp42')),
      mediaBytes: this.#bytes,
      multipleOf,
      index: (dataStart) =>
        box('moov', movieHeader(audioRate, samples), aacTrack(onlyTrack, this.#frames, samples, dataStart)),
    });
  }
}

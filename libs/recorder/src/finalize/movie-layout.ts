import { box, text, u32 } from '../fragments/mp4-boxes.ts';
import { describedPicture, parameterSetBytes, sameBytes } from '../fragments/parameter-sets.ts';
import { editBox, movieHeader, pictureEntry, pictureParts, trackBox } from '../fragments/track-box.ts';
import type { PictureDescription } from '../fragments/track-box.ts';
import { audioTrack, videoTrack } from '../fragments/init-segment.ts';
import { soundRate } from '../sound/sound-grid.ts';
import { spansLength } from './byte-span.ts';
import type { ByteSpan } from './byte-span.ts';
import { aacSamples, aacTrack, movieHead } from './movie-parts.ts';
import { SampleTable } from './sample-table.ts';
import type { TableSample } from './sample-table.ts';

/**
 * A plain MP4 with its index in front, laid out while its media comes: what is appended stays where it is, and only the
 * beginning, which is made at the end, knows where that is.
 */
export class MovieLayout {
  /** The recording's own size, in which all pictures are shown. */
  readonly #shown: PictureDescription;
  /** One for each way its pictures are decoded, in the order they came. */
  readonly #entries: [PictureDescription, ...PictureDescription[]];
  readonly #pictures = new SampleTable(false);
  readonly #sound = new SampleTable(true);
  readonly #append: (spans: readonly ByteSpan[]) => void;
  #bytes = 0;

  constructor(picture: PictureDescription, append: (spans: readonly ByteSpan[]) => void) {
    this.#shown = picture;
    this.#entries = [describedPicture(picture.avcC, picture)];
    this.#append = append;
  }

  /** Of the media so far. */
  get bytes(): number {
    return this.#bytes;
  }

  get memoryBytes(): number {
    return this.#pictures.memoryBytes + this.#sound.memoryBytes;
  }

  /** Samples one after the other, as their bytes are in the spans. Times are in the picture's timescale. */
  addPictures(samples: readonly TableSample[], spans: readonly ByteSpan[], picture: PictureDescription): void {
    this.#pictures.addChunk(this.#bytes, samples, this.#entryOf(picture));
    this.#take(spans);
  }

  /** From 1. */
  #entryOf(picture: PictureDescription): number {
    const sets = parameterSetBytes(picture.avcC);
    const known = this.#entries.findIndex(({ avcC }) => sameBytes(parameterSetBytes(avcC), sets));
    if (known !== -1) return known + 1;
    return this.#entries.push(picture);
  }

  /** AAC frames that follow on those before. */
  addSound(sizes: readonly number[], spans: readonly ByteSpan[]): void {
    this.#sound.addChunk(this.#bytes, aacSamples(this.#sound, sizes));
    this.#take(spans);
  }

  #take(spans: readonly ByteSpan[]): void {
    this.#bytes += spansLength(spans);
    this.#append(spans);
  }

  /** All that comes before the media, filled up to a multiple of so many bytes. @param samples how long the sound is heard */
  head(samples: number, multipleOf: number): Buffer {
    return movieHead({
      type: box('ftyp', text('isom'), u32(512), text('isomiso2avc1mp41')),
      mediaBytes: this.#bytes,
      multipleOf,
      index: (dataStart) => this.#index(samples, dataStart),
    });
  }

  #index(samples: number, dataStart: number): Buffer {
    return box(
      'moov',
      movieHeader(soundRate, samples),
      this.#pictureTrack(samples, dataStart),
      aacTrack(audioTrack.id, this.#sound, samples, dataStart),
    );
  }

  #pictureTrack(samples: number, dataStart: number): Buffer {
    const end = Math.round((samples * videoTrack.timescale) / soundRate);
    const { boxes, duration } = this.#pictures.boxes(end, dataStart);
    const firstSamples = Math.round(((this.#pictures.firstStart ?? 0) * soundRate) / videoTrack.timescale);
    const [first, ...further] = this.#entries;
    const shown = { duration: Math.max(0, samples - firstSamples), mediaTime: 0 };
    return trackBox({
      ...videoTrack,
      ...pictureParts(first, this.#shown),
      furtherEntries: further.map(pictureEntry),
      // Before its first picture it shows nothing: sound and picture keep their distance.
      edits: [editBox(firstSamples > 0 ? [{ duration: firstSamples, mediaTime: -1 }, shown] : [shown])],
      durations: { movie: samples, media: duration },
      tables: boxes,
    });
  }
}

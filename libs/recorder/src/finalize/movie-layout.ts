import { box, fullBox, text, u16, u32, u64, u8 } from '../fragments/mp4-boxes.ts';
import { editBox, movieHeader, pictureParts, soundParts, trackBox } from '../fragments/track-box.ts';
import type { PictureDescription } from '../fragments/track-box.ts';
import { audioTrack, videoTrack } from '../fragments/init-segment.ts';
import { aacConfig } from '../sound/adts.ts';
import { frameSamples, soundRate } from '../sound/sound-grid.ts';
import { spansLength } from './byte-span.ts';
import type { ByteSpan } from './byte-span.ts';
import { SampleTable } from './sample-table.ts';
import type { TableSample } from './sample-table.ts';

/** AAC frames before the first that is heard. */
const leadFrames = 1;
const mediaHeaderBytes = 16;
const smallestFree = 8;

/**
 * A plain MP4 with its index in front, laid out while its media comes: what is appended stays where it is, and only the
 * beginning, which is made at the end, knows where that is.
 */
export class MovieLayout {
  readonly #picture: PictureDescription;
  readonly #pictures = new SampleTable(false);
  readonly #sound = new SampleTable(true);
  readonly #append: (spans: readonly ByteSpan[]) => void;
  #bytes = 0;

  constructor(picture: PictureDescription, append: (spans: readonly ByteSpan[]) => void) {
    this.#picture = picture;
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
  addPictures(samples: readonly TableSample[], spans: readonly ByteSpan[]): void {
    this.#pictures.addChunk(this.#bytes, samples);
    this.#take(spans);
  }

  /** AAC frames that follow on those before. */
  addSound(sizes: readonly number[], spans: readonly ByteSpan[]): void {
    const first = this.#sound.samples;
    const samples = sizes.map((size, index) => ({ start: (first + index) * frameSamples, size, key: true }));
    this.#sound.addChunk(this.#bytes, samples);
    this.#take(spans);
  }

  #take(spans: readonly ByteSpan[]): void {
    this.#bytes += spansLength(spans);
    this.#append(spans);
  }

  /** All that comes before the media, filled up to a multiple of so many bytes. @param samples how long the sound is heard */
  head(samples: number, multipleOf: number): Buffer {
    const type = box('ftyp', text('isom'), u32(512), text('isomiso2avc1mp41'));
    // Far in the file an offset takes eight bytes, which makes the index longer.
    let dataStart: number;
    let index: Buffer;
    let needed = multipleOf;
    do {
      dataStart = needed;
      index = this.#index(samples, dataStart);
      const bytes = type.length + index.length + mediaHeaderBytes + smallestFree;
      needed = Math.max(dataStart, upTo(multipleOf, bytes));
    } while (needed !== dataStart);
    const free = dataStart - type.length - index.length - mediaHeaderBytes;
    return Buffer.concat([
      type,
      index,
      box('free', Buffer.alloc(free - smallestFree)),
      u32(1),
      text('mdat'),
      u64(this.#bytes + mediaHeaderBytes),
    ]);
  }

  #index(samples: number, dataStart: number): Buffer {
    return box(
      'moov',
      movieHeader(soundRate, samples),
      this.#pictureTrack(samples, dataStart),
      this.#soundTrack(samples, dataStart),
    );
  }

  #pictureTrack(samples: number, dataStart: number): Buffer {
    const end = Math.round((samples * videoTrack.timescale) / soundRate);
    const { boxes, duration } = this.#pictures.boxes(end, dataStart);
    const firstSamples = Math.round(((this.#pictures.firstStart ?? 0) * soundRate) / videoTrack.timescale);
    const shown = { duration: Math.max(0, samples - firstSamples), mediaTime: 0 };
    return trackBox({
      ...videoTrack,
      ...pictureParts(this.#picture),
      // Before its first picture it shows nothing: sound and picture keep their distance.
      edits: [editBox(firstSamples > 0 ? [{ duration: firstSamples, mediaTime: -1 }, shown] : [shown])],
      durations: { movie: samples, media: duration },
      tables: boxes,
    });
  }

  #soundTrack(samples: number, dataStart: number): Buffer {
    const { boxes, duration } = this.#sound.boxes(this.#sound.samples * frameSamples, dataStart);
    return trackBox({
      ...audioTrack,
      ...soundParts('mp4a', { channels: 1, rate: soundRate }, decoderBox()),
      edits: [editBox([{ duration: samples, mediaTime: leadFrames * frameSamples }])],
      durations: { movie: samples, media: duration },
      tables: boxes,
    });
  }
}

function upTo(multipleOf: number, length: number): number {
  return Math.ceil(length / multipleOf) * multipleOf;
}

/** The elementary stream descriptor (ISO 14496-1): AAC-LC. */
function decoderBox(): Buffer {
  const descriptor = (tag: number, ...content: readonly Buffer[]): Buffer => {
    const inside = Buffer.concat(content);
    return Buffer.concat([u8(tag, inside.length), inside]);
  };
  const decoder = descriptor(4, u8(0x40, 0x15, 0, 0, 0), u32(0, 96_000), descriptor(5, aacConfig));
  return fullBox('esds', 0, 0, descriptor(3, u16(0), u8(0), decoder, descriptor(6, u8(2))));
}

import { box, fullBox, text, u16, u32, u64, u8 } from '../boxes/mp4-boxes.ts';
import { audioTrack } from '../fragments/init-segment.ts';
import { editBox, audioParts, trackBox } from '../boxes/track-box.ts';
import { aacConfig } from '../audio/adts.ts';
import { frameSamples, audioRate } from '../audio/audio-grid.ts';
import type { SampleTable } from './sample-table.ts';

/** AAC frames before the first presented one. */
const leadFrames = 1;
const mediaHeaderBytes = 16;
const smallestFree = 8;

export interface MovieHead {
  readonly type: Buffer;
  /** Size of everything after the head. */
  readonly mediaBytes: number;
  readonly multipleOf: number;
  /** Built for every possible position of the media. */
  index(dataStart: number): Buffer;
}

/** Everything before the media, padded to a multiple of so many bytes. */
export function movieHead({ type, mediaBytes, multipleOf, index: indexFor }: MovieHead): Buffer {
  // A large offset takes eight bytes, which makes the index longer.
  let dataStart: number;
  let index: Buffer;
  let needed = multipleOf;
  do {
    dataStart = needed;
    index = indexFor(dataStart);
    const bytes = type.length + index.length + mediaHeaderBytes + smallestFree;
    needed = Math.max(dataStart, Math.ceil(bytes / multipleOf) * multipleOf);
  } while (needed !== dataStart);
  const free = dataStart - type.length - index.length - mediaHeaderBytes;
  return Buffer.concat([
    type,
    index,
    box('free', Buffer.alloc(free - smallestFree)),
    u32(1),
    text('mdat'),
    u64(mediaBytes + mediaHeaderBytes),
  ]);
}

/** The track of contiguous AAC frames. @param samples presented length of the audio */
export function aacTrack(id: number, table: SampleTable, samples: number, dataStart: number): Buffer {
  const { boxes, duration } = table.boxes(table.samples * frameSamples, dataStart);
  return trackBox({
    id,
    timescale: audioTrack.timescale,
    ...audioParts('mp4a', { channels: 1, rate: audioRate }, decoderBox()),
    edits: [editBox([{ duration: samples, mediaTime: leadFrames * frameSamples }])],
    durations: { movie: samples, media: duration },
    tables: boxes,
  });
}

/** Frames as rows of a table, counted on from those that are in it. */
export function aacSamples(table: SampleTable, sizes: readonly number[]) {
  const first = table.samples;
  return sizes.map((size, index) => ({ start: (first + index) * frameSamples, size, key: true }));
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

import { box, fullBox, text, u16, u32, u64, u8 } from './mp4-boxes.ts';

/** One track of a movie's index. Durations and tables stay empty in a file whose media comes in fragments. */
export interface TrackParts {
  readonly id: number;
  readonly timescale: number;
  readonly handler: 'vide' | 'soun';
  readonly volume: number;
  readonly width: number;
  readonly height: number;
  readonly mediaHeader: Buffer;
  readonly sampleEntry: Buffer;
  /** Entries of samples with another decoder configuration; the tables refer to them. */
  readonly furtherEntries?: readonly Buffer[];
  readonly edits: readonly Buffer[];
  /** In the movie's timescale, and in the track's own. */
  readonly durations?: { readonly movie: number; readonly media: number };
  /** The tables of sample positions. */
  readonly tables?: readonly Buffer[];
}

export const matrix = u32(0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000);

const noSamples = [
  fullBox('stts', 0, 0, u32(0)),
  fullBox('stsc', 0, 0, u32(0)),
  fullBox('stsz', 0, 0, u32(0, 0)),
  fullBox('stco', 0, 0, u32(0)),
];

export function trackBox(parts: TrackParts): Buffer {
  const name = parts.handler === 'vide' ? 'Picture\0' : 'Sound\0';
  const { movie, media } = parts.durations ?? { movie: 0, media: 0 };
  const entries = [parts.sampleEntry, ...(parts.furtherEntries ?? [])];
  return box(
    'trak',
    fullBox(
      'tkhd',
      1,
      3,
      u32(0, 0, 0, 0, parts.id, 0),
      u64(movie),
      u32(0, 0),
      u16(0, 0, parts.volume, 0),
      matrix,
      u32(parts.width << 16, parts.height << 16),
    ),
    ...parts.edits,
    box(
      'mdia',
      fullBox('mdhd', 1, 0, u32(0, 0, 0, 0, parts.timescale), u64(media), u16(0x55c4, 0)),
      fullBox('hdlr', 0, 0, u32(0), text(parts.handler), u32(0, 0, 0), text(name)),
      box(
        'minf',
        parts.mediaHeader,
        box('dinf', fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, 1))),
        box('stbl', fullBox('stsd', 0, 0, u32(entries.length), ...entries), ...(parts.tables ?? noSamples)),
      ),
    ),
  );
}

export function movieHeader(timescale: number, duration: number): Buffer {
  return fullBox(
    'mvhd',
    1,
    0,
    u32(0, 0, 0, 0, timescale),
    u64(duration),
    u32(0x1_0000),
    u16(0x100, 0),
    u32(0, 0),
    matrix,
    u32(0, 0, 0, 0, 0, 0, 3),
  );
}

export interface FrameDescription {
  readonly width: number;
  readonly height: number;
  /** The AVCDecoderConfigurationRecord. */
  readonly avcC: Uint8Array;
}

/** @param shown the size it is shown in; that of the frames themselves may be another one */
export function videoParts(
  video: FrameDescription,
  shown: { readonly width: number; readonly height: number } = video,
) {
  return {
    handler: 'vide',
    volume: 0,
    width: shown.width,
    height: shown.height,
    mediaHeader: fullBox('vmhd', 0, 1, u16(0, 0, 0, 0)),
    sampleEntry: videoEntry(video),
  } as const;
}

export function videoEntry(video: FrameDescription): Buffer {
  return box(
    'avc1',
    u8(0, 0, 0, 0, 0, 0),
    u16(1, 0, 0),
    u32(0, 0, 0),
    u16(video.width, video.height),
    u32(0x48_0000, 0x48_0000, 0),
    u16(1),
    Buffer.alloc(32),
    u16(0x18, 0xff_ff),
    box('avcC', video.avcC),
  );
}

/** @param format the entry's four letters, and the boxes that describe the audio to its decoder */
export function audioParts(format: string, audio: { channels: number; rate: number }, ...description: Buffer[]) {
  return {
    handler: 'soun',
    volume: 0x100,
    width: 0,
    height: 0,
    mediaHeader: fullBox('smhd', 0, 0, u16(0, 0)),
    sampleEntry: box(
      format,
      u8(0, 0, 0, 0, 0, 0),
      u16(1),
      u32(0, 0),
      u16(audio.channels, 16, 0, 0),
      u32(audio.rate << 16),
      ...description,
    ),
  } as const;
}

/** One stretch of a track's time line; `mediaTime` -1 shows nothing. */
export interface Edit {
  /** In the movie's timescale. */
  readonly duration: number;
  readonly mediaTime: number;
}

export function editBox(edits: readonly Edit[]): Buffer {
  const entries = edits.map(({ duration, mediaTime }) => Buffer.concat([u64(duration), i64(mediaTime), u16(1, 0)]));
  return box('edts', fullBox('elst', 1, 0, u32(edits.length), ...entries));
}

function i64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes;
}

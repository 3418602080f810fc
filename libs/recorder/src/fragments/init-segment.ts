import { box, boxesIn, fullBox, text, u16, u32, u64, u8 } from './mp4-boxes.ts';

export const videoTrack = { id: 1, timescale: 90_000 } as const;
export const audioTrack = { id: 2, timescale: 48_000 } as const;

export interface InitDescription {
  /** Absent for a recording of sound only. `avcC` is the AVCDecoderConfigurationRecord. */
  readonly video?: { readonly width: number; readonly height: number; readonly avcC: Uint8Array };
  readonly audio: OpusDescription;
}

export interface OpusDescription {
  readonly channels: number;
  /** Samples at 48 kHz that the decoder gives before the first real one. */
  readonly preSkip: number;
}

const matrix = u32(0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000);
const movieTimescale = 1_000;

/** The file's beginning: what is in it and how to decode it, without any media. */
export function initSegment(description: InitDescription): Buffer {
  const { video, audio } = description;
  const tracks = [...(video ? [videoTrak(video)] : []), audioTrak(audio)];
  const ids = [...(video ? [videoTrack.id] : []), audioTrack.id];
  return Buffer.concat([
    box('ftyp', text('iso5'), u32(512), text('iso5iso6mp41')),
    box(
      'moov',
      fullBox(
        'mvhd',
        0,
        0,
        u32(0, 0, movieTimescale, 0, 0x1_0000),
        u16(0x100, 0),
        u32(0, 0),
        matrix,
        u32(0, 0, 0, 0, 0, 0, 3),
      ),
      ...tracks,
      box('mvex', ...ids.map((id) => fullBox('trex', 0, 0, u32(id, 1, 0, 0, 0)))),
    ),
  ]);
}

/** What an OpusHead (RFC 7845) says; the usual values when there is none. */
export function readOpusHead(head: Uint8Array | null): OpusDescription {
  if (!head || head.length < 12) return { channels: 1, preSkip: 312 };
  const view = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  return { channels: view.readUInt8(9), preSkip: view.readUInt16LE(10) };
}

/** The avcC record of an init segment of ours, or null when it has no picture. @throws Error when damaged */
export function readAvcC(init: Uint8Array): Uint8Array | null {
  const find = (path: readonly [string, number][], start: number, end: number): Uint8Array | null => {
    const [step, ...rest] = path;
    if (!step) return init.subarray(start, end);
    for (const place of boxesIn(init, start, end)) {
      if (place.type !== step[0]) continue;
      const found = find(rest, place.contentStart + step[1], place.end);
      if (found) return found;
    }
    return null;
  };
  const path: [string, number][] = [
    ['moov', 0],
    ['trak', 0],
    ['mdia', 0],
    ['minf', 0],
    ['stbl', 0],
    ['stsd', 8],
    ['avc1', 78],
    ['avcC', 0],
  ];
  return find(path, 0, init.length);
}

interface TrackParts {
  readonly id: number;
  readonly timescale: number;
  readonly handler: 'vide' | 'soun';
  readonly volume: number;
  readonly width: number;
  readonly height: number;
  readonly mediaHeader: Buffer;
  readonly sampleEntry: Buffer;
  readonly edits: readonly Buffer[];
}

function trak(parts: TrackParts): Buffer {
  const name = parts.handler === 'vide' ? 'Picture\0' : 'Sound\0';
  const empty = u32(0);
  return box(
    'trak',
    fullBox(
      'tkhd',
      0,
      3,
      u32(0, 0, parts.id, 0, 0, 0, 0),
      u16(0, 0, parts.volume, 0),
      matrix,
      u32(parts.width << 16, parts.height << 16),
    ),
    ...parts.edits,
    box(
      'mdia',
      fullBox('mdhd', 0, 0, u32(0, 0, parts.timescale, 0), u16(0x55c4, 0)),
      fullBox('hdlr', 0, 0, u32(0), text(parts.handler), u32(0, 0, 0), text(name)),
      box(
        'minf',
        parts.mediaHeader,
        box('dinf', fullBox('dref', 0, 0, u32(1), fullBox('url ', 0, 1))),
        box(
          'stbl',
          fullBox('stsd', 0, 0, u32(1), parts.sampleEntry),
          fullBox('stts', 0, 0, empty),
          fullBox('stsc', 0, 0, empty),
          fullBox('stsz', 0, 0, u32(0, 0)),
          fullBox('stco', 0, 0, empty),
        ),
      ),
    ),
  );
}

function videoTrak(video: { width: number; height: number; avcC: Uint8Array }): Buffer {
  return trak({
    ...videoTrack,
    handler: 'vide',
    volume: 0,
    width: video.width,
    height: video.height,
    mediaHeader: fullBox('vmhd', 0, 1, u16(0, 0, 0, 0)),
    edits: [],
    sampleEntry: box(
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
    ),
  });
}

function audioTrak(audio: OpusDescription): Buffer {
  return trak({
    ...audioTrack,
    handler: 'soun',
    volume: 0x100,
    width: 0,
    height: 0,
    mediaHeader: fullBox('smhd', 0, 0, u16(0, 0)),
    // The decoder's lead-in is cut off, so that the first real sample stands at time zero.
    edits: [box('edts', fullBox('elst', 1, 0, u32(1), u64(0), u64(audio.preSkip), u16(1, 0)))],
    sampleEntry: box(
      'Opus',
      u8(0, 0, 0, 0, 0, 0),
      u16(1),
      u32(0, 0),
      u16(audio.channels, 16, 0, 0),
      u32(audioTrack.timescale << 16),
      box('dOps', u8(0, audio.channels), u16(audio.preSkip), u32(audioTrack.timescale), u16(0), u8(0)),
    ),
  });
}

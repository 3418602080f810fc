import { box, boxesIn, fullBox, text, u16, u32, u8 } from '../boxes/mp4-boxes.ts';
import { describedFrame } from '../avc/parameter-sets.ts';
import { editBox, movieHeader, videoParts, audioParts, trackBox } from '../boxes/track-box.ts';
import type { FrameDescription } from '../boxes/track-box.ts';

export const videoTrack = { id: 1, timescale: 90_000 } as const;
export const audioTrack = { id: 2, timescale: 48_000 } as const;

export interface InitDescription {
  /** Absent for a recording of audio only. The size is the recording's; frames have one of their own. */
  readonly video?: FrameDescription;
  readonly audio: OpusDescription;
}

export interface OpusDescription {
  readonly channels: number;
  /** Samples at 48 kHz that the decoder gives before the first real one. */
  readonly preSkip: number;
}

const movieTimescale = 1_000;

/** The init segment: the tracks and their decoder configuration, without media. */
export function initSegment(description: InitDescription): Buffer {
  const { video, audio } = description;
  const tracks = [
    ...(video ? [trackBox({ ...videoTrack, ...videoParts(describedFrame(video.avcC, video), video), edits: [] })] : []),
    audioTrackBox(audio),
  ];
  const ids = [...(video ? [videoTrack.id] : []), audioTrack.id];
  return Buffer.concat([
    box('ftyp', text('iso5'), u32(512), text('iso5iso6mp41')),
    box(
      'moov',
      movieHeader(movieTimescale, 0),
      ...tracks,
      box('mvex', ...ids.map((id) => fullBox('trex', 0, 0, u32(id, 1, 0, 0, 0)))),
    ),
  ]);
}

/** The content of an OpusHead (RFC 7845); the usual values when there is none. */
export function readOpusHead(head: Uint8Array | null): OpusDescription {
  if (!head || head.length < 12) return { channels: 1, preSkip: 312 };
  const view = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  return { channels: view.readUInt8(9), preSkip: view.readUInt16LE(10) };
}

/** The avcC record of an init segment of ours, or null when it has no video. @throws Error when damaged */
export function readAvcC(init: Uint8Array): Uint8Array | null {
  return find(init, [...toSampleEntry, ['avc1', 78], ['avcC', 0]]);
}

/** The video that an init segment of ours describes, in the recording's size, or null when it has none. @throws Error when damaged */
export function readFrame(init: Uint8Array): FrameDescription | null {
  const avcC = readAvcC(init);
  const size = find(init, toShownSize);
  if (!avcC || !size) return null;
  const view = Buffer.from(size.buffer, size.byteOffset, size.byteLength);
  // Halves of a pixel have two bytes of their own.
  return { width: view.readUInt16BE(0), height: view.readUInt16BE(4), avcC };
}

/** The audio description in an init segment of ours. @throws Error when damaged, or without one */
export function readOpus(init: Uint8Array): OpusDescription {
  const found = find(init, [...toSampleEntry, ['Opus', 28], ['dOps', 0]]);
  if (!found) throw new Error('This beginning of a recording describes no audio.');
  const view = Buffer.from(found.buffer, found.byteOffset, found.byteLength);
  return { channels: view.readUInt8(1), preSkip: view.readUInt16BE(2) };
}

/**
 * Whether media of one init segment can follow that of another: the same size, the same number of audio channels;
 * either may have no video.
 */
export function canFollow(first: Uint8Array, next: Uint8Array): boolean {
  const [one, other] = [readFrame(first), readFrame(next)];
  const sameSize = !one || !other || (one.width === other.width && one.height === other.height);
  return sameSize && channelsIn(first) === channelsIn(next);
}

function channelsIn(init: Uint8Array): number | null {
  return find(init, [...toSampleEntry, ['Opus', 17]])?.[0] ?? null;
}

type PathStep = readonly [type: string, headerBytes: number];

/** The first track's, which is the video track where there is one. */
const toShownSize: readonly PathStep[] = [
  ['moov', 0],
  ['trak', 0],
  ['tkhd', 88],
];
const toSampleEntry: readonly PathStep[] = [
  ['moov', 0],
  ['trak', 0],
  ['mdia', 0],
  ['minf', 0],
  ['stbl', 0],
  ['stsd', 8],
];

/** What is in the first box at the end of a path, without that many bytes at each step. @throws Error when damaged */
function find(init: Uint8Array, path: readonly PathStep[], start = 0, end = init.length): Uint8Array | null {
  const [step, ...rest] = path;
  if (!step) return init.subarray(start, end);
  for (const place of boxesIn(init, start, end)) {
    if (place.type !== step[0]) continue;
    const found = find(init, rest, place.contentStart + step[1], place.end);
    if (found) return found;
  }
  return null;
}

function audioTrackBox(audio: OpusDescription): Buffer {
  return trackBox({
    ...audioTrack,
    ...audioParts(
      'Opus',
      { channels: audio.channels, rate: audioTrack.timescale },
      box('dOps', u8(0, audio.channels), u16(audio.preSkip), u32(audioTrack.timescale), u16(0), u8(0)),
    ),
    // The decoder's lead-in is cut off, so that the first real sample is at time zero.
    edits: [editBox([{ duration: 0, mediaTime: audio.preSkip }])],
  });
}

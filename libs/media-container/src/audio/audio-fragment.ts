import { createHash } from 'node:crypto';
import { box, boxesIn, u16, u32 } from '../boxes/mp4-boxes.ts';

/** Encoded audio of a span. */
export interface EncodedAudio {
  readonly firstFrame: number;
  /** Whole frames, except for the last one of a recording. */
  readonly flac: readonly Buffer[];
  /** With a few more frames on both sides, for the joints. */
  readonly aac: readonly Buffer[];
  readonly firstAacFrame: number;
}

/**
 * The stored form of a fragment: MP4-like boxes, the last one a checksum of the others. Frame numbers may be below
 * zero.
 */
export function audioFragmentBytes(audio: EncodedAudio): Buffer {
  const numbers = u32(1, audio.firstFrame, audio.firstAacFrame >>> 0, audio.aac.length, audio.flac.length);
  const content = Buffer.concat([
    box('head', numbers),
    box('aacs', u16(...audio.aac.map((frame) => frame.length))),
    box('aacd', ...audio.aac),
    box('flcs', u16(...audio.flac.map((frame) => frame.length))),
    box('flcd', ...audio.flac),
  ]);
  return Buffer.concat([content, box('hash', hashOf(content))]);
}

/** @throws Error when it is cut, damaged or of another kind */
export function readAudioFragment(bytes: Buffer): EncodedAudio {
  const places = boxesIn(bytes);
  const [head, aacSizes, aacData, flacSizes, flacData, hash] = places.map((place) =>
    bytes.subarray(place.contentStart, place.end),
  );
  const intact = hash?.equals(hashOf(bytes.subarray(0, places[5]?.start ?? 0))) === true;
  if (!intact || !head || !aacSizes || !aacData || !flacSizes || !flacData || head.readUInt32BE(0) !== 1)
    throw new Error('This fragment of encoded audio is cut, damaged or of another kind.');
  return {
    firstFrame: head.readUInt32BE(4),
    firstAacFrame: head.readInt32BE(8),
    aac: cut(aacSizes, aacData),
    flac: cut(flacSizes, flacData),
  };
}

function hashOf(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function cut(sizes: Buffer, data: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  let at = 0;
  for (let index = 0; index < sizes.length; index += 2) {
    const end = at + sizes.readUInt16BE(index);
    frames.push(data.subarray(at, end));
    at = end;
  }
  return frames;
}

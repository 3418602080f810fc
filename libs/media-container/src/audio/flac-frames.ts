import { frameSamples } from './audio-grid.ts';

const crc8Table = Uint8Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 0x80 ? (rest << 1) ^ 0x07 : rest << 1;
  return rest & 0xff;
});
const crc16Table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let rest = byte << 8;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 0x80_00 ? (rest << 1) ^ 0x80_05 : rest << 1;
  return rest & 0xff_ff;
});

function crc8(bytes: Uint8Array, start: number, end: number): number {
  let rest = 0;
  for (let at = start; at < end; at += 1) rest = crc8Table[rest ^ (bytes[at] ?? 0)] ?? 0;
  return rest;
}

/** @param before the checksum of what precedes these bytes */
function crc16(bytes: Uint8Array, start: number, end: number, before = 0): number {
  let rest = before;
  for (let at = start; at < end; at += 1)
    rest = ((rest << 8) & 0xff_ff) ^ (crc16Table[(rest >>> 8) ^ (bytes[at] ?? 0)] ?? 0);
  return rest;
}

interface FrameHeader {
  readonly number: number;
  /** Bytes of the number. */
  readonly numberBytes: number;
  /** Bytes of the whole header, its checksum included. */
  readonly bytes: number;
}

const numberAt = 4;

/** The header of a frame of fixed block size at a place, or null when there is none. */
function headerAt(bytes: Uint8Array, start: number): FrameHeader | null {
  if (bytes[start] !== 0xff || bytes[start + 1] !== 0xf8) return null;
  const first = bytes[start + numberAt] ?? 0xff;
  const ones = Math.clz32(~(first << 24));
  if (ones === 1 || ones > 7) return null;
  const numberBytes = Math.max(1, ones);
  let number = ones === 0 ? first : first & (0x7f >>> ones);
  for (let index = 1; index < numberBytes; index += 1)
    number = number * 64 + ((bytes[start + numberAt + index] ?? 0) & 0x3f);
  const codes = bytes[start + 2] ?? 0;
  const blockBytes = { 6: 1, 7: 2 }[codes >>> 4] ?? 0;
  const rateBytes = { 12: 1, 13: 2, 14: 2 }[codes & 0x0f] ?? 0;
  const end = start + numberAt + numberBytes + blockBytes + rateBytes;
  return bytes[end] === crc8(bytes, start, end) ? { number, numberBytes, bytes: end + 1 - start } : null;
}

/**
 * The frames of a FLAC stream of fixed block size, without its header. Frames have no length: one ends where the next
 * one's header begins and its own checksum matches.
 * @throws Error when it is cut or damaged
 */
export function splitFlac(stream: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  const metadata = metadataOf(stream);
  if (metadata === null) throw damaged();
  let start = metadata.bytes;
  while (start < stream.length) {
    const end = endOfFrame(stream, start, frames.length);
    frames.push(stream.subarray(start, end));
    start = end;
  }
  return frames;
}

export interface FlacMetadata extends FlacFacts {
  /** The length of the file before its first frame. */
  readonly bytes: number;
}

/** What is before the first frame; null: these bytes do not hold all of it. @throws Error when it is no FLAC */
export function metadataOf(stream: Buffer): FlacMetadata | null {
  if (stream.length >= 4 && stream.toString('latin1', 0, 4) !== 'fLaC') throw damaged();
  const facts = { samples: 0, rate: 0, seekPoints: [] as { sample: number; offset: number; samples: number }[] };
  for (let at = 4; at + 4 <= stream.length;) {
    const content = stream.subarray(at + 4, at + 4 + (stream.readUInt32BE(at) & 0xff_ff_ff));
    const type = stream[at] ?? 0;
    at += 4 + (stream.readUInt32BE(at) & 0xff_ff_ff);
    if (at > stream.length) return null;
    if ((type & 0x7f) === 0) {
      const packed = content.readBigUInt64BE(10);
      Object.assign(facts, { rate: Number(packed >> 44n), samples: Number(packed & 0xf_ff_ff_ff_ffn) });
    } else if ((type & 0x7f) === seekTableType) {
      for (let point = 0; point + 18 <= content.length; point += 18) {
        const [sample, offset] = [content.readBigUInt64BE(point), content.readBigUInt64BE(point + 8)].map(Number);
        const samples = content.readUInt16BE(point + 16);
        // A placeholder has no samples.
        if (samples > 0) facts.seekPoints.push({ sample: sample ?? 0, offset: offset ?? 0, samples });
      }
    }
    if ((type & 0x80) !== 0) return { ...facts, bytes: at };
  }
  return null;
}

/**
 * The end of the frame with this number, which begins at `start`.
 * @throws Error when it is cut or damaged
 */
export function endOfFrame(stream: Buffer, start: number, number: number): number {
  const header = headerAt(stream, start);
  if (header?.number !== number) throw damaged();
  const sync = stream.subarray(start, start + 2);
  let [end, checked, rest] = [start + header.bytes + 2, start, 0];
  while (end < stream.length) {
    const next = stream.indexOf(sync, end + 1);
    end = next === -1 ? stream.length : next;
    if (end < stream.length && headerAt(stream, end)?.number !== number + 1) continue;
    rest = crc16(stream, checked, end - 2, rest);
    checked = end - 2;
    if (stream.readUInt16BE(checked) === rest) return end;
  }
  throw damaged();
}

function damaged(): Error {
  return new Error('The encoded FLAC audio is cut or damaged.');
}

/** The same frame as another one of the stream. @throws Error when it is no frame */
export function numberedFlacFrame(frame: Buffer, number: number): Buffer {
  const header = headerAt(frame, 0);
  if (header === null) throw damaged();
  if (header.number === number) return frame;
  const codedNumber = coded(number);
  const headEnd = header.bytes - 1 + codedNumber.length - header.numberBytes;
  const changed = Buffer.allocUnsafe(frame.length + codedNumber.length - header.numberBytes);
  frame.copy(changed, 0, 0, numberAt);
  codedNumber.copy(changed, numberAt);
  frame.copy(changed, numberAt + codedNumber.length, numberAt + header.numberBytes);
  changed.writeUInt8(crc8(changed, 0, headEnd), headEnd);
  changed.writeUInt16BE(crc16(changed, 0, changed.length - 2), changed.length - 2);
  return changed;
}

/** As UTF-8 codes characters, for numbers up to 36 bits. */
function coded(number: number): Buffer {
  if (number < 0x80) return Buffer.of(number);
  let following = 1;
  while (number >= 2 ** (5 * following + 6)) following += 1;
  const bytes = Buffer.alloc(following + 1);
  let left = number;
  for (let at = following; at > 0; at -= 1) {
    bytes[at] = 0x80 | (left % 64);
    left = Math.floor(left / 64);
  }
  bytes[0] = ((0xff << (7 - following)) & 0xff) | left;
  return bytes;
}

export interface FlacFacts {
  readonly samples: number;
  readonly rate: number;
  readonly seekPoints: readonly { readonly sample: number; readonly offset: number; readonly samples: number }[];
}

const paddingType = 1;
const seekTableType = 3;

/**
 * The header of a FLAC file of one channel and 16 bits, padded to a multiple of `multipleOf` bytes. The checksum of the
 * decoded audio is left out, as the format allows: computing it requires decoding the whole file.
 */
export function flacHead(facts: FlacFacts, multipleOf: number): Buffer {
  const info = Buffer.alloc(34);
  info.writeUInt16BE(frameSamples, 0);
  info.writeUInt16BE(frameSamples, 2);
  // 20 bits of rate, 3 of channels less one, 5 of bits less one, 36 of samples.
  const packed = (BigInt(facts.rate) << 44n) | (15n << 36n) | BigInt(facts.samples);
  info.writeBigUInt64BE(packed, 10);
  const seek = Buffer.alloc(facts.seekPoints.length * 18);
  facts.seekPoints.forEach((point, index) => {
    seek.writeBigUInt64BE(BigInt(point.sample), index * 18);
    seek.writeBigUInt64BE(BigInt(point.offset), index * 18 + 8);
    seek.writeUInt16BE(point.samples, index * 18 + 16);
  });
  const begin = Buffer.concat([Buffer.from('fLaC'), metadata(0, info), metadata(seekTableType, seek)]);
  const padding = (multipleOf - ((begin.length + 4) % multipleOf)) % multipleOf;
  return Buffer.concat([begin, metadata(paddingType | 0x80, Buffer.alloc(padding))]);
}

function metadata(typeAndLast: number, content: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(content.length, 0);
  head.writeUInt8(typeAndLast, 0);
  return Buffer.concat([head, content]);
}

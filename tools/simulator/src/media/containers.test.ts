import { describe, expect, test } from '@jest/globals';
import { isH264KeyFrame, packetizeH264, readAccessUnits, unitsOf } from './h264-stream.ts';
import { isVp8KeyFrame, readIvf } from './ivf.ts';
import { readOggOpus } from './audio-track.ts';
import { packetizeVp8 } from './media-connection.ts';

function ivfOf(frames: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(32);
  header.write('DKIF', 0);
  header.writeUInt16LE(32, 6);
  header.write('VP80', 8);
  header.writeUInt16LE(640, 12);
  header.writeUInt16LE(360, 14);
  const parts = frames.flatMap((frame) => {
    const frameHeader = Buffer.alloc(12);
    frameHeader.writeUInt32LE(frame.length, 0);
    return [frameHeader, frame];
  });
  return Buffer.concat([header, ...parts]);
}

function oggPage(segments: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(27);
  header.write('OggS', 0);
  header[26] = segments.length;
  return Buffer.concat([header, Buffer.from(segments.map((segment) => segment.length)), ...segments]);
}

function opusHead(preSkip: number): Buffer {
  const head = Buffer.alloc(19);
  head.write('OpusHead', 0);
  head.writeUInt16LE(preSkip, 10);
  return head;
}

describe('the IVF reader', () => {
  test('gives size and frames', () => {
    const file = ivfOf([Buffer.from([0, 1]), Buffer.from([1, 2, 3])]);
    expect(readIvf(file)).toEqual({ width: 640, height: 360, frames: [Buffer.from([0, 1]), Buffer.from([1, 2, 3])] });
  });

  test('refuses a file that ends inside a frame', () => {
    const file = ivfOf([Buffer.from([0, 1, 2])]);
    expect(() => readIvf(file.subarray(0, file.length - 1))).toThrow('ends inside a frame');
  });

  test('distinguishes key frames from the others by the lowest bit', () => {
    expect([isVp8KeyFrame(Buffer.from([0x10])), isVp8KeyFrame(Buffer.from([0x11]))]).toEqual([true, false]);
  });
});

describe('the Ogg reader', () => {
  test('joins a packet that goes on over pages', () => {
    const long = Buffer.alloc(300, 7);
    const file = Buffer.concat([
      oggPage([opusHead(312)]),
      oggPage([Buffer.from('OpusTags')]),
      oggPage([Buffer.from([1]), long.subarray(0, 255)]),
      oggPage([long.subarray(255), Buffer.from([2])]),
    ]);
    expect(readOggOpus(file)).toEqual({ preSkipSamples: 312, packets: [Buffer.from([1]), long, Buffer.from([2])] });
  });

  test('refuses a stream that is not Opus', () => {
    expect(() => readOggOpus(oggPage([Buffer.from('vorbis')]))).toThrow('Opus header');
  });
});

describe('VP8 over RTP', () => {
  test('marks only the first part as the start and gives all parts the same picture id', () => {
    const frame = Buffer.alloc(3000, 9);
    const parts = packetizeVp8(frame, 0x8001);
    expect(parts.map((part) => part[0])).toEqual([0x90, 0x80, 0x80]);
    expect(parts.map((part) => part.readUInt16BE(2))).toEqual([0x8001, 0x8001, 0x8001]);
    expect(Buffer.concat(parts.map((part) => part.subarray(4)))).toEqual(frame);
  });
});

describe('H.264', () => {
  const unit = (type: number, length: number): Buffer =>
    Buffer.concat([Buffer.from([0x60 | type]), Buffer.alloc(length, 7)]);
  const [sequenceSet, pictureParameterSet, key, other] = [unit(7, 20), unit(8, 4), unit(5, 3_000), unit(1, 90)];
  const stream = Buffer.concat(
    [sequenceSet, pictureParameterSet, key, other, other].flatMap((one) => [Buffer.from([0, 0, 0, 1]), one]),
  );

  test('is split into frames, each key frame with what describes it', () => {
    const videoFrames = readAccessUnits(stream);
    expect(videoFrames.map(unitsOf)).toEqual([[sequenceSet, pictureParameterSet, key], [other], [other]]);
    expect(videoFrames.map(isH264KeyFrame)).toEqual([true, false, false]);
  });

  test('goes over RTP whole, its descriptions together and what is too long in fragments', () => {
    const [together, ...fragments] = packetizeH264(readAccessUnits(stream)[0] ?? Buffer.alloc(0));
    const expected = [Buffer.from([0x60 | 24, 0, 21]), sequenceSet, Buffer.from([0, 5]), pictureParameterSet];
    expect(together).toEqual(Buffer.concat(expected));
    expect(fragments.map((part) => [...part.subarray(0, 2)])).toEqual([
      [0x60 | 28, 0x80 | 5],
      [0x60 | 28, 5],
      [0x60 | 28, 0x40 | 5],
    ]);
    expect(Buffer.concat(fragments.map((part) => part.subarray(2)))).toEqual(key.subarray(1));
    expect(packetizeH264(readAccessUnits(stream)[1] ?? Buffer.alloc(0))).toEqual([other]);
  });
});

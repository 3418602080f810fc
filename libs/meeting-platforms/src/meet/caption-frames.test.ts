import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { MeetCaptions } from './caption-frames.ts';

const varint = (field: number, value: number): number[] => [field * 8, value];
const bytes = (field: number, content: readonly number[]): number[] => [field * 8 + 2, content.length, ...content];
const text = (field: number, content: string): number[] => bytes(field, [...Buffer.from(content)]);
const caption = (version: number, said: string, isFinal = false, device = 'd/1'): number[] =>
  bytes(1, [
    ...text(1, device),
    ...varint(2, 7),
    ...varint(3, version),
    ...(isFinal ? varint(4, 1) : []),
    ...text(6, said),
    ...text(8, 'en-US'),
  ]);

describe('a caption of Google Meet', () => {
  test('is read with its speaker, its utterance and its language', () => {
    expect(new MeetCaptions().read(Uint8Array.from(caption(2, 'Hello there', true)))).toEqual({
      key: 'd/1/7',
      deviceId: 'd/1',
      text: 'Hello there',
      isFinal: true,
      language: 'en-US',
    });
  });

  test('is read packed, also behind three bytes', () => {
    const packed = gzipSync(Uint8Array.from(caption(1, 'packed')));
    expect(new MeetCaptions().read(packed)?.text).toBe('packed');
    expect(new MeetCaptions().read(Buffer.concat([Buffer.from([1, 2, 3]), packed]))?.text).toBe('packed');
  });

  test('counts only when it is newer than the one before, also after a final one', () => {
    const captions = new MeetCaptions();
    const read = (given: number[]) => captions.read(Uint8Array.from(given))?.text ?? null;
    expect(read(caption(3, 'three', true))).toBe('three');
    expect(read(caption(2, 'two'))).toBeNull();
    expect(read(caption(3, 'three'))).toBeNull();
    expect(read(caption(4, 'four'))).toBe('four');
    expect(read(caption(1, 'other', false, 'd/2'))).toBe('other');
  });

  test('is nothing when the message is something else, cut off or too large', () => {
    const captions = new MeetCaptions();
    expect(captions.read(Uint8Array.from([...caption(1, 'x'), ...bytes(2, [8, 1])]))).toBeNull();
    expect(captions.read(Uint8Array.from(bytes(1, varint(3, 1))))).toBeNull();
    expect(() => captions.read(Uint8Array.from(caption(1, 'cut').slice(0, 9)))).toThrow();
    expect(() => captions.read(new Uint8Array(300_000))).toThrow('too large');
    expect(() => captions.read(gzipSync(Buffer.alloc(5_000_000)))).toThrow();
  });
});

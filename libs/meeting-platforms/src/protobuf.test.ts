import { describe, expect, test } from '@jest/globals';
import { messagesIn, numberIn, readProtobuf, textIn } from './protobuf.page.ts';

describe('readProtobuf', () => {
  test('reads numbers, texts and messages, whatever else lies between them', () => {
    // 1: 150, 2: "hi", 3: fixed32 (skipped), 4: fixed64 (skipped), 5: { 1: 7 }
    const bytes = Uint8Array.of(
      0x08,
      0x96,
      0x01,
      0x12,
      2,
      0x68,
      0x69,
      0x1d,
      1,
      2,
      3,
      4,
      0x21,
      1,
      2,
      3,
      4,
      5,
      6,
      7,
      8,
      0x2a,
      2,
      0x08,
      7,
    );
    const fields = readProtobuf(bytes);
    expect(numberIn(fields, 1)).toBe(150);
    expect(textIn(fields, 2)).toBe('hi');
    expect(messagesIn(fields, 5).map((message) => numberIn(message, 1))).toEqual([7]);
    expect(textIn(fields, 9)).toBeNull();
  });

  test('the last of a repeated plain field wins, as protobuf says', () => {
    expect(numberIn(readProtobuf(Uint8Array.of(0x08, 1, 0x08, 2)), 1)).toBe(2);
  });

  test('a number beyond what JavaScript counts exactly is no number', () => {
    const largest = Uint8Array.of(0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f);
    expect(numberIn(readProtobuf(largest), 1)).toBeNull();
  });

  test.each([
    ['a number that is cut off', [0x08, 0x80]],
    ['a field that is cut off', [0x12, 5, 0x61]],
    ['an unknown wire type', [0x0b]],
    ['field number 0', [0x00, 1]],
    ['a number without end', [0x08, ...Array.from({ length: 12 }, () => 0x80)]],
  ])('refuses %s', (_what, bytes) => {
    expect(() => readProtobuf(Uint8Array.from(bytes))).toThrow();
  });

  test('text that is no UTF-8 is no text, bytes that are no message are no message', () => {
    const fields = readProtobuf(Uint8Array.of(0x0a, 2, 0xff, 0xfe));
    expect(textIn(fields, 1)).toBeNull();
    expect(messagesIn(fields, 1)).toEqual([]);
  });
});

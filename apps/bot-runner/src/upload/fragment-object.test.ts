import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { joinFragment, splitFragment } from './fragment-object.ts';

test('media and record come apart as they were joined', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 300 }), (media, record) => {
      const split = splitFragment(joinFragment(media, record));
      expect([split.media, split.record]).toEqual([Buffer.from(media), Buffer.from(record)]);
    }),
  );
});

test('media alone, and a record that was cut, are media', () => {
  const media = Buffer.from('some media');
  expect(splitFragment(media)).toEqual({ media, record: null });
  expect(splitFragment(Buffer.alloc(0))).toEqual({ media: Buffer.alloc(0), record: null });
  const joined = joinFragment(media, Buffer.from('{}'));
  for (let length = media.length; length < joined.length; length += 1)
    expect(splitFragment(joined.subarray(0, length)).record).toBeNull();
});

test('players find a box of a type that they do not know behind the media', () => {
  const joined = joinFragment(Buffer.from('media'), Buffer.from('{"version":1}'));
  expect(joined.readUInt32BE(5)).toBe(joined.length - 5);
  expect(joined.toString('latin1', 9, 13)).toBe('uuid');
});

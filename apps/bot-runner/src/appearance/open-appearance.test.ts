import { describe, expect, test } from '@jest/globals';
import { inspectImage } from './open-appearance.ts';

const png = (width: number, height: number): Buffer => {
  const bytes = Buffer.alloc(33);
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]).copy(bytes);
  bytes.write('IHDR', 12, 'latin1');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
};
const webp = (chunk: string, body: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(40);
  bytes.write('RIFF', 0, 'latin1');
  bytes.write(`WEBP${chunk}`, 8, 'latin1');
  bytes.set(body, 20);
  return bytes;
};
const jpeg = (...segments: readonly number[]): Buffer => Buffer.from([0xff, 0xd8, ...segments, ...Array(16).fill(0)]);

describe('inspectImage', () => {
  test.each([
    ['a PNG', png(640, 360), 'image/png', 640, 360],
    ['a JPEG', jpeg(0xff, 0xc0, 0, 17, 8, 1, 104, 2, 128), 'image/jpeg', 640, 360],
    [
      'a progressive JPEG behind other segments and filling',
      jpeg(0xff, 0xe1, 0, 4, 9, 9, 0xff, 0xff, 0xc4, 0, 3, 0, 0xff, 0xc2, 0, 17, 8, 1, 104, 2, 128),
      'image/jpeg',
      640,
      360,
    ],
    ['a plain WebP', webp('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a, 128, 2, 104, 1]), 'image/webp', 640, 360],
    ['a lossless WebP', webp('VP8L', [0x2f, 0x7f, 0xc2, 0x59, 0]), 'image/webp', 640, 360],
    ['an extended WebP', webp('VP8X', [0, 0, 0, 0, 127, 2, 0, 103, 1, 0]), 'image/webp', 640, 360],
  ] as const)('knows %s and its size by its bytes', (_what, bytes, contentType, width, height) => {
    expect(inspectImage(bytes)).toEqual({ contentType, width, height });
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['a page', Buffer.from('<!doctype html><img src=x>')],
    ['a GIF', Buffer.from('GIF89a' + '\0'.repeat(40), 'latin1')],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['the beginning of a PNG', png(640, 360).subarray(0, 20)],
    ['the beginning of a JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xc0, 0, 17])],
    ['a JPEG without a frame', jpeg(0xff, 0xda, 0, 8)],
    ['a JPEG whose segments lead nowhere', jpeg(0xff, 0xe1, 0xff, 0xff)],
    ['a WebP of another kind', webp('ANIM', [])],
    ['an image without height', png(640, 0)],
  ])('refuses %s', (_what, bytes) => {
    expect(() => inspectImage(bytes)).toThrow('not a complete JPEG, PNG or WebP');
  });

  test('refuses a small file that would be a huge picture, before anything decodes it', () => {
    expect(inspectImage(png(8_000, 5_000))).toMatchObject({ width: 8_000 });
    expect(() => inspectImage(png(8_001, 5_000))).toThrow('8001x5000 pixels; 40 megapixels are the most');
    expect(() => inspectImage(png(0xffff_ffff, 0xffff_ffff))).toThrow('megapixels');
  });
});

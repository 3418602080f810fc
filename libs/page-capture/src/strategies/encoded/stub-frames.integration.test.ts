import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { sequenceIn, unitsIn } from '@rapporteur/media-container/avc-units';
import { StubFrames } from './stub-frames.page.ts';

test('stubs are black pictures of the same shape that decode without a complaint, also where some are lost', () => {
  const stubs = new StubFrames(1_280, 720);
  const frames = [stubs.key(), ...Array.from({ length: 40 }, () => stubs.next()), stubs.key(), stubs.next()];
  expect(sequenceIn(unitsIn(frames[0] ?? new Uint8Array())[0] ?? new Uint8Array())).toMatchObject({
    width: 128,
    height: 72,
  });
  expect(Math.max(...frames.slice(1, 41).map((video) => video.length))).toBeLessThan(20);
  const kept = frames.filter((_video, index) => index % 7 !== 3);
  const { stdout, stderr } = spawnSync(
    'ffmpeg',
    '-v warning -f h264 -i pipe:0 -f rawvideo -pix_fmt yuv420p -fps_mode passthrough pipe:1'.split(' '),
    { input: Buffer.concat(kept), maxBuffer: 2 ** 26 },
  );
  expect(stderr.toString()).toBe('');
  const size = 128 * 72 * 1.5;
  expect(stdout.length).toBe(kept.length * size);
  expect(new Set(stdout.subarray(0, 128 * 72))).toEqual(new Set([16]));
  expect(new Set(stdout.subarray(128 * 72, size))).toEqual(new Set([128]));
});

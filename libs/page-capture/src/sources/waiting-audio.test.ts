import { expect, test } from '@jest/globals';
import { WaitingAudio } from '../audio-capture.page.ts';

const samples = new Float32Array(480);
const block = (sourceMs: number) => ({ samples, sampleRate: 48_000, sourceMs });

/** Positions of blocks with these timestamps, when they are read at these page times and taken every 100 ms. */
function places(reads: readonly (readonly [sourceMs: number, readAtMs: number])[]): number[] {
  const audio = new WaitingAudio();
  const placed: number[] = [];
  let tickMs = 100;
  for (const [sourceMs, readAtMs] of reads) {
    for (; tickMs <= readAtMs; tickMs += 100) placed.push(...audio.take(tickMs).map(([, pageMs]) => pageMs));
    audio.add(block(sourceMs), readAtMs);
  }
  return [...placed, ...audio.take(Infinity).map(([, pageMs]) => pageMs)];
}

test('the first blocks of a thread that was busy lie where they were made', () => {
  const madeMs = Array.from({ length: 60 }, (_none, index) => 1_000 + index * 10);
  expect(places(madeMs.map((atMs) => [atMs - 1_000, Math.max(1_290, atMs)]))).toEqual(madeMs);
});

test('a block is placed before the mix is encoded, however late its track settles', () => {
  const audio = new WaitingAudio();
  audio.add(block(0), 1_000);
  expect(audio.take(1_100)).toEqual([]);
  expect(audio.take(1_200)).toHaveLength(1);
  audio.add(block(10), 1_210);
  expect(audio.take(1_210).map(([, pageMs]) => pageMs)).toEqual([1_010]);
});

test('a clock that begins anew moves nothing that was read before', () => {
  expect(
    places([
      [2_560, 10_000],
      [24, 10_003],
      [34, 10_013],
    ]),
  ).toEqual([10_000, 10_003, 10_013]);
});

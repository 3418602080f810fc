import { describe, expect, test } from '@jest/globals';
import { AudioQueue } from './audio-queue.ts';

const second = (rateHz = 48_000): Buffer => Buffer.alloc(2 * rateHz);

describe('AudioQueue', () => {
  test('gives back what was put in, in order and cut as asked', () => {
    const queue = new AudioQueue();
    const samples = Int16Array.from({ length: 12_000 }, (_, index) => index);
    queue.add(Buffer.from(samples.buffer), 48_000);
    const taken = [queue.take(5_000), queue.take(5_000), queue.take(5_000)];
    expect(taken.flatMap((fragment) => [...fragment!.samples])).toEqual([...samples]);
    expect(taken.map((fragment) => [fragment!.startMs, fragment!.endMs].map(Math.round))).toEqual([
      [0, 104],
      [104, 208],
      [208, 250],
    ]);
    expect(queue.take(5_000)).toBeNull();
  });

  test('holds 30 s and says how much had no room', () => {
    const queue = new AudioQueue();
    for (let index = 0; index < 30; index += 1) expect(queue.add(second(), 48_000)).toBe(0);
    expect(queue.add(second(), 48_000)).toBe(1_000);
    expect(queue.givenMs).toBe(31_000);
  });

  test('counts what was dropped as over only when what was before it is over', () => {
    const queue = new AudioQueue();
    for (let index = 0; index < 31; index += 1) queue.add(second(), 48_000);
    let last = null;
    for (let fragment = queue.take(48_000); fragment !== null; fragment = queue.take(48_000)) last = fragment;
    expect(last?.endMs).toBe(31_000);
    expect(queue.startMs).toBe(31_000);
  });

  test('has room again for what was taken, and takes back what was not said', () => {
    const queue = new AudioQueue();
    for (let index = 0; index < 30; index += 1) queue.add(second(), 48_000);
    const taken = queue.take(24_000)!;
    expect(queue.add(Buffer.alloc(48_000), 48_000)).toBe(0);
    queue.putBack([taken]);
    expect(queue.startMs).toBe(0);
    expect(queue.add(second(), 48_000)).toBe(1_000);
  });

  test('keeps small chunks together', () => {
    const queue = new AudioQueue();
    for (let index = 0; index < 1_000; index += 1) queue.add(Buffer.alloc(20), 48_000);
    expect(queue.take(100_000)!.samples.length).toBeGreaterThanOrEqual(4_800);
  });

  test('puts a sample together that came in two halves', () => {
    const queue = new AudioQueue();
    const pcm = Buffer.from(Int16Array.from([1_000, -2_000, 3_000]).buffer);
    queue.add(pcm.subarray(0, 3), 48_000);
    queue.add(pcm.subarray(3), 48_000);
    expect([...queue.take(10)!.samples]).toEqual([1_000, -2_000, 3_000]);
  });

  test('is empty after clearing, and all that was given counts as over', () => {
    const queue = new AudioQueue();
    queue.add(second(), 48_000);
    queue.clear();
    expect([queue.take(10), queue.startMs]).toEqual([null, 1_000]);
  });

  test('takes other rates one after the other', () => {
    const queue = new AudioQueue();
    queue.add(second(16_000), 16_000);
    queue.add(second(24_000), 24_000);
    expect(queue.givenMs).toBe(2_000);
    expect(() => queue.add(second(), 4_000)).toThrow('8000 to 96000');
  });
});

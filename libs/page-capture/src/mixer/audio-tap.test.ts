import { describe, expect, test } from '@jest/globals';
import { AudioMix } from './audio-mix.page.ts';
import { AudioTap } from './audio-tap.page.ts';

describe('what is tapped of the mix', () => {
  test('comes in blocks of 100 ms that follow on each other, silent ones too', () => {
    const tap = new AudioTap(24_000);
    for (let at = 0; at < 48_000; at += 960) tap.add(new Float32Array(960), at);
    const blocks = tap.take();
    expect(blocks.map(({ mediaMs }) => mediaMs)).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900]);
    expect(blocks.every(({ bytes }) => bytes.length === 4_800 && bytes.every((byte) => byte === 0))).toBe(true);
    expect(tap.take()).toEqual([]);
  });

  test('is the mix itself at 48 kHz, 16 bit little-endian and never beyond full scale', () => {
    const tap = new AudioTap(48_000);
    tap.add(
      Float32Array.from({ length: 4_800 }, (_none, at) => [0, 0.5, -1, 2][at % 4] ?? 0),
      9_600,
    );
    const [block] = tap.take();
    expect(block?.mediaMs).toBe(200);
    const view = new DataView(block?.bytes.buffer as ArrayBuffer);
    expect([0, 1, 2, 3].map((at) => view.getInt16(at * 2, true))).toEqual([0, 16_383, -32_767, 32_767]);
  });

  test('ends with the sample at which a pause begins, though the mix gives whole blocks: a beep that began just before it keeps its time', () => {
    const [tap, mix] = [new AudioTap(48_000), new AudioMix()];
    // The pause begins 2,490 samples in, 90 samples after a beep; the mix has given two blocks of 960.
    const beep = new Float32Array(4_800).fill(0.5, 2_400);
    mix.add('track', beep, 48_000, 0);
    mix.holdAt((2_490 / 48_000) * 1_000);
    tap.add(mix.take(1_920), 0);
    tap.add(mix.held(), mix.taken);
    tap.flush();
    const [before] = tap.take();
    const samples = new Int16Array(before?.bytes.buffer as ArrayBuffer);
    expect([samples[2_399], samples[2_400], samples[2_489], samples[2_490]]).toEqual([0, 16_383, 16_383, 0]);
    mix.resume();
    tap.add(mix.take(960), 1_920);
    tap.add(mix.take(4_800), 2_880);
    const [after] = tap.take();
    expect(after?.mediaMs).toBeCloseTo((2_490 / 48_000) * 1_000, 6);
    expect(new Int16Array(after?.bytes.buffer as ArrayBuffer).every((sample) => sample === 0)).toBe(true);
  });

  test('is filled up with silence where the mix stalls, and begins anew after it', () => {
    const tap = new AudioTap(48_000);
    tap.add(new Float32Array(4_800 + 960).fill(0.5), 0);
    tap.flush();
    tap.flush();
    tap.add(new Float32Array(4_800).fill(0.25), 6_000);
    const blocks = tap.take();
    expect(blocks.map(({ mediaMs }) => mediaMs)).toEqual([0, 100, 125]);
    const cut = new Int16Array(blocks[1]?.bytes.buffer as ArrayBuffer);
    expect([cut[959], cut[960], cut[4_799]]).toEqual([16_383, 0, 0]);
  });
});

import { describe, expect, test } from '@jest/globals';
import { AudioMix, mixRate } from '../mixer/audio-mix.page.ts';
import { LostAudio } from './lost-audio.page.ts';

/** For each batch the totals `[ms too late, jumps]`. */
function lostIn(totals: readonly (readonly [lateMs: number, jumps: number])[], isBusy = false): boolean[] {
  const audio = new LostAudio();
  return totals.map(([lateMs, jumps]) => {
    audio.observe({ lateMs, jumps }, isBusy);
    return audio.isLost;
  });
}

describe('a batch lacks audio', () => {
  test('by what came too late since the batch before, from an audible amount on', () => {
    const totals = [
      [0, 0],
      [19, 0],
      [39, 0],
      [39, 0],
      [80, 0],
    ] as const;
    expect(lostIn(totals)).toEqual([false, false, true, false, true]);
  });

  test('by several jumps of tracks, or by one while timers are late', () => {
    const totals = [
      [0, 1],
      [0, 3],
      [0, 3],
      [0, 4],
    ] as const;
    expect(lostIn(totals)).toEqual([false, true, false, false]);
    expect(lostIn(totals, true)).toEqual([true, true, false, true]);
  });
});

describe('audio of a track that arrives in one burst', () => {
  /** Whether its batch lacks audio on a busy machine, and the levels of the mix while it should have come. */
  function burst(level: number, arrivesAtMs: number): [isLost: boolean, levels: number[]] {
    const [mix, audio] = [new AudioMix(), new LostAudio()];
    const block = new Float32Array(480).fill(level);
    const add = (fromMs: number, toMs: number): void => {
      for (let atMs = fromMs; atMs < toMs; atMs += 10) mix.add('a', block, mixRate, atMs);
    };
    add(0, 500);
    // The mix waits for 350 ms.
    const taken = mix.take((arrivesAtMs - 350) * 48);
    add(500, 1_500);
    audio.observe({ lateMs: (mix.lateSamples / mixRate) * 1_000, jumps: mix.jumps }, true);
    const whole = [...taken, ...mix.take(1_500 * 48 - taken.length)];
    return [audio.isLost, [...new Set(whole.slice(500 * 48))]];
  }

  test('is not lost while the mix waits for it', () => {
    expect(burst(0.5, 840)).toEqual([false, [0.5]]);
  });

  test('is lost once the mix went on without it', () => {
    expect(burst(0.5, 1_000)).toEqual([true, [0, 0.5]]);
  });

  test('is not lost then either where it is silence', () => {
    expect(burst(0, 1_000)).toEqual([false, [0]]);
  });
});

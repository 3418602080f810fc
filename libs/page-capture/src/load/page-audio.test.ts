import { describe, expect, test } from '@jest/globals';
import type { PageMediaSource } from '@rapporteur/contracts';
import { PageAudio } from './page-audio.page.ts';

const sourceOf = (audioReceivers: () => object[]) => ({ audioReceivers }) as unknown as PageMediaSource;
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** The state after each second, by what the counters of the only receiver gain in it. */
async function played(...seconds: readonly Record<string, number>[]) {
  const audio = new PageAudio();
  const totals: Record<string, number> = { concealedSamples: 48_000, silentConcealedSamples: 4_800 };
  const receiver = {
    getStats: async () =>
      new Map<string, object>([
        ['a', { type: 'codec' }],
        ['b', { type: 'inbound-rtp', ...totals }],
      ]),
  };
  const states: (readonly [number, string | null])[] = [];
  for (const [second, gained] of seconds.entries()) {
    for (const [name, samples] of Object.entries(gained)) totals[name] = (totals[name] ?? 0) + samples;
    audio.sample(
      sourceOf(() => [receiver]),
      0,
      10_000 + second * 1_000,
    );
    await settled();
    states.push([audio.played.sinceMs, audio.played.impairment]);
  }
  return states;
}

describe('what the page plays', () => {
  test('is impaired in the seconds in which the browser conceals audio, silence left out', async () => {
    const lost = { concealedSamples: 9_600 };
    expect(await played({}, {}, lost, lost, {}, { ...lost, silentConcealedSamples: 9_600 })).toEqual([
      [0, null],
      [0, null],
      [11_000, 'concealed'],
      [11_000, 'concealed'],
      [13_000, null],
      [13_000, null],
    ]);
  });

  test('is impaired from 40 ms of concealed or 100 ms of stretched audio on', async () => {
    const reasons = async (gained: Record<string, number>) => (await played({}, gained)).at(-1)?.[1];
    expect(await reasons({ concealedSamples: 1_919, removedSamplesForAcceleration: 4_799 })).toBeNull();
    expect(await reasons({ concealedSamples: 1_920, insertedSamplesForDeceleration: 48_000 })).toBe('concealed');
    expect(await reasons({ insertedSamplesForDeceleration: 2_400, removedSamplesForAcceleration: 2_400 })).toBe(
      'stretched',
    );
  });

  test('is impaired where the page decodes it itself and is late', () => {
    const audio = new PageAudio();
    const states = [0, 0, 0, 0, 350, 0, 0, 0, 0, 0, 0, 0].map((lateMs, index) => {
      audio.sample(
        sourceOf(() => []),
        lateMs,
        10_000 + index * 250,
      );
      return audio.played;
    });
    expect(states.slice(0, 4)).toEqual(Array(4).fill({ sinceMs: 0, impairment: null }));
    expect(states.slice(4, 8)).toEqual(Array(4).fill({ sinceMs: 10_000, impairment: 'page_late' }));
    expect(states.slice(8)).toEqual(Array(4).fill({ sinceMs: 11_000, impairment: null }));
  });
});

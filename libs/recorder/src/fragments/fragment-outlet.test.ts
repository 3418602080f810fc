import { describe, expect, test } from '@jest/globals';
import type { RecordingFragment } from '@rapporteur/media-container';
import { FragmentOutlet } from './fragment-outlet.ts';
import type { LostFragment } from './fragment-outlet.ts';

const fragment = (sequence: number): RecordingFragment => ({
  sequence,
  startMs: (sequence - 1) * 2_000,
  endMs: sequence * 2_000,
  bytes: new Uint8Array(1),
  sha256: '',
  videoSamples: 0,
  audioSamples: 0,
  gapBefore: null,
});

function openOutlet(take: (fragment: RecordingFragment) => Promise<void>, waitingMax = 3) {
  const lost: LostFragment[] = [];
  const outlet = new FragmentOutlet({ waitingMax, deadlineMs: 1_000, take, onLost: (gap) => lost.push(gap) });
  return { outlet, lost };
}

describe('FragmentOutlet', () => {
  test('hands fragments over one after the other, in order', async () => {
    const taken: number[] = [];
    let atOnce = 0;
    const { outlet, lost } = openOutlet(async ({ sequence }) => {
      atOnce += 1;
      expect(atOnce).toBe(1);
      await Promise.resolve();
      taken.push(sequence);
      atOnce -= 1;
    });
    [1, 2, 3].forEach((sequence) => outlet.put(fragment(sequence)));
    await outlet.drain(1_000);
    expect(taken).toEqual([1, 2, 3]);
    expect(lost).toEqual([]);
  });

  test('gives up the newest fragment when too many wait, and says which span is missing', async () => {
    const storage = Promise.withResolvers<void>();
    const { outlet, lost } = openOutlet(() => storage.promise);
    [1, 2, 3, 4].forEach((sequence) => outlet.put(fragment(sequence)));
    expect(lost).toEqual([{ sequence: 4, startMs: 6_000, endMs: 8_000, reason: 'storage_slow' }]);
    storage.resolve();
    await outlet.drain(1_000);
    expect(lost).toHaveLength(1);
  });

  test('goes on after a fragment that could not be stored', async () => {
    const taken: number[] = [];
    const failure = new Error('disk full');
    const { outlet, lost } = openOutlet(({ sequence }) => {
      if (sequence === 1) return Promise.reject(failure);
      taken.push(sequence);
      return Promise.resolve();
    });
    [1, 2].forEach((sequence) => outlet.put(fragment(sequence)));
    await outlet.drain(1_000);
    expect(taken).toEqual([2]);
    expect(lost).toMatchObject([{ sequence: 1, reason: 'storage_failed', cause: failure }]);
  });

  test('draining ends at its deadline, and what still waits is said to be lost', async () => {
    const { outlet, lost } = openOutlet(() => new Promise(() => undefined));
    [1, 2].forEach((sequence) => outlet.put(fragment(sequence)));
    await outlet.drain(10);
    expect(lost.map((gap) => gap.sequence)).toEqual([1, 2]);
    expect(outlet.waiting).toBe(0);
  });

  test('a fragment that is stored after it was given up does not displace the next one', async () => {
    const first = Promise.withResolvers<void>();
    const taken: number[] = [];
    const { outlet } = openOutlet(async ({ sequence }) => {
      taken.push(sequence);
      if (sequence === 1) await first.promise;
    });
    outlet.put(fragment(1));
    await outlet.drain(10);
    outlet.put(fragment(2));
    first.resolve();
    await outlet.drain(1_000);
    expect(taken).toEqual([1, 2]);
  });
});

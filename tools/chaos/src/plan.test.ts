import { expect, test } from '@jest/globals';
import { inSequences, links, planFaults, targets } from './plan.ts';

const wishes = { seed: 7, kills: 12, freezes: 6, wipes: 0, networkFaults: 0, longestFreezeMs: 60_000 };

test('a plan has the kills and freezes that were requested, and every target before one comes again', () => {
  const plan = planFaults(wishes);
  expect(plan.filter(({ kind }) => kind === 'kill')).toHaveLength(12);
  expect(plan.filter(({ kind }) => kind === 'freeze')).toHaveLength(6);
  expect(new Set(plan.slice(0, targets.length).map(({ target }) => target))).toEqual(new Set(targets));
});

test('only the store of NATS is wiped', () => {
  const wiped = planFaults({ ...wishes, wipes: 3 }).filter(({ kind }) => kind === 'wipe');
  expect(wiped.map(({ target }) => target)).toEqual(['nats', 'nats', 'nats']);
});

test('no freeze is longer than the longest, no pause shorter than the shortest', () => {
  for (const { kind, lastsMs, pauseMs } of planFaults({ ...wishes, longestFreezeMs: 4_000 })) {
    expect(lastsMs).toBeLessThanOrEqual(kind === 'kill' ? 3_000 : 4_000);
    expect(pauseMs).toBeGreaterThanOrEqual(200);
  }
});

test('the same seed gives the same plan, another one another', () => {
  expect(planFaults(wishes)).toEqual(planFaults(wishes));
  expect(planFaults({ ...wishes, seed: 8 })).not.toEqual(planFaults(wishes));
});

test('every link fails before one fails again, half of them stalled and half cut', () => {
  const network = planFaults({ ...wishes, networkFaults: 26 }).filter(({ kind }) => kind === 'stall' || kind === 'cut');
  expect(new Set(network.slice(0, links.length).map(({ target }) => target))).toEqual(new Set(links));
  expect(network.filter(({ kind }) => kind === 'cut')).toHaveLength(13);
});

test('sequences that run at the same time share no target, and hold every fault', () => {
  const faults = planFaults({ ...wishes, kills: 40, wipes: 5, networkFaults: 30 });
  const sequences = inSequences(faults, 4);
  expect(sequences.flat()).toHaveLength(faults.length);
  const targetsOf = sequences.map((sequence) => new Set(sequence.map(({ target }) => target)));
  const all = targetsOf.flatMap((some) => [...some]);
  expect(new Set(all).size).toBe(all.length);
});

import { expect, test } from '@jest/globals';
import { planFaults, targets } from './plan.ts';

const wishes = { seed: 7, kills: 12, freezes: 6, wipes: 0, longestFreezeMs: 60_000 };

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

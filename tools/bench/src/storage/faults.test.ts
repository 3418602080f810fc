import { expect, test } from '@jest/globals';
import { Random } from '@rapporteur/api-fuzz';
import { fateAt, faultPlanOf, faults } from './faults.ts';

test('a dozen runs have every fault with and without spill, and the same seed gives the same plans', () => {
  const plansOf = (seed: number) =>
    Array.from({ length: 12 }, (_, index) => faultPlanOf(index, new Random(seed + index)));
  const plans = plansOf(7);
  const kinds = plans.map(({ allowTransientSpill, windows }) => `${windows[0]?.fault} ${allowTransientSpill}`);
  expect(new Set(kinds)).toEqual(new Set(faults.flatMap((fault) => [`${fault} true`, `${fault} false`])));
  expect(plansOf(7)).toEqual(plans);
  expect(plansOf(8)).not.toEqual(plans);
});

test('requests outside of every window pass, and a bucket that is gone takes none for ten minutes', () => {
  const plan = {
    allowTransientSpill: false,
    windows: [{ fault: 'gone', startMs: 100, endMs: 600_100, share: 1 }],
  } as const;
  const random = new Random(1);
  const fates = [0, 99, 100, 600_099, 600_100].map((atMs) => fateAt(plan, atMs, random));
  expect(fates).toEqual(['pass', 'pass', 'gone', 'gone', 'pass']);
});

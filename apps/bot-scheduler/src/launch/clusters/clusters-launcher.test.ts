import { expect, test } from '@jest/globals';
import { chooseCluster } from './clusters-launcher.ts';
import type { Candidate } from './clusters-launcher.ts';

const cluster = (over: Partial<Candidate>): Candidate => ({ weight: 1, runs: 0, room: 5, obstructed: false, ...over });

test.each<[string, Partial<Candidate>[], number | null]>([
  ['the one with the fewest runs', [{ runs: 3 }, { runs: 2 }], 1],
  [
    'the one with the fewest runs for its weight',
    [
      { runs: 5, weight: 3 },
      { runs: 2, weight: 1 },
    ],
    0,
  ],
  ['the first of equal ones', [{}, {}], 0],
  ['none with weight 0', [{ weight: 0 }, { runs: 90 }], 1],
  ['none without room', [{ room: 0 }, { runs: 90 }], 1],
  ['an obstructed one last', [{ obstructed: true }, { runs: 90 }], 1],
  ['an obstructed one where the others have no room', [{ obstructed: true }, { room: 0 }], 0],
  ['none of none with room', [{ room: 0 }, { weight: 0 }], null],
])('chooses %s', (_what, candidates, chosen) => {
  const clusters = candidates.map(cluster);
  expect(chooseCluster(clusters)).toBe(chosen === null ? undefined : clusters[chosen]);
});

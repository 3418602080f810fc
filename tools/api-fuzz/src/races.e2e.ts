import { beforeAll, describe, expect, test } from '@jest/globals';
import { runRaces } from './races/run-races.ts';
import type { RaceResult } from './races/rounds.ts';

const rounds = 2;
const results: RaceResult[] = [];
const of = (race: string) => results.filter((result) => result.race === race);

beforeAll(() => runRaces({ rounds, say: () => undefined, onResult: (result) => void results.push(result) }), 180_000);

describe('two gateways at the same moment', () => {
  test.each([
    [
      'one bot per meeting',
      'let exactly 1 of 100 in where several bots are not allowed, and keep nothing of the others',
    ],
    ['daily cap', 'let exactly 75 of 200 in at a daily cap of 75, and keep nothing of the others'],
    [
      'tokens',
      'let in what the tokens are there for, never reserve more than there are, and keep nothing of the others',
    ],
    ['rate limit', 'admit exactly the rate of a team within a second, never limit GET and leave other teams alone'],
    ['revoked key', 'refuse a revoked key within a second, both of them'],
  ])('%s: they %s', (race) => {
    expect(of(race)).toHaveLength(rounds);
    expect(of(race).flatMap(({ problems }) => problems)).toEqual([]);
  });
});

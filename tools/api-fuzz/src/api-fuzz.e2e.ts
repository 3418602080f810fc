import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { apiDocuments } from './document/documents.ts';
import { runRaces } from './races/run-races.ts';
import type { RaceResult } from './races/rounds.ts';
import { fuzz } from './run/fuzz.ts';
import type { FuzzReport } from './run/fuzz.ts';
import { describeFailure } from './run/report.ts';
import { startServiceStack } from './stack/service-stack.ts';
import type { ServiceStack } from './stack/service-stack.ts';

// A separate stack: it starts no bot, has a second gateway, and its memory is measured.
let stack: ServiceStack;

beforeAll(async () => {
  stack = await startServiceStack({ gateways: 2, publicApi: true, say: () => undefined });
}, 120_000);
afterAll(() => stack?.stop(), 60_000);

const seed = 3;
const requests = 1_600;
describe('1,600 seeded requests to the whole service, both generations', () => {
  let report: FuzzReport;
  beforeAll(async () => {
    report = await fuzz(stack, { seed, requests, workers: 4 });
  }, 180_000);

  test('get no 5xx, no undocumented status, no response off the schema, and no invalid body in', () => {
    expect(report.failures.map((failure) => describeFailure(failure, seed))).toEqual([]);
    expect(report.sent).toBeGreaterThanOrEqual(requests);
  });

  test("leave every process running, its memory in bounds, another team's things alone and keys out of the logs", () => {
    expect(report.problems).toEqual([]);
  });

  // Its success: access-table.e2e.ts.
  test('reach every operation', () => {
    const names = apiDocuments().flatMap(({ name, operations }) => operations.map(({ id }) => `${name} ${id}`));
    expect(report.tally.neverSent(names)).toEqual([]);
  });
});

const rounds = 2;
const results: RaceResult[] = [];
const of = (race: string) => results.filter((result) => result.race === race);

describe('two gateways at the same moment', () => {
  beforeAll(() => runRaces(stack, { rounds, onResult: (result) => void results.push(result) }), 180_000);

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

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '@rapporteur/service-runtime';
import { waitFor } from '@rapporteur/testbed';
import { openFakeClusterScheduler } from '../testing/cluster-scheduler.ts';
import type { FakeClusterScheduler } from '../testing/cluster-scheduler.ts';
import { addTeam } from '../testing/test-scheduler.ts';

const bots = 200;
const recordingMs = 45_000;
/** PostgreSQL reports the statistics of a connection with a delay of up to ten seconds. */
const shownAfterMs = 11_000;

let opened: FakeClusterScheduler;
beforeAll(async () => {
  opened = await openFakeClusterScheduler(100);
  await opened.scheduler.start();
}, 120_000);
afterAll(() => opened.remove(), 120_000);

interface Costs {
  readonly commits: number;
  readonly databaseBytes: number;
  readonly events: number;
  readonly reports: number;
  readonly renewals: number;
  readonly creates: number;
  readonly otherWrites: number;
  readonly reads: number;
}

async function readCosts(): Promise<Costs> {
  await systemClock.sleep(shownAfterMs);
  const [row] = await opened.scheduler.database.query<Record<'commits' | 'bytes' | 'events', number>>(
    `select xact_commit::int as commits, pg_database_size(current_database())::int as bytes,
       (select count(*)::int from outbox) as events
     from pg_stat_database where datname = current_database()`,
  );
  const calls = (pattern: RegExp): number => opened.cluster.requests.filter((call) => pattern.test(call)).length;
  return {
    commits: row?.commits ?? Number.NaN,
    databaseBytes: row?.bytes ?? Number.NaN,
    events: row?.events ?? Number.NaN,
    ...opened.sent,
    creates: calls(/^POST jobs$/),
    otherWrites: calls(/^(DELETE|PATCH|PUT) /),
    reads: calls(/^GET /),
  };
}

function print(phase: string, before: Costs, after: Costs): void {
  const perBot = (what: keyof Costs): string => `${what} ${((after[what] - before[what]) / bots).toFixed(2)}`;
  const all = (Object.keys(after) as (keyof Costs)[]).map(perBot).join(', ');
  process.stderr.write(`costs of one of ${bots} bots, ${phase}: ${all}\n`);
}

const count = async (condition: string): Promise<number> => {
  const sql = `select count(*)::int as bots from bots where ${condition}`;
  return (await opened.scheduler.database.query<{ bots: number }>(sql))[0]?.bots ?? 0;
};

test('a bot costs the API server one create, and PostgreSQL nothing per renewal', async () => {
  const { scheduler } = opened;
  const teamId = await addTeam(scheduler.database, { dailyBotCap: 1_000_000, tokens: 3_600_000_000 });
  const idle = await readCosts();
  const sent: string[] = [];
  for (let bot = 0; bot < bots; bot += 1) sent.push(await scheduler.sendBot(teamId, 'records'));
  await waitFor(async () => (await count(`status = 'in_call_recording'`)) === bots, {
    what: 'all to record',
  });
  const recording = await readCosts();
  print('from the request to the recording', idle, recording);
  await systemClock.sleep(recordingMs);
  const recorded = await readCosts();
  print(`${(recordingMs + shownAfterMs) / 1_000} s of recording`, recording, recorded);
  for (const botId of sent) await scheduler.sendRequest('POST', `/internal/v2/bots/${botId}/leave`, teamId);
  await waitFor(async () => (await count('ended_at is null')) === 0, { what: 'all to end' });
  const ended = await readCosts();
  print('from the request to leave to the end', recorded, ended);
  expect(ended.creates - idle.creates).toBe(bots);
  expect(ended.otherWrites).toBe(0);
  expect(recorded.commits - recording.commits).toBeLessThan(recorded.renewals - recording.renewals);
}, 600_000);

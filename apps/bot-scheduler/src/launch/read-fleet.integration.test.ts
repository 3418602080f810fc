import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fleetReport } from '@rapporteur/contracts';
import { createdId, openAdmissionHarness } from '../testing/admission-harness.ts';
import type { AdmissionHarness } from '../testing/admission-harness.ts';
import { addTeam } from '../testing/test-scheduler.ts';
import { readFleet } from './read-fleet.ts';

let harness: AdmissionHarness;
beforeAll(async () => {
  harness = await openAdmissionHarness();
});
afterAll(() => harness.close());

test('the fleet is counted over all teams: what runs, what was late, and what failed with its newest bot', async () => {
  const { database, clock } = harness;
  const [one, two] = [await addTeam(database), await addTeam(database)];
  const create = async (team: string): Promise<string> => createdId(await harness.create(team));
  const [running, first, second, done, old] = [
    await create(one),
    await create(one),
    await create(two),
    await create(two),
    await create(two),
  ];
  const end = (id: string | undefined, phase: string, minutesAgo: number) =>
    database.query(
      `update bots set phase = $2, status = $2, admitted_at = $3, ended_at = $3, wants_run = null,
         end_code = case when $2 = 'failed' then 'BOT_NOT_ACCEPTED' else 'NO_SPEAKER' end,
         end_message = 'It was not admitted.', recorded = false where id = $1`,
      [id, phase, new Date(clock.now() - minutesAgo * 60_000)],
    );
  await end(first, 'failed', 30);
  await end(second, 'failed', 10);
  await end(done, 'completed', 5);
  await end(old, 'failed', 3_000);
  await database.query(
    `update bots set join_at = $2::timestamptz - interval '1 minute', created_at = $2::timestamptz - interval '1 hour'
     where id = any($1::uuid[])`,
    [[first, done], new Date(clock.now())],
  );
  for (const [id, lateSeconds] of [
    [first, 15],
    [done, -2],
  ] as const) {
    await database.query(`insert into bot_history (bot_id, sequence, code, at) values ($1, 90, 'joining_call', $2)`, [
      id,
      new Date(clock.now() - 60_000 + lateSeconds * 1_000),
    ]);
  }
  const hour = Math.floor(clock.now() / 3_600_000) * 3_600_000;
  const ago = (minutes: number) => new Date(hour - minutes * 60_000);
  // The first waits from 3:10 to 2:50 before this hour, then runs for two hours; the second from 2:40 to 2:20, for 10 min.
  for (const [id, admitted, launched, ended] of [
    [first, 190, 170, 50],
    [second, 160, 140, 130],
  ] as const) {
    await database.query('update bots set admitted_at = $2 where id = $1', [id, ago(admitted)]);
    await database.query(
      `insert into leases (bot_id, attempt, fencing, mode, run_name, state, created_at, ended_at, applied_sequence)
       values ($1::uuid, 90, 90, 'attend', $1::uuid::text, 'done', $2, $3, 0)`,
      [id, ago(launched), ago(ended)],
    );
  }
  const launcher = {
    observe: async () => [],
    pace: () => ({ perSecond: 10, startLatencyMs: 2_000 }),
    refusal: () => null,
  };
  const name = 'Customers';
  await database.query('update team_limits set name = $2 where team_id = $1', [two, name]);
  const fleet = await readFleet({ database, launcher, maxConcurrentBots: 4, now: () => clock.now() });
  expect(fleetReport.parse(fleet)).toEqual(fleet);
  expect(running).not.toBe('');
  expect(fleet).toMatchObject({
    phases: [{ phase: 'queued', platform: 'meet', bots: 1 }],
    capacity: { limit: 4, used: 0, queued: 1, pending: 0, obstacles: [] },
    punctuality: { bots: 2, late: 1, mostSeconds: 15 },
    platforms: [{ platform: 'meet', ended: 3, failed: 2 }],
    failures: [
      {
        code: 'BOT_NOT_ACCEPTED',
        bots: 2,
        example: { botId: second, teamId: two, teamName: name, message: 'It was not admitted.' },
      },
    ],
  });
  expect(fleet.failures[0]?.example.botName).not.toBe('');
  const sums = [fleet.hours, fleet.days].map((periods) => [
    periods.reduce((sum, { ended }) => sum + ended, 0),
    periods.reduce((sum, { failed }) => sum + failed, 0),
  ]);
  expect(sums).toEqual([
    [3, 2],
    [4, 3],
  ]);
  // The others are admitted and never launched: two of them ended, and one waits.
  const seen = fleet.hours.slice(-5).map(({ at, queued, used }) => [(hour - Date.parse(at)) / 3_600_000, queued, used]);
  expect(seen).toEqual([
    [4, 1, 0],
    [3, 1, 2],
    [2, 0, 1],
    [1, 0, 1],
    [0, expect.any(Number), 0],
  ]);
  expect(fleet.hours).toHaveLength(25);
  expect(fleet.days.every(({ at }) => at.endsWith('T00:00:00.000Z'))).toBe(true);
  expect(fleet.hours.every(({ at }) => at.endsWith(':00:00.000Z'))).toBe(true);
});

import { beforeEach, expect, test } from '@jest/globals';
import { FakeClock } from '@rapporteur/async/testing';
import type { Database } from '@rapporteur/database';
import { wantRun } from '../lifecycle/bots.store.ts';
import { admitDirectly } from '../testing/admit-directly.ts';
import { useBotsDatabase } from '../testing/suite-database.ts';
import { addTeam } from '../testing/test-scheduler.ts';
import { readQueue } from './capacity.ts';
import { claimRuns } from './runs.store.ts';

let database: Database;
const events = { add: async () => undefined, notify: () => undefined };

useBotsDatabase((opened) => void (database = opened));
beforeEach(async () => {
  await database.query('update bots set wants_run = null, ended_at = now()');
});

test('a bot that is launched again and again waits since it was due', async () => {
  const clock = new FakeClock(Date.now());
  const now = () => clock.now();
  const since = new Date(now());
  const botId = await admitDirectly({ database, events, now }, await addTeam(database));
  expect(await readQueue(database, since)).toMatchObject({ queued: 1, oldest: since });
  await clock.advance(300_000);
  await claimRuns(database, { limit: 10_000, ticketTtlMs: 60_000, at: new Date(now()) });
  expect(await readQueue(database, new Date(now()))).toMatchObject({ queued: 0, oldest: since });
  await wantRun(database, botId, { mode: 'attend', dueAt: new Date(now() + 1_000) });
  expect(await readQueue(database, new Date(now()))).toMatchObject({ queued: 0, oldest: since });
  await database.query(`update bots set phase = 'joining', status = 'joining_call', wants_run = null where id = $1`, [
    botId,
  ]);
  expect(await readQueue(database, new Date(now()))).toMatchObject({ queued: 0, oldest: null });
});

test('a bot that is launched ahead of its join time does not wait before it', async () => {
  const clock = new FakeClock(Date.now());
  const now = () => clock.now();
  const botId = await admitDirectly({ database, events, now }, await addTeam(database));
  const joinAt = new Date(now() + 60_000);
  await database.query('update bots set join_at = $2 where id = $1', [botId, joinAt]);
  expect(await readQueue(database, new Date(now()))).toMatchObject({ queued: 1, oldest: null });
  await clock.advance(90_000);
  expect(await readQueue(database, new Date(now()))).toMatchObject({ queued: 1, oldest: joinAt });
});

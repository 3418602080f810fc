import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase } from '@rapporteur/database';
import { createTestDatabase } from '@rapporteur/testbed';
import type { TestDatabase } from '@rapporteur/testbed';
import { admitBot } from '../admission/admit-bot.ts';
import { createBotBody } from '../admission/create-bot-body.ts';
import { createBody } from '../testing/create-body.ts';
import { openBotsDatabase, testBox } from '../testing/test-scheduler.ts';
import { CreateBots20261121000000 } from './migrations/create-bots-20261121000000.ts';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

const insertOldBot = `insert into bots (
    id, team_id, created_at, bot_name, meeting_url, meeting_platform, meeting_id, canonical_url, join_url, simulated,
    configuration, extra, transcription_wanted, due_at, wants_run, attempt, finalize_attempts, phase, status, history_count,
    updated_at, participants, speakers, artifacts, artifacts_deleted, reserved_tokens)
  values ($1, $2, $3, 'Old', 'https://meet.google.com/abc-defg-hij', 'meet', 'abc-defg-hij',
    'https://meet.google.com/abc-defg-hij', 'https://meet.google.com/abc-defg-hij', false, '{"bot_name": "Old"}', '{"a": 1}',
    false, $3, null, 1, 0, 'completed', 'completed', 1, $3, '[]', '[]', '[]', false, 0)`;

test('a database of the first version keeps its bots, and they count against the cap as before', async () => {
  const old = await openDatabase({
    url: testDatabase.url,
    schema: 'bots',
    entities: [],
    migrations: [CreateBots20261121000000],
    applicationName: 'test',
  });
  const teamId = randomUUID();
  await old.query(`insert into team_limits values ($1, 1, 'Team', 'test', 3, 3)`, [teamId]);
  await old.query('insert into token_accounts (team_id, balance, reserved) values ($1, 10, 0)', [teamId]);
  const nowMs = Date.now();
  const hoursAgo = (hours: number) => new Date(nowMs - hours * 3_600_000);
  const [recent, older, outside] = [randomUUID(), randomUUID(), randomUUID()];
  for (const [id, hours] of [
    [recent, 1],
    [outside, 30],
    [older, 2],
  ] as const) {
    await old.query(insertOldBot, [id, teamId, hoursAgo(hours)]);
  }
  await old.close();

  const database = await openBotsDatabase(testDatabase.url);
  try {
    const rows = await database.query(
      'select id, team_number, request, callback, legacy, join_at from bots order by team_number',
    );
    const rest = { request: { bot_name: 'Old', extra: { a: 1 } }, callback: null, legacy: null, join_at: null };
    expect(rows).toEqual([
      { id: outside, team_number: '1', ...rest },
      { id: older, team_number: '2', ...rest },
      { id: recent, team_number: '3', ...rest },
    ]);
    const create = () =>
      admitBot(
        {
          database,
          events: { notify: () => undefined },
          notifyRuns: () => undefined,
          box: testBox,
          now: () => nowMs,
          simulatorLinkHosts: [],
          checkAddress: () => undefined,
        },
        { teamId, botId: randomUUID() },
        createBotBody.parse(createBody()),
      );
    await create();
    await expect(create()).rejects.toMatchObject({ code: 'DAILY_BOT_CAP_REACHED', retryAfterSeconds: 22 * 3_600 });
  } finally {
    await database.close();
  }
});

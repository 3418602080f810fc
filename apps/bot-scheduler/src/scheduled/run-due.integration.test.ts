import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import { createdId, dueSettings, openAdmissionHarness } from '../testing/admission-harness.ts';
import type { AdmissionHarness } from '../testing/admission-harness.ts';
import { addTeam, openBotsDatabase, requests } from '../testing/test-scheduler.ts';
import { claimDue } from './scheduled.store.ts';

const minuteMs = 60_000;
const leadMs = 20_000;
let harness: AdmissionHarness;
let { database, schedule, countRows, runDue, clock } = {} as AdmissionHarness;
let reading: ReturnType<typeof requests>;
beforeAll(async () => {
  harness = await openAdmissionHarness();
  ({ database, schedule, countRows, runDue, clock } = harness);
  reading = requests(database, harness.url);
});
afterAll(() => harness.close());
beforeEach(() => clock.advance(25 * 3_600_000));

const stateOf = async (teamId: string, botId: string) =>
  (await harness.sendRequest('GET', `/internal/v2/bots/scheduled/${botId}`, teamId)).body.data['status'];
const outcomeOf = (over: Partial<Awaited<ReturnType<typeof runDue>>>) => ({
  admitted: 0,
  refused: 0,
  missed: 0,
  waiting: 0,
  ...over,
});

describe('a schedule that is due', () => {
  test('becomes a bot of the same id a lead time before it joins, and not a moment earlier', async () => {
    const teamId = await addTeam(database, { tokens: 36_000 });
    const legacy = { webhook_url: 'https://example.com/hook', api_key: 'k', deduplication_key: 'one' };
    const callback_config = { url: 'https://example.com', method: 'PUT', secret: 's' };
    const over = {
      extra: { a: 1 },
      legacy,
      callback_config,
      callback_enabled: true,
      transcription_config: { api_key: 't' },
    };
    const botId = createdId(await schedule(teamId, 5 * minuteMs, over));
    await clock.advance(5 * minuteMs - leadMs - 1);
    expect(await runDue()).toEqual(outcomeOf({}));
    await clock.advance(1);
    expect(await runDue()).toEqual(outcomeOf({ admitted: 1 }));
    expect(await runDue()).toEqual(outcomeOf({}));
    const at = new Date(clock.now());
    expect(await reading.bot(botId)).toMatchObject({
      team_id: teamId,
      status: 'queued',
      wants_run: 'attend',
      due_at: at,
      created_at: new Date(at.getTime() + leadMs - 5 * minuteMs),
      admitted_at: at,
      join_at: new Date(at.getTime() + leadMs),
      extra: { a: 1 },
      callback: { url: 'https://example.com', method: 'PUT', secretField: 'callback_secret' },
      legacy: { webhookUrl: legacy.webhook_url },
      deduplication_key: 'one',
      configuration: { bot_name: 'Rapporteur' },
    });
    expect(await countRows(teamId)).toMatchObject({ bots: 1, history: 1, ledger: 1, events: 1, reserved: 1_800 });
    const kept = await database.query<{ field: string }>('select field from bot_secrets where bot_id = $1', [botId]);
    expect(kept.map(({ field }) => field).sort()).toEqual(['callback_secret', 'legacy_api_key']);
    expect(await stateOf(teamId, botId)).toBe('scheduled');
  });

  test('streams as last configured, and not at all while streaming is off', async () => {
    const teamId = await addTeam(database, { tokens: 36_000 });
    const streaming_config = { output_url: 'wss://a.example/out', audio_frequency: 16_000 };
    const over = { streaming_config, bot_image: null };
    const ids = [
      createdId(await schedule(teamId, 10 * minuteMs, { ...over, streaming_enabled: true })),
      createdId(await schedule(teamId, 10 * minuteMs, over)),
    ];
    const path = (botId: string): string => `/internal/v2/bots/scheduled/${botId}`;
    const change = (botId: string, to: object) => harness.sendRequest('PATCH', path(botId), teamId, to);
    const inside = { streaming_config: { input_url: 'wss://10.0.0.1/' } };
    expect(await change(ids[0]!, inside)).toMatchObject({
      status: 400,
      body: { code: 'FST_ERR_ADDRESS_REFUSED', details: 'streaming_config.input_url' },
    });
    const changed = { streaming_config: { input_url: 'wss://a.example/in' } };
    expect((await change(ids[0]!, changed)).status).toBe(200);
    expect((await harness.sendRequest('GET', path(ids[0]!), teamId)).body.data['streaming_config']).toEqual({
      enabled: true,
      mode: 'audio',
      input_url: 'wss://a.example/in',
      output_url: null,
      audio_frequency: 24_000,
    });
    await clock.advance(10 * minuteMs - leadMs);
    expect(await runDue()).toEqual(outcomeOf({ admitted: 2 }));
    const [streams, doesNot] = await Promise.all(ids.map((botId) => reading.bot(botId)));
    expect(streams?.configuration.streaming_config).toEqual({
      mode: 'audio',
      input_url: 'wss://a.example/in',
      output_url: null,
      audio_frequency: 24_000,
    });
    expect(doesNot?.configuration.streaming_config).toBeNull();
    expect([streams, doesNot].map((bot) => Number(bot?.reserved_tokens))).toEqual([1_980, 1_800]);
  });

  test('can be changed no more, and is requested to leave when it is deleted', async () => {
    const teamId = await addTeam(database);
    const botId = createdId(await schedule(teamId, minuteMs));
    await clock.advance(minuteMs - leadMs);
    await runDue();
    const path = `/internal/v2/bots/scheduled/${botId}`;
    expect((await harness.sendRequest('PATCH', path, teamId, { bot_name: 'X' })).status).toBe(409);
    expect((await harness.sendRequest('DELETE', path, teamId)).status).toBe(200);
    expect(await reading.bot(botId)).toMatchObject({ status: 'failed', end_code: 'EXITING_MEETING_BEFORE_RECORD' });
    expect(await stateOf(teamId, botId)).toBe('failed');
    expect((await harness.sendRequest('DELETE', path, teamId)).status).toBe(409);
  });

  test.each<[string, { dailyBotCap?: number; tokens?: number }, string]>([
    ['the daily cap', { dailyBotCap: 1 }, 'DAILY_BOT_CAP_REACHED'],
    ['tokens', { tokens: 1_800 }, 'INSUFFICIENT_TOKENS'],
    ['a duplicate', {}, 'BOT_ALREADY_EXISTS'],
  ])('and meets %s fails as that, with its final event, and costs and counts nothing', async (_what, limits, code) => {
    const teamId = await addTeam(database, limits);
    const legacy = { webhook_url: 'https://example.com/hook', api_key: 'k', deduplication_key: null };
    const over = code === 'BOT_ALREADY_EXISTS' ? { allow_multiple_bots: false } : {};
    const botId = createdId(await schedule(teamId, minuteMs, { ...over, extra: { a: 1 } }));
    await clock.advance(minuteMs - leadMs);
    createdId(await harness.create(teamId, { legacy }));
    const before = await countRows(teamId);
    expect(await runDue()).toEqual(outcomeOf({ refused: 1 }));
    expect(await reading.history(botId)).toEqual(['queued', 'failed']);
    const bot = await reading.bot(botId);
    expect(bot).toMatchObject({ status: 'failed', end_code: code, tokens: { total: 0 }, wants_run: null, attempt: 0 });
    expect(bot.end_message).toMatch(/^[A-Z].*\.$/);
    expect(await reading.events(botId, 'bots.v1.ended')).toMatchObject([
      { outcome: 'failed', errorCode: code, errorMessage: bot.end_message, extra: { a: 1 }, callback: null },
    ]);
    expect(await stateOf(teamId, botId)).toBe('failed');
    const { reserved, balance, counted, ledger } = before;
    expect(await countRows(teamId)).toMatchObject({ reserved, balance, counted, ledger, bots: 2 });
    await database.query('update team_limits set daily_bot_cap = 2 where team_id = $1', [teamId]);
    await clock.advance(5 * minuteMs);
    if (code !== 'INSUFFICIENT_TOKENS') createdId(await harness.create(teamId, { allow_multiple_bots: false }));
  });

  test('joins beside other bots of its meeting when it allows that', async () => {
    const teamId = await addTeam(database);
    for (const _each of [1, 2]) createdId(await schedule(teamId, minuteMs));
    await clock.advance(minuteMs);
    expect(await runDue()).toEqual(outcomeOf({ admitted: 2 }));
  });

  test('joins late when this service was away for a moment, and fails in plain words when it was away too long', async () => {
    const teamId = await addTeam(database);
    const missed = createdId(await schedule(teamId, minuteMs));
    const late = createdId(await schedule(teamId, 8 * minuteMs));
    await clock.advance(16 * minuteMs);
    expect(await runDue()).toEqual(outcomeOf({ admitted: 1, missed: 1 }));
    expect(await reading.bot(late)).toMatchObject({ status: 'queued', end_code: null });
    expect(await reading.bot(missed)).toMatchObject({
      status: 'failed',
      end_code: 'INTERNAL_ERROR',
      end_message: 'This service was not running at the join time and started 15 minutes later, too late to join.',
    });
    expect(await reading.events(missed, 'bots.v1.ended')).toHaveLength(1);
  });

  test('joins at the last moment at which it may still join', async () => {
    const teamId = await addTeam(database);
    const botId = createdId(await schedule(teamId, minuteMs));
    await clock.advance(minuteMs + dueSettings.scheduledLateAfterMs);
    expect(await runDue()).toEqual(outcomeOf({ admitted: 1 }));
    expect(await reading.bot(botId)).toMatchObject({ status: 'queued', end_code: null });
  });

  test('waits while its team is not known here', async () => {
    const teamId = await addTeam(database);
    const botId = createdId(await schedule(teamId, minuteMs));
    const [limits] = await database.query('delete from team_limits where team_id = $1 returning *', [teamId]);
    await clock.advance(minuteMs);
    expect(await runDue()).toEqual(outcomeOf({ waiting: 1 }));
    await database.query('insert into team_limits select * from jsonb_populate_record(null::team_limits, $1)', [
      limits,
    ]);
    expect(await runDue()).toEqual(outcomeOf({ admitted: 1 }));
    expect((await reading.bot(botId)).status).toBe('queued');
  });
});

describe('schedules that are due together', () => {
  const dueTogether = async (count: number, teams: readonly string[], over: Record<string, unknown> = {}) => {
    const teamOf = (index: number) => teams[index % teams.length] ?? '';
    const ids = Array.from({ length: count }, () => randomUUID());
    const template = createdId(await schedule(teamOf(0), minuteMs, over));
    await database.query(
      `insert into scheduled_bots (id, team_id, number, created_at, updated_at, join_at, state, cancelled_at, spawned_at,
         bot_name, meeting_url, meeting_platform, link, request, extra, legacy, deduplication_key)
       select copy.id, copy.team, nextval(pg_get_serial_sequence('bots', 'number')), s.created_at, s.updated_at, s.join_at, s.state,
         s.cancelled_at, s.spawned_at, s.bot_name, s.meeting_url, s.meeting_platform, s.link, s.request, s.extra, s.legacy,
         s.deduplication_key
       from scheduled_bots s, unnest($2::uuid[], $3::uuid[]) as copy(id, team) where s.id = $1`,
      [template, ids, ids.map((_id, index) => teamOf(index))],
    );
    await database.query('delete from scheduled_bots where id = $1', [template]);
    await clock.advance(minuteMs - leadMs);
    return ids;
  };

  test('all become bots, each once, with several schedulers claiming them', async () => {
    const teams = await Promise.all(Array.from({ length: 7 }, () => addTeam(database)));
    const ids = await dueTogether(500, teams);
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => runDue()));
    expect(outcomes.reduce((sum, { admitted }) => sum + admitted, 0)).toBe(500);
    const bots = await database.query('select 1 from bots where id = any($1::uuid[])', [ids]);
    const reported = await database.query(
      `select 1 from outbox where type = 'bots.v1.status-changed' and data->>'botId' = any($1)`,
      [ids],
    );
    expect([bots.length, reported.length]).toEqual([500, 500]);
  });

  test('respect cap and duplicates exactly, together with bots that are created meanwhile', async () => {
    const teamId = await addTeam(database, { dailyBotCap: 40 });
    await dueTogether(50, [teamId]);
    const [created, due] = await Promise.all([harness.createMany(50, teamId), runDue()]);
    expect(created.filter(({ status }) => status === 201).length + due.admitted).toBe(40);
    const single = await addTeam(database);
    await dueTogether(30, [single], { allow_multiple_bots: false });
    const outcomes = await Promise.all([runDue(), runDue()]);
    expect(outcomes.reduce((sum, { admitted }) => sum + admitted, 0)).toBe(1);
    expect(outcomes.reduce((sum, { refused }) => sum + refused, 0)).toBe(29);
  });

  test('are not held up by one that cannot be run', async () => {
    const teamId = await addTeam(database);
    const [broken, ...others] = await dueTogether(5, [teamId]);
    await database.query(`update scheduled_bots set request = '{}' where id = $1`, [broken]);
    await expect(runDue()).rejects.toThrow(`cannot be run: ${broken} of team ${teamId} (1 in all)`);
    const bots = await database.query('select 1 from bots where id = any($1::uuid[])', [others]);
    expect(bots).toHaveLength(4);
    await database.query('delete from scheduled_bots where id = $1', [broken]);
  });

  test('are claimed without loss when the scheduler dies in the middle of it', async () => {
    const teamId = await addTeam(database);
    const ids = await dueTogether(20, [teamId]);
    const dying = await openBotsDatabase(harness.databaseUrl);
    const { promise: died, resolve: notify } = Promise.withResolvers<{ claimed: number; pid: number }>();
    const work = dying.transaction(async (transaction) => {
      const rows = await claimDue(transaction, { until: new Date(clock.now() + leadMs), limit: 200 });
      const [{ pid } = { pid: 0 }] = await transaction.query<{ pid: number }>('select pg_backend_pid() as pid');
      // A killed process, as the server observes it: its connection is closed.
      await database.query('select pg_terminate_backend($1)', [pid]);
      notify({ claimed: rows.length, pid });
      await transaction.query('select 1');
    });
    await expect(work).rejects.toThrow();
    const { claimed, pid } = await died;
    expect(claimed).toBe(20);
    const backend = () => database.query('select 1 from pg_stat_activity where pid = $1', [pid]);
    await waitFor(async () => (await backend()).length === 0, { what: 'its connection to be gone' });
    await dying.close();
    const outcome = await runDue();
    expect(outcome.admitted).toBe(20);
    expect(await database.query('select 1 from bots where id = any($1::uuid[])', [ids])).toHaveLength(20);
  });

  test('of which there are a thousand are claimed in a few seconds', async () => {
    const teams = await Promise.all(Array.from({ length: 10 }, () => addTeam(database)));
    await dueTogether(1_000, teams);
    const startedAt = performance.now();
    expect(await runDue()).toEqual(outcomeOf({ admitted: 1_000 }));
    // Less than the lead time, even on a busy machine.
    expect(performance.now() - startedAt).toBeLessThan(leadMs / 2);
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { connectBus, createOutbox } from '@rapporteur/event-bus';
import type { Bus, Outbox } from '@rapporteur/event-bus';
import { fail } from '@rapporteur/failures';
import { createLogger } from '@rapporteur/service-runtime';
import { waitFor } from '@rapporteur/testbed';
import type { StorageClient } from '../service-clients.ts';
import { createBody } from '../testing/create-body.ts';
import { generateBots } from '../testing/generated-bots.ts';
import { addTeam, fakeStorage, startTestScheduler } from '../testing/test-scheduler.ts';
import type { TestScheduler } from '../testing/test-scheduler.ts';
import { deleteDueObjects } from './delete-objects.ts';
import type { ObjectDeletionDependencies } from './delete-objects.ts';
import { expiredSql, forgetExpired } from './retention.ts';

const day = 24 * 3_600_000;
const requested: string[] = [];
let storageAway = false;
let refusal: string | null = null;
const deleteBotObjects: StorageClient['deleteBotObjects'] = async ({ botId }) => {
  requested.push(botId);
  if (storageAway) throw fail('UNAVAILABLE');
  return refusal === null ? { confirmed: true } : { confirmed: false, reason: refusal };
};
const logger = createLogger('test', 'silent');
let scheduler: TestScheduler;
let bus: Bus;
let events: Outbox;
let teamId: string;
beforeAll(async () => {
  scheduler = await startTestScheduler({
    storage: { ...fakeStorage, deleteBotObjects },
    settings: { DATA_MAINTENANCE_MS: '86400000' },
  });
  teamId = await addTeam(scheduler.database);
  bus = await connectBus({ url: scheduler.busUrl, name: 'test', logger });
  events = createOutbox({ database: scheduler.database, bus, service: 'bot-scheduler', logger });
});
afterAll(async () => {
  await events.stop();
  await bus.close();
  await scheduler.stop();
});
beforeEach(() => {
  storageAway = false;
  refusal = null;
  requested.length = 0;
});

const remove = (botId: string, team = teamId) =>
  scheduler.sendRequest('DELETE', `/internal/v2/bots/${botId}/delete-data?delete_from_provider=true`, team);
const details = async (botId: string) =>
  (await scheduler.sendRequest('GET', `/internal/v2/bots/${botId}`, teamId)).body.data;

/** Storage has not confirmed the deletion yet. */
async function toDelete(botId: string): Promise<boolean> {
  return (await scheduler.database.query('select from object_deletions where bot_id = $1', [botId])).length > 0;
}

async function ended(): Promise<string> {
  const botId = await scheduler.sendBot(teamId, 'completes');
  await scheduler.waitForStatus(botId, 'completed');
  return botId;
}

test('chat messages are deleted while storage is unavailable', async () => {
  const careful = await startTestScheduler({
    storage: { ...fakeStorage, deleteBotObjects: () => Promise.reject(fail('UNAVAILABLE')) },
    settings: { DATA_MAINTENANCE_MS: '100' },
  });
  try {
    const { database } = careful;
    const botId = await careful.sendBot(await addTeam(database), 'completes');
    await careful.waitForStatus(botId, 'completed');
    await database.query(
      'insert into object_deletions (bot_id, team_id, requested_at, next_attempt_at) select id, team_id, now(), now() from bots',
    );
    await database.query(
      `insert into bot_commands (id, bot_id, attempt, command, created_at, expires_at)
       values ($1, $2, 1, '{}', now() - interval '2 hours', now() - interval '2 hours')`,
      [randomUUID(), botId],
    );
    const commands = () => database.query('select from bot_commands');
    await waitFor(async () => (await commands()).length === 0, { what: 'the old command to be forgotten' });
  } finally {
    await careful.stop();
  }
});

describe('deleting the data of a bot', () => {
  test('nulls every artifact at once, has storage delete its objects, publishes that once, and may be repeated', async () => {
    const botId = await ended();
    expect((await details(botId))['video']).toEqual(expect.any(String));
    const first = await remove(botId);
    expect(first).toMatchObject({
      status: 200,
      body: { data: { message: "The bot's data was deleted.", data_deletion: null } },
    });
    expect(await details(botId)).toMatchObject({
      artifacts_deleted: true,
      video: null,
      audio: null,
      diarization: null,
      chat_messages: null,
      audio_m4a: null,
      poster: null,
      participants_file: null,
      integrity: null,
      participant_audio: null,
      transcription: null,
      raw_transcription: null,
      transcription_vtt: null,
      transcription_srt: null,
      participants: [],
      speakers: [],
    });
    expect((await remove(botId)).status).toBe(200);
    expect(requested).toEqual([botId]);
    expect(await scheduler.events(botId, 'bots.v1.data-deleted')).toHaveLength(1);
    expect(await scheduler.events(botId, 'bots.v1.data-deletion-confirmed')).toHaveLength(1);
    expect(await scheduler.events(botId, 'bots.v1.provider-deletion-requested')).toHaveLength(2);
    expect(await toDelete(botId)).toBe(false);
  });

  test.each([
    ['', 0],
    ['?delete_from_provider=false', 0],
    ['?delete_transcription=true', 1],
  ])('with %p requests %p deletions at the provider', async (query, count) => {
    const botId = await ended();
    await scheduler.sendRequest('DELETE', `/internal/v2/bots/${botId}/delete-data${query}`, teamId);
    expect(await scheduler.events(botId, 'bots.v1.provider-deletion-requested')).toHaveLength(count);
  });

  test('is refused while the bot is not over, and for a bot of another team', async () => {
    const botId = await scheduler.sendBot(teamId, 'waits');
    const refused = await remove(botId);
    expect(refused.status).toBe(409);
    expect(refused.body['message']).toMatch(new RegExp(`^Bot ${botId} is .*cannot have its data deleted`));
    const [foreign, unknown] = [await remove(botId, await addTeam(scheduler.database)), await remove(randomUUID())];
    expect(foreign).toEqual(unknown);
    expect(foreign.status).toBe(404);
    await scheduler.sendRequest('POST', `/internal/v2/bots/${botId}/leave`, teamId);
  });

  const dueAt = (now: number, over: Partial<ObjectDeletionDependencies> = {}): ObjectDeletionDependencies => ({
    database: scheduler.database,
    events,
    deleteBotObjects,
    now: () => now,
    logger: logger,
    dataDeletionFailedMs: day,
    ...over,
  });

  test('is pending with its reason until storage confirms it, and not reported as done before', async () => {
    const botId = await ended();
    refusal = 'The object store refuses this access key. (HTTP 403, AccessDenied)';
    const pending = {
      status: 'pending',
      reason: refusal,
      requested_at: expect.any(String),
      attempts: 1,
      next_attempt_at: expect.any(String),
    };
    const first = await remove(botId);
    expect(first).toMatchObject({ status: 200, body: { data: { data_deletion: pending } } });
    expect(first.body.data['message']).toMatch(/not deleted yet: The object store refuses this access key/);
    expect(await details(botId)).toMatchObject({ artifacts_deleted: false, video: null, data_deletion: pending });
    expect(await scheduler.bot(botId)).toMatchObject({ artifacts: [], artifacts_deleted: false });
    storageAway = true;
    expect((await remove(botId)).body.data['message']).not.toMatch(/was deleted|nothing is left/);
    expect(await details(botId)).toMatchObject({
      artifacts_deleted: false,
      data_deletion: { status: 'pending', attempts: 2, reason: expect.stringContaining('not reachable') },
    });
    expect(await scheduler.events(botId, 'bots.v1.data-deletion-confirmed')).toEqual([]);
    [storageAway, refusal] = [false, null];
    expect((await remove(botId)).body.data).toEqual({ message: "The bot's data was deleted.", data_deletion: null });
    expect(await details(botId)).toMatchObject({ artifacts_deleted: true, data_deletion: null });
    expect((await remove(botId)).body.data['message']).toContain('nothing is left of it');
  });

  test('is attempted again with longer pauses, reported once as failed after a day, and confirmed by a later attempt', async () => {
    const botId = await ended();
    refusal = 'Refused.';
    await remove(botId);
    const start = Date.now();
    expect([await deleteDueObjects(dueAt(start + 30_000)), requested.length]).toEqual([0, 1]);
    expect([await deleteDueObjects(dueAt(start + 120_000)), requested.length]).toEqual([0, 2]);
    expect([await deleteDueObjects(dueAt(start + 180_000)), requested.length]).toEqual([0, 2]);
    expect(await scheduler.events(botId, 'bots.v1.data-deletion-failed')).toEqual([]);
    for (const days of [1, 2]) await deleteDueObjects(dueAt(start + days * day + 1_000));
    expect(await scheduler.events(botId, 'bots.v1.data-deletion-failed')).toMatchObject([
      { botId, teamId, reason: 'Refused.', attempts: 3 },
    ]);
    expect(await details(botId)).toMatchObject({
      artifacts_deleted: false,
      data_deletion: { status: 'failed', reason: 'Refused.', attempts: 4 },
    });
    refusal = null;
    expect(await deleteDueObjects(dueAt(start + 3 * day))).toBe(1);
    expect(await toDelete(botId)).toBe(false);
    expect(await details(botId)).toMatchObject({ artifacts_deleted: true, data_deletion: null });
    expect(await deleteDueObjects(dueAt(start + 4 * day))).toBe(0);
  });

  test("happens by itself once the plan's retention is over, and not before", async () => {
    const [old, young] = [await ended(), await ended()];
    await scheduler.database.query(`update bots set ended_at = now() - interval '3 days' where id = $1`, [old]);
    const events = { add: async () => undefined, notify: () => undefined };
    const forget = (now: number) => forgetExpired({ database: scheduler.database, events, now: () => now });
    expect(await forget(Date.now() - 60_000)).toBe(0);
    expect(await forget(Date.now() + 60_000)).toBe(1);
    expect(await scheduler.bot(old)).toMatchObject({ artifacts_deleted: false, artifacts: [] });
    expect(await details(old)).toMatchObject({ data_deletion: { status: 'pending', reason: null, attempts: 0 } });
    await deleteDueObjects(dueAt(Date.now() + 60_000));
    expect(await details(old)).toMatchObject({ artifacts_deleted: true, data_deletion: null });
    expect((await scheduler.bot(young)).data_forgotten_at).toBeNull();
    expect(await forget(Date.now() + 10 * day)).toBeGreaterThanOrEqual(1);
    expect((await scheduler.bot(young)).data_forgotten_at).not.toBeNull();
  });

  test('happens after the time that the bot was given, or the team keeps data, whichever ends first', async () => {
    const botId = await scheduler.sendBot(teamId, 'completes', { retention_hours: 5 });
    const { ended_at: endedAt } = await scheduler.waitForStatus(botId, 'completed');
    const end = endedAt?.getTime() ?? 0;
    const expiry = (afterMs: number) => ({ artifacts_expire_at: new Date(end + afterMs).toISOString() });
    const hour = 3_600_000;
    expect(await details(botId)).toMatchObject(expiry(5 * hour));
    const kept = 'update team_limits set retention_days = $1 where team_id = $2';
    await scheduler.database.query('update bots set retention_hours = 30 where id = $1', [botId]);
    await scheduler.database.query(kept, [1, teamId]);
    expect(await details(botId)).toMatchObject(expiry(24 * hour));
    await scheduler.database.query(kept, [3, teamId]);
    expect(await details(botId)).toMatchObject(expiry(30 * hour));
    const nothing = { add: async () => undefined, notify: () => undefined };
    const forget = (now: number) => forgetExpired({ database: scheduler.database, events: nothing, now: () => now });
    await forget(end + 30 * hour);
    expect((await scheduler.bot(botId)).data_forgotten_at).toBeNull();
    await scheduler.database.query(`insert into legal_holds (bot_id) values ($1)`, [botId]);
    await forget(end + 31 * hour);
    expect((await scheduler.bot(botId)).data_forgotten_at).toBeNull();
    await scheduler.database.query('delete from legal_holds where bot_id = $1', [botId]);
    await forget(end + 31 * hour);
    expect((await scheduler.bot(botId)).data_forgotten_at).not.toBeNull();
  });

  test.each(['/internal/v2/bots', '/internal/v2/bots/preflight'])(
    'is not postponed beyond the retention of the team: %s refuses that',
    async (path) => {
      const refused = await scheduler.sendRequest('POST', path, teamId, createBody({ retention_hours: 73 }));
      expect(refused).toMatchObject({
        status: 400,
        body: { code: 'FST_ERR_VALIDATION', message: expect.stringContaining('retention_hours: ') },
      });
    },
  );

  test('does not happen while a bot is under a legal hold, neither on request nor by retention', async () => {
    const botId = await ended();
    const hold = (held: boolean, id = botId) =>
      scheduler.sendRequest('POST', '/internal/v1/legal-holds', teamId, { botId: id, held });
    const { ended_at: endedAt } = await scheduler.bot(botId);
    const expiry = new Date((endedAt?.getTime() ?? 0) + 3 * day).toISOString();
    expect(await details(botId)).toMatchObject({ artifacts_expire_at: expiry });
    for (const _time of [1, 2]) expect((await hold(true)).status).toBe(200);
    expect((await hold(true, randomUUID())).status).toBe(404);
    expect(await details(botId)).toMatchObject({ artifacts_expire_at: null });
    const refused = await remove(botId);
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining('legal hold') } });
    const events = { add: async () => undefined, notify: () => undefined };
    await forgetExpired({ database: scheduler.database, events, now: () => Date.now() + 10 * day });
    expect((await scheduler.bot(botId)).data_forgotten_at).toBeNull();
    expect((await hold(false)).status).toBe(200);
    expect((await remove(botId)).status).toBe(200);
  });

  const explainExpired = async (): Promise<Record<string, number>> => {
    const [explained] = await scheduler.database.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `explain (analyze, buffers, format json) ${expiredSql}`,
      [new Date(Date.now() + 10 * day), 100],
    );
    return explained?.['QUERY PLAN'][0].Plan ?? {};
  };

  test('costs what it deletes, whether nothing was forgotten before or nearly everything', async () => {
    const { database } = scheduler;
    const own = await addTeam(database);
    await generateBots(database, { teamId: own, count: 1_500 });
    for (const before of [0, 1_300]) {
      await database.query(
        `update bots set data_forgotten_at = now() where id in (
           select id from bots where team_id = $1 order by ended_at limit $2)`,
        [own, before],
      );
      // A vacuum keeps rows that a transaction of the scheduler may still see, and removes them with the next one.
      await waitFor(
        async () => {
          await database.query('vacuum analyze bots');
          const plan = await explainExpired();
          expect(JSON.stringify(plan)).toContain('bots_to_forget');
          expect(plan['Actual Rows']).toBe(100);
          // At most one page per row, plus the index pages per team.
          return Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks']) < 150;
        },
        { what: 'the cost of 100 rows to fall below 150 pages' },
      );
    }
  });
});

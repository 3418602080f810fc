import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { tokensGranted, teamChanged } from '@rapporteur/contracts';
import { assertNoDrift } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { connectBus, createOutbox } from '@rapporteur/event-bus';
import type { Bus, Outbox } from '@rapporteur/event-bus';
import { createLogger, createService, Secret } from '@rapporteur/service-runtime';
import { createTestDatabase, testNats, waitFor } from '@rapporteur/testbed';
import type { TestDatabase } from '@rapporteur/testbed';
import { createAdminApp } from '../admin/admin-app.ts';
import { hashOfApiKey } from '../keys/api-key.ts';
import { findKey, markUsed } from '../keys/keys.store.ts';
import { openIdentity } from './open-identity.ts';
import { createTeams } from './teams.store.ts';

const token = 'the admin token of this test, long enough';
const logger = createLogger('api-gateway', 'silent');
const service = createService({ name: 'api-gateway', logger });
let testDatabase: TestDatabase;
let database: Database;
let bus: Bus;
let outbox: Outbox;
let url = '';

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await openIdentity(testDatabase.url);
  bus = await connectBus({ url: testNats().url, name: 'api-gateway', logger });
  await bus.ensureStreams();
  outbox = createOutbox({ database, bus, service: 'api-gateway', logger });
  outbox.start();
  const app = createAdminApp(service, new Secret(token), { database, teams: createTeams(database, outbox) });
  ({ url } = await service.listen(app, { host: '127.0.0.1', port: 0 }));
});
afterAll(async () => {
  await service.stop();
  await outbox.stop();
  await bus.close();
  await database.close();
  await testDatabase.drop();
});

async function admin(method: string, path: string, body?: unknown, bearer: string | null = token) {
  const response = await fetch(`${url}/admin/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(10_000),
  });
  const answer = (await response.json()) as { data?: unknown; message?: string };
  return { status: response.status, ...answer, data: answer.data as Record<string, never> & Record<string, unknown> };
}

const eventsOf = (teamId: string) =>
  database.query<{ type: string; data: Record<string, unknown>; consumers: string[] }>(
    `select type, data, consumers from outbox where data->>'teamId' = $1 order by occurred_at, type`,
    [teamId],
  );

describe('the identity schema', () => {
  test('has entities that equal its migrations', async () => {
    await assertNoDrift(database);
  });

  test('starts with the five plans', async () => {
    const rows = await database.query<{ plan: string }>(
      `select concat_ws(' ', name, requests_per_second, daily_bot_cap, retention_days) as plan from plans order by name`,
    );
    expect(rows.map((row) => row.plan)).toEqual([
      'enterprise 20 3000 30',
      'pay_as_you_go 5 75 3',
      'pro 10 300 7',
      'scale 20 1000 14',
      'self_hosted 50 3000 30',
    ]);
  });
});

describe('the admin API', () => {
  test('makes the first team on the self-hosted plan, the next one on the smallest', async () => {
    const first = await admin('POST', '/teams', { name: 'First' });
    const second = await admin('POST', '/teams', { name: 'Second' });
    expect(first).toMatchObject({ status: 201, data: { plan: 'self_hosted', requests_per_second: 50 } });
    expect(second).toMatchObject({ status: 201, data: { plan: 'pay_as_you_go', daily_bot_cap: 75 } });
    const { data } = await admin('GET', '/teams');
    expect(data).toMatchObject([{ name: 'First' }, { name: 'Second' }]);
  });

  test('shows the key of a new team once and keeps only its hash', async () => {
    const created = await admin('POST', '/teams', { name: 'Keyed' });
    const text = String(created.data['api_key']);
    const teamId = String(created.data['team_id']);
    expect(await findKey(database, hashOfApiKey(text) ?? Buffer.alloc(0))).toMatchObject({
      teamId,
      permission: 'full',
      revoked: false,
    });
    const listed = await admin('GET', `/teams/${teamId}/keys`);
    expect(JSON.stringify(listed.data)).not.toContain(text);
    expect(listed.data).toMatchObject([{ name: 'First key', start: text.slice(0, 8) }]);
    const [dump] = await database.query<{ all: string }>(`select string_agg(k::text, '') as all from api_keys k`);
    expect(dump?.all).not.toContain(text.slice(8));
  });

  test('announces a team and its tokens in the transaction that makes it, and rings the bus', async () => {
    const received: unknown[] = [];
    const consumer = await bus.consume({
      consumer: 'bot-scheduler',
      subject: 'identity.v1.>',
      handle: (message) => Promise.resolve(void received.push(message)),
    });
    const created = await admin('POST', '/teams', { name: 'Announced', plan: 'pro', tokens: 12.5 });
    const teamId = String(created.data['team_id']);
    expect(await eventsOf(teamId)).toMatchObject([
      {
        type: teamChanged.type,
        consumers: ['bot-scheduler'],
        data: {
          version: 1,
          name: 'Announced',
          plan: { name: 'pro', requestsPerSecond: 10, dailyBotCap: 300, retentionDays: 7 },
        },
      },
      { type: tokensGranted.type, data: { tokens: 12.5, grantId: expect.any(String) } },
    ]);
    await waitFor(() => received.filter((event) => JSON.stringify(event).includes(teamId)).length >= 2, {
      what: 'both events to reach a consumer',
    });
    await consumer.stop();
  });

  test('leaves nothing behind of a team that could not be made', async () => {
    await admin('POST', '/teams', { name: 'Taken' });
    const before = await database.query('select id from outbox');
    expect(await admin('POST', '/teams', { name: 'Taken', tokens: 5 })).toMatchObject({
      status: 409,
      code: 'FST_ERR_TEAM_ALREADY_EXISTS',
    });
    const unknownPlan = await admin('POST', '/teams', { name: 'Other', plan: 'gold' });
    expect(unknownPlan).toMatchObject({
      status: 400,
      message: expect.stringContaining('one of pay_as_you_go, pro, scale'),
    });
    expect(await database.query('select id from outbox')).toHaveLength(before.length);
  });

  test('makes, lists and revokes keys', async () => {
    const team = await admin('POST', '/teams', { name: 'Many keys' });
    const teamId = String(team.data['team_id']);
    const made = await admin('POST', `/teams/${teamId}/keys`, {
      name: 'website',
      permission: 'sending',
      expires_at: '2030-01-01T00:00:00Z',
    });
    expect(made).toMatchObject({
      status: 201,
      data: { permission: 'sending', expires_at: '2030-01-01T00:00:00.000Z', last_used_at: null },
    });
    const keyId = String(made.data['key_id']);
    const revoked = await admin('DELETE', `/keys/${keyId}`);
    expect(revoked.data['revoked_at']).toEqual(expect.any(String));
    expect((await admin('DELETE', `/keys/${keyId}`)).data['revoked_at']).toBe(revoked.data['revoked_at']);
    const { data } = await admin('GET', '/keys');
    expect(data).toEqual(expect.arrayContaining([expect.objectContaining({ key_id: keyId, team_id: teamId })]));
  });

  test('grants tokens by an event that is booked once', async () => {
    const team = await admin('POST', '/teams', { name: 'Granted' });
    const teamId = String(team.data['team_id']);
    const granted = await admin('POST', `/teams/${teamId}/tokens`, { tokens: 100 });
    expect(granted.status).toBe(201);
    expect(await eventsOf(teamId)).toMatchObject([{}, { data: { grantId: granted.data['grant_id'], tokens: 100 } }]);
  });

  test('writes when a key was last used and never moves it back', async () => {
    const team = await admin('POST', '/teams', { name: 'Used' });
    const keyId = String((team.data['key'] as unknown as { key_id: string }).key_id);
    const usedAt = async () => {
      const [row] = await database.query<{ at: Date }>('select last_used_at as at from api_keys where key_id = $1', [
        keyId,
      ]);
      return row?.at.toISOString();
    };
    await markUsed(database, new Map([[keyId, Date.UTC(2026, 10, 21, 9)]]));
    await markUsed(database, new Map([[keyId, Date.UTC(2026, 10, 21, 8)]]));
    expect(await usedAt()).toBe('2026-11-21T09:00:00.000Z');
    await markUsed(database, new Map());
  });

  const nobody = '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11';
  test.each([
    ['POST', '/teams', {}, 400, 'body/name: '],
    ['POST', '/teams', { name: 'x', colour: 'red' }, 400, 'colour'],
    ['POST', '/teams', { name: 'x', tokens: -1 }, 400, 'body/tokens: '],
    ['POST', `/teams/${nobody}/keys`, { permission: 'all' }, 400, 'body/permission: '],
    ['POST', `/teams/${nobody}/keys`, { expires_at: 'soon' }, 400, 'body/expires_at: '],
    ['POST', `/teams/${nobody}/keys`, {}, 404, 'There is no team with this id.'],
    ['POST', `/teams/${nobody}/tokens`, { tokens: 1 }, 404, 'There is no team with this id.'],
    ['DELETE', `/keys/${nobody}`, undefined, 404, 'There is no API key with this id.'],
    ['DELETE', '/keys/7', undefined, 400, 'path/key_id: '],
    ['GET', '/nothing', undefined, 404, 'There is nothing at this path.'],
  ])('answers %s %s %j with %d', async (method, path, body, status, message) => {
    expect(await admin(method, path, body)).toMatchObject({
      status,
      success: false,
      message: expect.stringContaining(message),
    });
  });

  test.each([null, '', 'wrong', `${token}x`])('lets nobody in with the token %j', async (bearer) => {
    expect(await admin('GET', '/teams', undefined, bearer)).toMatchObject({ status: 403, code: 'FST_ERR_FORBIDDEN' });
  });
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { tokensGranted, teamChanged } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { connectBus, createOutbox } from '@rapporteur/event-bus';
import type { Bus, Outbox } from '@rapporteur/event-bus';
import { createLogger, createService, Secret } from '@rapporteur/service-runtime';
import { createTestDatabase, testNats, waitFor } from '@rapporteur/testbed';
import type { TestDatabase } from '@rapporteur/testbed';
import { gatewayMetrics } from '../metrics.ts';
import { AuditLog } from '../audit/audit-log.ts';
import { insertEntries } from '../audit/audit.store.ts';
import { createAdminApp } from '../admin/admin-app.ts';
import { hashOfApiKey } from '../keys/api-key.ts';
import { findKey, markUsed } from '../keys/keys.store.ts';
import { send } from '../testing/gateway-under-test.ts';
import { openIdentity } from './open-identity.ts';
import { createPlans } from './plans.store.ts';
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
  testDatabase = await createTestDatabase(openIdentity);
  database = await openIdentity(testDatabase.url);
  bus = await connectBus({ url: testNats().url, name: 'api-gateway', logger });
  await bus.ensureStreams();
  outbox = createOutbox({ database, bus, service: 'api-gateway', logger });
  outbox.start();
  const audit = new AuditLog({
    write: (entries) => insertEntries(database, entries),
    clock: service.clock,
    logger,
    metrics: service.metrics.declare(gatewayMetrics),
  });
  audit.start();
  service.onStop('audit log', () => audit.stop());
  const app = createAdminApp(service, new Secret(token), {
    database,
    audit,
    teams: createTeams(database, outbox),
    plans: createPlans(database, outbox),
    schedulerUrl: 'http://127.0.0.1:1',
    storageConfigUrl: 'http://127.0.0.1:1',
  });
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
  const { status, body: reply } = await send(method.toLowerCase(), `${url}/admin/v1${path}`, {
    body,
    ...(bearer === null ? {} : { headers: { authorization: `Bearer ${bearer}` } }),
  });
  return {
    status,
    ...(reply as { message?: string }),
    data: reply['data'] as Record<string, never> & Record<string, unknown>,
  };
}

const eventsOf = (teamId: string) =>
  database.query<{ type: string; data: Record<string, unknown>; consumers: string[] }>(
    `select type, data, consumers from outbox where data->>'teamId' = $1 order by occurred_at, type`,
    [teamId],
  );

describe('the identity schema', () => {
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

  test('records in the audit log of a team what operators change, and nothing that they read', async () => {
    const made = await admin('POST', '/teams', { name: 'Audited' });
    const teamId = String(made.data['team_id']);
    await admin('GET', `/teams/${teamId}`);
    const key = await admin('POST', `/teams/${teamId}/keys`, { name: 'Audited' });
    await admin('DELETE', `/keys/${String(key.data['key_id'])}`);
    const entries = await waitFor(
      async () => {
        const rows = await database.query<{ action: string; key_id: string | null; status: number }>(
          'select action, key_id, status from audit_log where team_id = $1 order by at',
          [teamId],
        );
        return rows.length === 3 && rows;
      },
      { what: 'the entries' },
    );
    expect(entries).toEqual([
      { action: 'admin.POST /teams', key_id: null, status: 201 },
      { action: 'admin.POST /teams/:team_id/keys', key_id: null, status: 201 },
      { action: 'admin.DELETE /keys/:key_id', key_id: null, status: 200 },
    ]);
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

  test('announces a team and its tokens in the transaction that makes it, and notifies the bus', async () => {
    const received: unknown[] = [];
    const consumer = await bus.consume({
      consumer: 'bot-scheduler',
      subject: 'identity.v1.>',
      handle: (message) => Promise.resolve(void received.push(message)),
    });
    const created = await admin('POST', '/teams', { name: 'Announced', plan: 'pro', tokens: 45_000 });
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
      { type: tokensGranted.type, data: { tokens: 45_000, grantId: expect.any(String) } },
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

  const lastEventOf = async (teamId: string) =>
    (await eventsOf(teamId)).findLast(({ type }) => type === teamChanged.type);

  test('moves a team to another plan, renames it and gives it limits of its own, and announces each', async () => {
    const team = await admin('POST', '/teams', { name: 'Growing' });
    const teamId = String(team.data['team_id']);
    const moved = await admin('PATCH', `/teams/${teamId}`, { plan: 'pro', name: 'Grown' });
    expect(moved).toMatchObject({ status: 200, data: { name: 'Grown', plan: 'pro', requests_per_second: 10 } });
    const custom = await admin('PATCH', `/teams/${teamId}`, { requests_per_second: 7, retention_days: 90 });
    expect(custom.data).toMatchObject({
      requests_per_second: 7,
      daily_bot_cap: 300,
      retention_days: 90,
      own_limits: { requests_per_second: 7, daily_bot_cap: null, retention_days: 90 },
    });
    expect(await lastEventOf(teamId)).toMatchObject({
      data: {
        version: 3,
        name: 'Grown',
        plan: { name: 'pro', requestsPerSecond: 7, dailyBotCap: 300, retentionDays: 90 },
      },
    });
    await admin('PATCH', `/teams/${teamId}`, { requests_per_second: null });
    expect((await admin('GET', `/teams/${teamId}`)).data).toMatchObject({ requests_per_second: 10, version: 4 });
  });

  test('holds a team to its own rate within a second', async () => {
    const team = await admin('POST', '/teams', { name: 'Slowed' });
    await admin('PATCH', `/teams/${String(team.data['team_id'])}`, { requests_per_second: 3 });
    const known = await findKey(database, hashOfApiKey(String(team.data['api_key'])) ?? Buffer.alloc(0));
    expect(known).toMatchObject({ requestsPerSecond: 3 });
  });

  test('makes and changes plans, and publishes every team on a changed one, with its next version', async () => {
    const made = await admin('POST', '/plans', {
      name: 'club',
      requests_per_second: 4,
      daily_bot_cap: 40,
      retention_days: 4,
    });
    expect(made).toMatchObject({ status: 201, data: { name: 'club', teams: 0 } });
    const members = [];
    for (const name of ['Club one', 'Club two']) {
      members.push(String((await admin('POST', '/teams', { name, plan: 'club' })).data['team_id']));
    }
    await admin('PATCH', `/teams/${members[1]}`, { daily_bot_cap: 99 });
    const changed = await admin('PATCH', '/plans/club', { daily_bot_cap: 50 });
    expect(changed).toMatchObject({ status: 200, data: { daily_bot_cap: 50, requests_per_second: 4, teams: 2 } });
    expect(await lastEventOf(members[0] ?? '')).toMatchObject({ data: { version: 2, plan: { dailyBotCap: 50 } } });
    expect(await lastEventOf(members[1] ?? '')).toMatchObject({ data: { version: 3, plan: { dailyBotCap: 99 } } });
    expect((await admin('GET', '/plans')).data).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'club', daily_bot_cap: 50, teams: 2 })]),
    );
  });

  test('gives every change of many at once its own version, and the last one states what holds', async () => {
    const team = await admin('POST', '/teams', { name: 'Busy', plan: 'scale' });
    const teamId = String(team.data['team_id']);
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        at % 2 === 0
          ? admin('PATCH', `/teams/${teamId}`, { plan: at % 4 === 0 ? 'club' : 'scale' })
          : admin('PATCH', '/plans/club', { requests_per_second: at }),
      ),
    );
    const events = (await eventsOf(teamId)).filter(({ type }) => type === teamChanged.type);
    const versions = events.map(({ data }) => Number(data['version']));
    expect(new Set(versions).size).toBe(versions.length);
    const { data: now } = await admin('GET', `/teams/${teamId}`);
    expect(events.find(({ data }) => data['version'] === now['version'])).toMatchObject({
      data: { plan: { name: now['plan'], requestsPerSecond: now['requests_per_second'] } },
    });
    expect(Math.max(...versions)).toBe(now['version']);
  });

  test('changes the name, permission and end of a key', async () => {
    const team = await admin('POST', '/teams', { name: 'Changing keys' });
    const keyId = String((team.data['key'] as unknown as { key_id: string }).key_id);
    const change = (body: unknown) => admin('PATCH', `/keys/${keyId}`, body);
    expect(await change({ permission: 'sending', expires_at: '2030-01-01T00:00:00Z' })).toMatchObject({
      status: 200,
      data: { name: 'First key', permission: 'sending', expires_at: '2030-01-01T00:00:00.000Z' },
    });
    expect(await change({ name: 'Renamed', expires_at: null })).toMatchObject({
      data: { name: 'Renamed', permission: 'sending', expires_at: null },
    });
  });

  const unknownId = '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11';
  test.each([
    ['POST', '/teams', {}, 400, 'name: '],
    ['POST', '/teams', { name: 'x', colour: 'red' }, 400, 'colour'],
    ['POST', '/teams', { name: 'x', tokens: -1 }, 400, 'tokens: '],
    ['POST', `/teams/${unknownId}/keys`, { permission: 'all' }, 400, 'permission: '],
    ['POST', `/teams/${unknownId}/keys`, { expires_at: 'soon' }, 400, 'expires_at: '],
    ['POST', `/teams/${unknownId}/keys`, {}, 404, 'There is no team with this id.'],
    ['POST', `/teams/${unknownId}/tokens`, { tokens: 1 }, 404, 'There is no team with this id.'],
    ['PATCH', `/teams/${unknownId}`, { name: 'x' }, 404, 'There is no team with this id.'],
    ['PATCH', `/teams/${unknownId}`, {}, 400, 'body: It must say what to change'],
    ['PATCH', `/teams/${unknownId}`, { requests_per_second: 1001 }, 400, 'requests_per_second: '],
    ['PATCH', `/teams/${unknownId}`, { plan: 'gold' }, 400, 'plan: It must be one of'],
    ['GET', `/teams/${unknownId}`, undefined, 404, 'There is no team with this id.'],
    ['POST', '/plans', { name: 'Gold!', requests_per_second: 1, daily_bot_cap: 1, retention_days: 1 }, 400, 'name: '],
    [
      'POST',
      '/plans',
      { name: 'pro', requests_per_second: 1, daily_bot_cap: 1, retention_days: 1 },
      409,
      'a plan with',
    ],
    ['PATCH', '/plans/gold', { retention_days: 1 }, 404, 'There is no plan with this name.'],
    ['PATCH', '/plans/pro', { retention_days: 0 }, 400, 'retention_days: '],
    ['PATCH', `/keys/${unknownId}`, { name: 'x' }, 404, 'There is no API key with this id.'],
    ['DELETE', `/keys/${unknownId}`, undefined, 404, 'There is no API key with this id.'],
    ['DELETE', '/keys/7', undefined, 400, 'key_id: '],
    ['GET', '/nothing', undefined, 404, 'There is nothing at this path.'],
  ])('responds to %s %s %j with %d', async (method, path, body, status, message) => {
    expect(await admin(method, path, body)).toMatchObject({
      status,
      success: false,
      message: expect.stringContaining(message),
    });
  });

  test.each([null, '', 'wrong', `${token}x`])('refuses the token %j', async (bearer) => {
    expect(await admin('GET', '/teams', undefined, bearer)).toMatchObject({ status: 403, code: 'FST_ERR_FORBIDDEN' });
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { internalCalls } from '@rapporteur/contracts';
import type { CanaryList, PagePackView } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { fail, toEnvelope } from '@rapporteur/failures';
import type { FailureCode } from '@rapporteur/failures';
import { createLogger, createService, Secret } from '@rapporteur/service-runtime';
import { createTestDatabase } from '@rapporteur/testbed';
import request from 'supertest';
import type { AuditEntry } from '../audit/audit.store.ts';
import { AuditLog } from '../audit/audit-log.ts';
import { openIdentity } from '../identity/open-identity.ts';
import { createPlans } from '../identity/plans.store.ts';
import { createTeams } from '../identity/teams.store.ts';
import { gatewayMetrics } from '../metrics.ts';
import { startStubOwner } from '../testing/stub-owner.ts';
import type { OwnerResponse, StubOwner } from '../testing/stub-owner.ts';
import { createAdminApp } from './admin-app.ts';

const token = 'the admin token of this test, long enough';
const service = createService({
  name: 'api-gateway',
  internalSecret: new Secret('s'.repeat(48)),
  logger: createLogger('api-gateway', 'silent'),
});
const outbox = { add: async () => 'none', notify: () => undefined };
let testDatabase: Awaited<ReturnType<typeof createTestDatabase>>;
let database: Database;
let scheduler: StubOwner;
let storageConfig: StubOwner;
let url = '';
const audited: AuditEntry[] = [];
const audit = new AuditLog({
  write: async (entries) => void audited.push(...entries),
  clock: service.clock,
  logger: service.logger,
  metrics: service.metrics.declare(gatewayMetrics),
});

beforeAll(async () => {
  testDatabase = await createTestDatabase(openIdentity);
  database = await openIdentity(testDatabase.url);
  [scheduler, storageConfig] = await Promise.all([startStubOwner(), startStubOwner()]);
  const app = createAdminApp(service, new Secret(token), {
    database,
    audit,
    teams: createTeams(database, outbox),
    plans: createPlans(database, outbox),
    schedulerUrl: scheduler.url,
    storageConfigUrl: storageConfig.url,
  });
  ({ url } = await service.listen(app, { host: '127.0.0.1', port: 0 }));
});
afterAll(async () => {
  await service.stop();
  await Promise.all([scheduler.stop(), storageConfig.stop()]);
  await database.close();
  await testDatabase.drop();
});
beforeEach(() => void (scheduler.calls.length = 0));

const admin = (method: 'get' | 'post' | 'put', path: string, body?: object) =>
  request(url)[method](`/admin/v1${path}`).set('authorization', `Bearer ${token}`).send(body);
const refused = (code: FailureCode): OwnerResponse => {
  const failure = fail(code, { message: `Refused with ${code}.` });
  return { status: failure.statusCode, body: toEnvelope(failure) };
};

const botId = '0b000000-0000-4000-8000-000000000001';
const spilled = {
  bot_id: botId,
  team_id: '0a000000-0000-4000-8000-000000000001',
  storage_config_id: '0c000000-0000-4000-8000-000000000001',
  key: 'artifacts/video.mp4',
  bytes: 4,
  spilled_at: '2026-11-23T09:00:00.000Z',
  attempts: 1,
  next_attempt_at: '2026-11-23T09:01:00.000Z',
  last_error: 'The object store refuses this access key. (HTTP 403)',
};
const instant = '2026-11-26T07:00:00.000Z';
const pagePacks: PagePackView = {
  platforms: [
    {
      platform: 'meet',
      state: 'suspended',
      version: '2026-11-26.1',
      share: null,
      previous_version: '2026-11-26.1',
      accepted_at: instant,
      suspended: { version: '2026-11-26.1+bad', at: instant, message: 'It brought 0 of 5.' },
    },
  ],
  refused: { reason: 'unsigned', message: 'No key signed it.', at: instant },
  unrecognised: [],
};
const canaries: CanaryList['canaries'] = [
  { name: 'meet-daily', platform: 'meet', interval_seconds: 900, next_run_at: instant, running: true, runs: [] },
];

describe('the admin API', () => {
  test('returns the page packs and the canaries of bot-scheduler', async () => {
    scheduler.nextResponses.push({ status: 200, body: pagePacks }, { status: 200, body: { canaries } });
    expect(await admin('get', '/page-packs')).toMatchObject({ status: 200, body: { success: true, data: pagePacks } });
    expect(await admin('get', '/canaries')).toMatchObject({ status: 200, body: { success: true, data: canaries } });
    expect(scheduler.calls).toMatchObject([
      { path: internalCalls.operators.pagePacks.path },
      { path: internalCalls.operators.canaries.path },
    ]);
  });

  test('has a canary run, and says that there is none of this name', async () => {
    scheduler.nextResponses.push({ status: 200, body: { success: true } }, refused('NOT_FOUND'));
    const run = await admin('post', '/canaries/meet-daily/run');
    expect(run).toMatchObject({ status: 202, body: { data: { name: 'meet-daily' } } });
    expect(scheduler.calls).toMatchObject([
      { path: internalCalls.operators.runCanary.path, body: { name: 'meet-daily' } },
    ]);
    const unknown = await admin('post', '/canaries/nobody/run');
    expect(unknown).toMatchObject({ status: 404, body: { message: 'Refused with NOT_FOUND.' } });
  });

  test("lists what waits for teams' buckets", async () => {
    storageConfig.nextResponses.push({ status: 200, body: { objects: [spilled] } });
    expect(await admin('get', '/storage/spilled-objects')).toMatchObject({ status: 200, body: { data: [spilled] } });
  });

  test('places and ends a legal hold on a bot', async () => {
    for (const held of [true, false]) {
      scheduler.nextResponses.push({ status: 200, body: { success: true, teamId: spilled.team_id } });
      const reply = await admin('put', `/bots/${botId}/legal-hold`, { held });
      expect(reply).toMatchObject({ status: 200, body: { data: { bot_id: botId, held } } });
    }
    scheduler.nextResponses.push({ status: 200, body: { success: true, teamId: spilled.team_id } });
    await admin('post', `/bots/${botId}/move`, {});
    scheduler.calls.pop();
    await audit.stop();
    expect(audited.map(({ teamId, action }) => [teamId, action])).toEqual([
      [spilled.team_id, 'admin.PUT /bots/:bot_id/legal-hold'],
      [spilled.team_id, 'admin.PUT /bots/:bot_id/legal-hold'],
      [spilled.team_id, 'admin.POST /bots/:bot_id/move'],
    ]);
    expect(scheduler.calls.map(({ body }) => body)).toEqual([
      { botId, held: true },
      { botId, held: false },
    ]);
  });

  test.each([
    ['put', `/bots/${botId}/legal-hold`, { held: true }, 'BOT_NOT_FOUND'],
    ['post', `/bots/${botId}/move`, {}, 'BOT_NOT_FOUND'],
    ['post', `/bots/${botId}/move`, {}, 'BOT_STATUS'],
  ] as const)('passes on why bot-scheduler refuses %s %s: %j %s', async (method, path, body, code) => {
    scheduler.nextResponses.push(refused(code));
    const { statusCode, wireCode } = { statusCode: fail(code).statusCode, wireCode: fail(code).entry.wireCode };
    const expected = { code: wireCode, message: `Refused with ${code}.` };
    expect(await admin(method, path, body)).toMatchObject({ status: statusCode, body: expected });
  });

  test.each([
    ['a defect of its own', refused('INTERNAL')],
    ['a refusal of this service', refused('INTERNAL_TOKEN_REJECTED')],
    ['no envelope', { status: 404, body: 'nothing', text: '<h1>Not found</h1>' }],
    ['another shape', { status: 200, body: {} }],
  ])('is unavailable when bot-scheduler responds with %s', async (_what, response) => {
    for (const path of ['/page-packs', '/canaries']) {
      scheduler.nextResponses.push(response);
      expect(await admin('get', path)).toMatchObject({ status: 503, body: { code: 'FST_ERR_UNAVAILABLE' } });
    }
  });

  test.each([
    ['get', '/page-packs'],
    ['get', '/canaries'],
    ['get', '/storage/spilled-objects'],
    ['post', '/canaries/meet-daily/run'],
  ] as const)('refuses %s %s without the admin token', async (method, path) => {
    const { status } = await request(url)[method](`/admin/v1${path}`);
    expect({ status, calls: scheduler.calls }).toEqual({ status: 403, calls: [] });
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { legacyDocument } from '@rapporteur/contracts/legacy-api';
import { publicOperations } from '@rapporteur/contracts/public-api';
import type { PublicOperation } from '@rapporteur/contracts/public-api';
import { FakeClock } from '@rapporteur/async/testing';
import { fittingBodies } from '../testing/fitting-bodies.ts';
import { send, startEdge } from '../testing/gateway-under-test.ts';
import type { Edge } from '../testing/gateway-under-test.ts';
import { createApiKey } from './api-key.ts';
import { changeKey, listKeys, revokeKey } from './keys.store.ts';

const clock = new FakeClock(Date.now());
const responses = { 201: { success: true, data: { bot_id: '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11' } } } as const;
/** Specification 5.4, byte for byte. */
const forbidden =
  '{"success":false,"error":"Forbidden","code":"FST_ERR_FORBIDDEN","statusCode":403,"message":"Forbidden"}';
const keys = {
  missing: undefined as string | undefined,
  unknown: '',
  malformed: '',
  sending: '',
  full: '',
  revoked: '',
  expired: '',
};
/** Operations by the least role of a user of the console that may call them. */
const operationsOfRole = {
  viewer: [
    'listBots',
    'preflightBot',
    'listScheduledBots',
    'searchTranscripts',
    'listCalendars',
    'listCalendarProviders',
    'getCalendarSettings',
    'listCalendarRules',
    'dryRunCalendarRule',
    'listWebhookEndpoints',
    'listNewWebhookMessages',
    'listWebhookEventTypes',
    'listDailyUsage',
    'listBotUsage',
    'listZoomCredentials',
    'listMeetWorkspaces',
    'listMeetLogins',
    'getMeetLoginUtilization',
    'listTeamsWorkspaces',
    'listTeamsLogins',
    'getTeamsLoginUtilization',
    'getStorageConfig',
    'getRetentionSettings',
    'getScheduledBot',
    'getBot',
    'getBotStatus',
    'getBotLive',
    'getBotTranscript',
    'listBotScreenshots',
    'getCalendar',
    'listCalendarEvents',
    'listCalendarSeries',
    'getWebhookEndpoint',
    'listWebhookMessages',
    'listWebhookAttempts',
    'listBotCallbacks',
    'getZoomCredential',
    'getMeetWorkspace',
    'getMeetLogin',
    'getTeamsWorkspace',
    'getTeamsLogin',
    'getCalendarEvent',
  ],
  member: [
    'createBot',
    'createBots',
    'scheduleBot',
    'scheduleBots',
    'createCalendar',
    'listRawCalendars',
    'startCalendarConsent',
    'redeemCalendarConsent',
    'setCalendarSettings',
    'createCalendarRule',
    'updateScheduledBot',
    'deleteScheduledBot',
    'leaveBot',
    'pauseBotRecording',
    'resumeBotRecording',
    'sendBotChatMessage',
    'updateBotConfig',
    'renameSpeaker',
    'retranscribeBot',
    'resendBotWebhook',
    'retryBotCallback',
    'deleteBotData',
    'updateCalendar',
    'deleteCalendar',
    'syncCalendar',
    'resubscribeCalendar',
    'createCalendarBots',
    'updateCalendarBots',
    'deleteCalendarBots',
    'connectConsentedCalendar',
    'updateCalendarRule',
    'deleteCalendarRule',
    'resendWebhookMessage',
  ],
  admin: [
    'createWebhookEndpoint',
    'listApiKeys',
    'createApiKey',
    'listAuditLog',
    'createZoomCredential',
    'createMeetWorkspace',
    'createMeetLogin',
    'createTeamsWorkspace',
    'createTeamsLogin',
    'putStorageConfig',
    'deleteStorageConfig',
    'testStorageConfig',
    'setRetentionSettings',
    'updateWebhookEndpoint',
    'deleteWebhookEndpoint',
    'rotateWebhookSecret',
    'testWebhookEndpoint',
    'revokeApiKey',
    'updateZoomCredential',
    'deleteZoomCredential',
    'updateMeetWorkspace',
    'deleteMeetWorkspace',
    'verifyMeetWorkspace',
    'updateMeetLogin',
    'deleteMeetLogin',
    'updateTeamsWorkspace',
    'deleteTeamsWorkspace',
    'updateTeamsLogin',
    'deleteTeamsLogin',
  ],
};
const roles = ['viewer', 'member', 'admin'] as const;
let edge: Edge;
let url = '';
let teamId = '';

beforeAll(async () => {
  edge = await startEdge();
  await edge.database.query(`insert into plans values ('unlimited', 1000, 1000, 1)`);
  teamId = await edge.createTeam('unlimited');
  keys.unknown = createApiKey().text;
  keys.sending = await edge.createKey(teamId, 'sending');
  keys.full = await edge.createKey(teamId, 'full', new Date(clock.now() + 3_600_000));
  keys.malformed = `${keys.full.slice(0, -1)}${keys.full.endsWith('a') ? 'b' : 'a'}`;
  keys.revoked = await edge.createKey(teamId, 'full');
  keys.expired = await edge.createKey(teamId, 'full', new Date(clock.now()));
  const revoked = (await listKeys(edge.database, teamId)).find((key) => keys.revoked.startsWith(key.start));
  await revokeKey(edge.database, revoked?.key_id ?? '', null);
  url = await edge.startGateway({ clock });
});
afterAll(() => edge.stop());
beforeEach(() => {
  edge.scheduler.calls.length = 0;
  edge.delivery.calls.length = 0;
  edge.ssoIdp.calls.length = 0;
  edge.storageConfig.calls.length = 0;
  edge.calendarSync.calls.length = 0;
});

/** A request that only the key can fail. An owner's 404 shows that it was forwarded. */
function call(operation: PublicOperation, key: string | undefined, headers: Readonly<Record<string, string>> = {}) {
  const refused = {
    success: false,
    error: 'Not Found',
    code: 'FST_ERR_NOT_FOUND',
    statusCode: 404,
    message: 'x',
    details: null,
  };
  for (const owner of [edge.scheduler, edge.calendarSync, edge.delivery, edge.ssoIdp, edge.storageConfig])
    owner.response = { status: 404, body: refused };
  const path = operation.path
    .replaceAll('{message_id}', `msg_${'a'.repeat(26)}`)
    .replaceAll(/\{\w+\}/g, '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11');
  const body = fittingBodies[operation.id];
  const isPresent = operation.path.startsWith('/v2/');
  if (isPresent && operation.body === 'required' && body === undefined)
    throw new Error(`Give ${operation.id} a body that fits.`);
  return send(operation.method, `${url}${path}${queries[operation.id] ?? ''}`, {
    key,
    headers,
    ...(body === undefined ? {} : { body }),
  });
}

/** Query parameters that an operation requires. */
const queries: Readonly<Record<string, string>> = { searchTranscripts: '?q=morning' };

/** Expected status of the gateway's own operations where it is not 200; no key has the requested id. */
const ownStatuses: Readonly<Record<string, number>> = { createApiKey: 201, revokeApiKey: 404 };

const forwarded = () =>
  [edge.scheduler, edge.calendarSync, edge.delivery, edge.ssoIdp, edge.storageConfig].flatMap(({ calls }) => calls);

describe.each(publicOperations())('$id', (operation) => {
  test.each(['missing', 'malformed', 'unknown', 'revoked', 'expired'] as const)(
    'refuses a key that is %s, with the one body there is for it',
    async (name) => {
      const response = await call(operation, keys[name]);
      expect(response.status).toBe(403);
      expect(response.text).toBe(forbidden);
      expect(response.get('x-service-key-problem')).toBe(name);
      expect(response.get('link')).toBe('</docs/guides/errors>; rel="help"');
      expect(forwarded()).toEqual([]);
    },
  );

  test(`${operation.permission === 'sending' ? 'lets in' : 'refuses'} a Sending Access key`, async () => {
    const response = await call(operation, keys.sending);
    if (operation.permission === 'sending') {
      expect(forwarded()).toHaveLength(1);
      expect(forwarded()[0]?.token).toMatchObject({ permission: 'sending' });
    } else {
      expect(response.text).toBe(forbidden);
      expect(response.status).toBe(403);
      expect(response.get('x-service-key-problem')).toBe('permission');
      expect(forwarded()).toEqual([]);
    }
  });

  test('lets in a Full Access key and states to the owner for whom', async () => {
    const response = await call(operation, keys.full);
    if (operation.owner === 'api-gateway') {
      expect([response.status, forwarded()]).toEqual([ownStatuses[operation.id] ?? 200, []]);
      return;
    }
    const [only, ...rest] = forwarded();
    expect(rest).toEqual([]);
    expect(only).toMatchObject({
      method: operation.method.toUpperCase(),
      token: { iss: 'api-gateway', aud: operation.owner, team: teamId, permission: 'full' },
    });
    expect(only?.path).toMatch(/^\/internal\/v2\//);
    expect(only?.headers).not.toHaveProperty('x-service-api-key');
  });
});

/** Specification 5.4 and the roles of the console: each operation of both generations, by each role. */
describe('a user of the console', () => {
  test('has a least role for every operation of the present API', () => {
    expect(Object.values(operationsOfRole).flat().toSorted()).toEqual(
      publicOperations()
        .map(({ id }) => id)
        .toSorted(),
    );
  });

  test.each(roles)(
    'who is %s is admitted to exactly the operations of that role and of those below it',
    async (role) => {
      const authorization = await edge.authorizationOf(teamId, { id: randomUUID(), name: 'Ada', role });
      const admitted: string[] = [];
      for (const operation of [...publicOperations(), ...publicOperations(legacyDocument)]) {
        const { status, body } = await call(operation, undefined, { authorization });
        if (status !== 403) admitted.push(operation.id);
        else expect(body['message']).toBe(`Your role in this team, ${role}, does not include this.`);
      }
      const expected = roles.slice(0, roles.indexOf(role) + 1).flatMap((one) => operationsOfRole[one]);
      expect(admitted.toSorted()).toEqual(expected.toSorted());
    },
  );
});

describe('a Sending Access key', () => {
  const botId = '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11';

  test.each([
    ['get', '/v2/bots'],
    ['head', '/v2/bots'],
    ['options', '/v2/bots'],
    ['put', '/v2/bots'],
    ['get', '/v2/bots/batch'],
    ['delete', '/v2/bots/scheduled'],
    ['patch', `/v2/bots/${botId}`],
    ['get', '/V2/Bots'],
    ['get', '/v2'],
    ['post', '/v2/nothing/at/all'],
    ['get', '/v2/nothing'],
    ['delete', '/nothing'],
    ['post', '/v2/webhooks/endpoints'],
    ['post', '/v2/bots/'.padEnd(2_000, 'x')],
  ])('gets the one 403 for %s %s', async (method, path) => {
    const response = await send(method, `${url}${path}`, { key: keys.sending });
    expect(response.status).toBe(403);
    expect(response.text ?? '').toBe(method === 'head' ? '' : forbidden);
    expect(forwarded()).toEqual([]);
  });
});

describe('a path that is not there', () => {
  test.each([
    ['below /v2, without a key, reveals no route', '/v2/nothing', undefined, 403],
    ['elsewhere, without a key, is not found', '/nothing', undefined, 404],
    ['elsewhere, with a bad key, reveals no route', '/nothing', 'rap_x', 403],
  ])('%s', async (_what, path, key, status) => {
    expect((await send('get', `${url}${path}`, { key })).status).toBe(status);
  });

  test.each(['/v2/nothing', '/nothing'])('%s is not found, with a good key', async (path) => {
    const response = await send('post', `${url}${path}`, { key: keys.full });
    expect(response.body).toMatchObject({ statusCode: 404, code: 'FST_ERR_NOT_FOUND' });
    expect(response.get('x-ratelimit-limit')).not.toBeUndefined();
  });
});

describe('a key', () => {
  test('stops working within one second of being revoked, on two replicas by the clock on the wall', async () => {
    edge.scheduler.response = { status: 201, body: responses[201] };
    const replicas = [await edge.startGateway(), await edge.startGateway()];
    const own = await edge.createKey(teamId, 'full');
    const record = (await listKeys(edge.database, teamId)).find((key) => own.startsWith(key.start));
    const allowed = async (base: string) =>
      (await send('post', `${base}/v2/bots`, { key: own, body: fittingBodies['createBot'] })).status === 201;
    expect(await Promise.all(replicas.map(allowed))).toEqual([true, true]);
    await revokeKey(edge.database, record?.key_id ?? '', null);
    const revokedAt = performance.now();
    // The time of the last accepted request: a busy machine delays responses.
    const lastLetIn = async (base: string): Promise<number> => {
      let lastMs = 0;
      for (let sentMs = 0; sentMs < 5_000 && (await allowed(base)); sentMs = performance.now() - revokedAt)
        lastMs = sentMs;
      return lastMs;
    };
    for (const afterMs of await Promise.all(replicas.map(lastLetIn))) expect(afterMs).toBeLessThan(1_100);
  });

  test('that was narrowed to Sending Access is narrow within a second', async () => {
    edge.scheduler.response = { status: 201, body: responses[201] };
    const own = await edge.createKey(teamId, 'full');
    const record = (await listKeys(edge.database, teamId)).find((key) => own.startsWith(key.start));
    const read = () => send('get', `${url}/v2/webhooks/event-types`, { key: own });
    expect((await read()).status).not.toBe(403);
    await changeKey(edge.database, record?.key_id ?? '', { permission: 'sending' });
    await clock.advance(1_000);
    expect((await read()).text).toBe(forbidden);
  });

  test('stops working within a second of being revoked, on every replica', async () => {
    edge.scheduler.response = { status: 201, body: responses[201] };
    const other = await edge.startGateway({ clock });
    const own = await edge.createKey(teamId, 'full');
    const record = (await listKeys(edge.database, teamId)).find((key) => own.startsWith(key.start));
    const post = (base: string) =>
      send('post', `${base}/v2/bots`, { key: own, body: { bot_name: 'x', meeting_url: 'https://meet.google.com/a' } });
    expect([(await post(url)).status, (await post(other)).status]).toEqual([201, 201]);
    await revokeKey(edge.database, record?.key_id ?? '', null);
    await clock.advance(1_000);
    expect([(await post(url)).status, (await post(other)).status]).toEqual([403, 403]);
  });

  test('expires at its moment, cached or not', async () => {
    const own = await edge.createKey(teamId, 'full', new Date(clock.now() + 200));
    const path = `${url}/v2/bots/3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11/status`;
    expect((await send('get', path, { key: own })).body).not.toMatchObject({ code: 'FST_ERR_FORBIDDEN' });
    await clock.advance(200);
    expect((await send('get', path, { key: own })).body).toMatchObject({ code: 'FST_ERR_FORBIDDEN' });
  });

  test('that cannot be looked up receives 503, not 403', async () => {
    await edge.database.query('alter table api_keys rename to api_keys_gone');
    const response = await send('get', `${url}/v2/webhooks/endpoints`, { key: await freshButUnknown() });
    await edge.database.query('alter table api_keys_gone rename to api_keys');
    expect(response.body).toMatchObject({ code: 'FST_ERR_UNAVAILABLE', statusCode: 503 });
    expect(response.text).not.toContain('api_keys');
  });
});

function freshButUnknown(): Promise<string> {
  return Promise.resolve(createApiKey().text);
}

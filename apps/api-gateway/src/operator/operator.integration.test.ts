import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import {
  createApp,
  createInternalAuth,
  createLogger,
  createService,
  Secret,
  sendFailures,
} from '@rapporteur/service-runtime';
import type { OwnerCall } from '../forwarding/owners.ts';
import { operatorRoutes } from './operator.routes.ts';

const internalSecret = new Secret('s'.repeat(48));
const service = createService({ name: 'api-gateway', internalSecret, logger: createLogger('api-gateway', 'silent') });
const calls: OwnerCall[] = [];
let url = '';

beforeAll(async () => {
  const app = createApp(service);
  const owners = {
    sendRequest: async (call: OwnerCall) => {
      calls.push(call);
      return { status: 200, headers: {}, text: '{"phases":[]}' };
    },
    close: () => undefined,
  };
  app.use(operatorRoutes(service.auth, owners));
  app.use(...sendFailures(service));
  ({ url } = await service.listen(app, { host: '127.0.0.1', port: 0 }));
});
afterAll(() => service.stop());
beforeEach(() => void (calls.length = 0));

test('page packs and canaries are read, and a canary is run, for the console alone', async () => {
  const auth = createInternalAuth('console', internalSecret);
  for (const [method, path] of [
    ['GET', '/page-packs'],
    ['GET', '/canaries'],
    ['POST', '/canaries/meet-daily/run'],
  ] as const) {
    const address = `${url}/operator/v1${path}`;
    expect((await auth.fetch('api-gateway', address, { method })).status).toBe(200);
    expect(
      (await createInternalAuth('delivery', internalSecret).fetch('api-gateway', address, { method })).status,
    ).toBe(401);
    expect((await fetch(address, { method })).status).toBe(401);
  }
  expect(calls).toMatchObject([
    { method: 'POST', path: '/v1/page-packs', body: {} },
    { method: 'POST', path: '/v1/canaries', body: {} },
    { method: 'POST', path: '/v1/canaries/run', body: { name: 'meet-daily' } },
  ]);
});

test('the fleet is read for the console alone, and from bot-scheduler', async () => {
  const address = `${url}/operator/v1/fleet`;
  const reply = await createInternalAuth('console', internalSecret).fetch('api-gateway', address);
  expect(await reply.json()).toEqual({ phases: [] });
  expect(calls).toMatchObject([{ owner: 'bot-scheduler', method: 'POST', path: '/v1/fleet' }]);
  for (const other of ['bot-scheduler', 'delivery']) {
    expect((await createInternalAuth(other, internalSecret).fetch('api-gateway', address)).status).toBe(401);
  }
  expect((await fetch(address, { headers: { 'x-service-api-key': 'rap_any' } })).status).toBe(401);
  expect(calls).toHaveLength(1);
});

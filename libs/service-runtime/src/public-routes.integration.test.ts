import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createApp, sendFailures } from './http.ts';
import { servePublic } from './public-routes.ts';
import { createService } from './run-service.ts';
import { Secret } from './secret.ts';

const internalSecret = new Secret('a secret of more than thirty-two characters');
const owner = createService({ name: 'bot-scheduler', logLevel: 'silent', internalSecret });
const gateway = createService({ name: 'api-gateway', logLevel: 'silent', internalSecret });
const other = createService({ name: 'delivery', logLevel: 'silent', internalSecret });
const botId = 'C56A4180-65AA-42EC-A945-5FD21DEC0538';
let base = '';
beforeAll(async () => {
  const app = createApp(owner);
  app.use(
    servePublic(owner.auth, {
      getBot: ({ teamId, params, query, body }) => ({ data: { teamId, params, query, body } }),
      listBots: ({ query }) => ({ data: query }),
      deleteBotData: ({ query }) => ({ data: query }),
      listScheduledBots: () => ({ data: 'scheduled' }),
      createBot: ({ body }) => ({ data: body }),
      getBotTranscript: ({ query, response }) => {
        response.type('json').send(JSON.stringify(query));
        return null;
      },
    }),
  );
  app.use(...sendFailures(owner));
  base = (await owner.listen(app, { host: '127.0.0.1', port: 0, drainMs: 0 })).url;
});
afterAll(async () => {
  for (const service of [owner, gateway, other]) await service.stop();
});

async function call(path: string, init: RequestInit = {}, as = gateway, teamId: string | undefined = 'team') {
  const token = { ...init, ...(teamId === undefined ? {} : { teamId }) };
  const response = await as.auth.fetch('bot-scheduler', `${base}/internal/v2${path}`, token);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test('queries have the types and the defaults of the contract, paths lower-case ids', async () => {
  expect((await call(`/bots/${botId}`)).body).toEqual({
    success: true,
    data: { teamId: 'team', params: { bot_id: botId.toLowerCase() }, query: {}, body: null },
  });
  expect((await call('/bots?bot_name=7&created_after=2026-11-29T10:00:00%2B01:00')).body['data']).toEqual({
    limit: 50,
    bot_name: '7',
    created_after: '2026-11-29T09:00:00.000000Z',
  });
  expect((await call('/bots?limit=7')).body['data']).toEqual({ limit: 7 });
  const deleted = await call(`/bots/${botId}/delete-data?delete_transcription=true`, { method: 'DELETE' });
  expect(deleted.body['data']).toEqual({ delete_from_provider: false, delete_transcription: true });
});

test('a fixed path precedes a parameter in its place, and a creation is 201', async () => {
  expect((await call('/bots/scheduled')).body['data']).toBe('scheduled');
  const headers = { 'content-type': 'application/json' };
  const created = await call('/bots', { method: 'POST', headers, body: '{"bot_name":"x"}' });
  expect(created).toEqual({ status: 201, body: { success: true, data: { bot_name: 'x' } } });
});

test('a handler may send the response itself', async () => {
  expect(await call(`/bots/${botId}/transcript`)).toEqual({ status: 200, body: { format: 'json' } });
});

test('only api-gateway may call, and for a team', async () => {
  expect((await call('/bots', {}, other)).status).toBe(401);
  expect((await gateway.auth.fetch('bot-scheduler', `${base}/internal/v2/bots`)).status).toBe(401);
  expect((await fetch(`${base}/internal/v2/bots`)).status).toBe(401);
});

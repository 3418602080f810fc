import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createService, Secret } from '@rapporteur/service-runtime';
import { openAdmissionHarness } from '../testing/admission-harness.ts';
import type { AdmissionHarness } from '../testing/admission-harness.ts';
import { createBody } from '../testing/create-body.ts';
import { addTeam, internalSecret } from '../testing/test-scheduler.ts';

let harness: AdmissionHarness;
beforeAll(async () => {
  harness = await openAdmissionHarness();
});
afterAll(() => harness.close());

const gateway = createService({ name: 'api-gateway', internalSecret: new Secret(internalSecret), logLevel: 'silent' });
afterAll(() => gateway.stop());

/** One attempt of a request with an Idempotency-Key, as the gateway forwards it. */
async function send(path: string, teamId: string, request: { id: string; body: unknown }) {
  const response = await gateway.auth.fetch('bot-scheduler', `${harness.url}/internal/v2/bots${path}`, {
    method: 'POST',
    teamId,
    permission: 'full',
    headers: { 'content-type': 'application/json', 'x-idempotency-id': request.id },
    body: JSON.stringify(request.body),
    timeoutMs: 30_000,
  });
  return { status: response.status, body: (await response.json()) as { data: Record<string, unknown> } };
}

describe('a creation that is tried again, because its response was lost', () => {
  test('finds the bot it made, even where a second one would be refused, and makes nothing more', async () => {
    const teamId = await addTeam(harness.database, { dailyBotCap: 1, tokens: 1_800 });
    const request = { id: randomUUID(), body: createBody({ allow_multiple_bots: false }) };
    const tries = await Promise.all(Array.from({ length: 20 }, () => send('', teamId, request)));
    expect(new Set(tries.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(tries.map(({ body }) => body.data['bot_id'])).size).toBe(1);
    expect(await harness.countRows(teamId)).toMatchObject({
      bots: 1,
      history: 1,
      ledger: 1,
      counted: 1,
      reserved: 1_800,
    });
    expect((await send('', teamId, { ...request, id: randomUUID() })).status).not.toBe(201);
  });

  test('gives the same ids for a batch, item by item', async () => {
    const teamId = await addTeam(harness.database);
    const items = [0, 1, 2].map((index) => ({ index, body: createBody({ bot_name: `Bot ${index}` }) }));
    const request = { id: randomUUID(), body: { items } };
    const [first, second] = [await send('/batch', teamId, request), await send('/batch', teamId, request)];
    expect(first.status).toBe(201);
    expect(second).toEqual(first);
    expect((await harness.countRows(teamId))['bots']).toBe(3);
  });

  test('gives the same scheduled bot, and does not undo what was changed meanwhile', async () => {
    const teamId = await addTeam(harness.database);
    const join_at = new Date(harness.clock.now() + 3_600_000).toISOString();
    const request = { id: randomUUID(), body: createBody({ join_at }) };
    const first = await send('/scheduled', teamId, request);
    const path = `/internal/v2/bots/scheduled/${String(first.body.data['bot_id'])}`;
    expect((await harness.sendRequest('PATCH', path, teamId, { bot_name: 'Renamed' })).status).toBe(200);
    expect(await send('/scheduled', teamId, request)).toEqual(first);
    expect((await harness.sendRequest('GET', path, teamId)).body.data['bot_name']).toBe('Renamed');
  });

  test('is another request for another team', async () => {
    const [one, other] = [await addTeam(harness.database), await addTeam(harness.database)];
    const request = { id: randomUUID(), body: createBody() };
    const [first, second] = [await send('', one, request), await send('', other, request)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.body.data['bot_id']).not.toBe(second.body.data['bot_id']);
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { botRedeliveryRequested } from '@rapporteur/contracts';
import { readSecret } from '../credentials/bot-secrets.store.ts';
import { addTeam, startTestScheduler, testBox } from '../testing/test-scheduler.ts';
import type { TestScheduler } from '../testing/test-scheduler.ts';

let scheduler: TestScheduler;
let teamId: string;
beforeAll(async () => {
  scheduler = await startTestScheduler();
  teamId = await addTeam(scheduler.database);
});
afterAll(() => scheduler.stop());

const callback_config = { url: 'https://example.com/own', method: 'PUT', secret: 'own canary' };

const sendRequest = (botId: string, action: string, body?: unknown, team = teamId) =>
  scheduler.sendRequest('POST', `/internal/v2/bots/${botId}/${action}`, team, body);

async function requests(botId: string) {
  const rows = await scheduler.database.query<{ data: unknown }>(
    `select data from outbox where type = 'bots.v1.redelivery-requested' and data->'ended'->>'botId' = $1
       order by position`,
    [botId],
  );
  return rows.map(({ data }) => botRedeliveryRequested.data.parse(data));
}

async function ended(over: Record<string, unknown> = {}, transcribed = false): Promise<string> {
  const botId = await scheduler.sendBot(teamId, 'completes', over);
  await scheduler.waitForStatus(botId, 'completed');
  // No transcriber runs, for which a bot would wait.
  if (transcribed) await scheduler.database.query('update bots set transcription_wanted = true where id = $1', [botId]);
  return botId;
}

describe('resending the final webhook', () => {
  test("requests it from delivery each time, with the bot's current end", async () => {
    const botId = await ended({ extra: { order: 1 } });
    for (const _time of [1, 2]) expect((await sendRequest(botId, 'resend-webhook')).status).toBe(200);
    const requested = await requests(botId);
    expect(requested).toMatchObject([
      { to: { kind: 'webhook-endpoints' }, ended: { botId, outcome: 'completed', extra: { order: 1 } } },
      { to: { kind: 'webhook-endpoints' } },
    ]);
    expect(requested[0]?.requestId).not.toBe(requested[1]?.requestId);
  });

  test.each(['resend-webhook', 'retry-callback'])('%s: 409 before the end, 404 for an unknown bot', async (action) => {
    const botId = await scheduler.sendBot(teamId, 'waits');
    expect((await sendRequest(botId, action)).status).toBe(409);
    const [foreign, unknown] = [
      await sendRequest(botId, action, undefined, await addTeam(scheduler.database)),
      await sendRequest(randomUUID(), action),
    ];
    expect(foreign.status).toBe(404);
    expect(foreign).toEqual(unknown);
    await sendRequest(botId, 'leave');
  });
});

describe('making the callback again', () => {
  test('is for bots that were to be transcribed, and that have a callback', async () => {
    const untranscribed = await ended({ callback_enabled: true, callback_config });
    expect((await sendRequest(untranscribed, 'retry-callback')).status).toBe(409);
    const without = await ended({}, true);
    const refused = await sendRequest(without, 'retry-callback', { url: 'https://example.com/new' });
    expect([refused.status, refused.body['code']]).toEqual([409, 'FST_ERR_CALLBACK_NOT_CONFIGURED']);
    const switchedOff = await ended({ callback_enabled: false, callback_config }, true);
    for (const body of [undefined, { url: 'https://example.com/new' }]) {
      expect((await sendRequest(switchedOff, 'retry-callback', body)).body['code']).toBe(
        'FST_ERR_CALLBACK_NOT_CONFIGURED',
      );
    }
    for (const botId of [untranscribed, without, switchedOff]) expect(await requests(botId)).toEqual([]);
  });

  test('is refused to an address that may not be called', async () => {
    const botId = await ended({ callback_enabled: true, callback_config }, true);
    const refused = await sendRequest(botId, 'retry-callback', { url: 'https://169.254.169.254/' });
    expect([refused.status, refused.body['code']]).toEqual([400, 'FST_ERR_ADDRESS_REFUSED']);
    expect(await requests(botId)).toEqual([]);
  });

  test("uses the bot's own settings where none are given", async () => {
    const botId = await ended({ callback_enabled: true, callback_config }, true);
    for (const body of [undefined, null]) expect((await sendRequest(botId, 'retry-callback', body)).status).toBe(200);
    expect((await sendRequest(botId, 'retry-callback', { url: 'https://example.com/new' })).status).toBe(200);
    const own = { url: callback_config.url, method: 'PUT', secretField: 'callback_secret' };
    expect((await requests(botId)).map(({ to }) => to)).toEqual([
      { kind: 'callback', callback: own },
      { kind: 'callback', callback: own },
      { kind: 'callback', callback: { ...own, url: 'https://example.com/new' } },
    ]);
  });

  test('keeps a given secret sealed, for this one callback and a day', async () => {
    const botId = await ended({ callback_enabled: true, callback_config }, true);
    const body = { url: 'https://example.com/new', method: 'POST', secret: 'new canary' };
    expect((await sendRequest(botId, 'retry-callback', body)).status).toBe(200);
    expect((await sendRequest(botId, 'retry-callback', { url: body.url, secret: null })).status).toBe(200);
    const [first, second] = await requests(botId);
    expect(JSON.stringify([first, second])).not.toContain('canary');
    const field = first?.to.kind === 'callback' ? (first.to.callback.secretField ?? '') : '';
    expect(field).toBe(`callback_secret/${first?.requestId}`);
    const dependencies = { database: scheduler.database, box: testBox };
    expect(await readSecret(dependencies, { teamId, botId }, field)).toBe('new canary');
    expect(await readSecret(dependencies, { teamId, botId }, 'callback_secret')).toBe('own canary');
    expect(second?.to).toMatchObject({ callback: { method: 'PUT', secretField: null } });
    const [row] = await scheduler.database.query<{ hours: number }>(
      `select extract(epoch from forget_at - now())::float8 / 3600 as hours from bot_secrets where bot_id = $1 and field = $2`,
      [botId, field],
    );
    expect(row?.hours).toBeGreaterThan(23);
  });
});

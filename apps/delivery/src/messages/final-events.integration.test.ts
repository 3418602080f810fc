import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { botRedeliveryRequested } from '@rapporteur/contracts';
import { waitFor } from '@rapporteur/testbed';
import { Webhook } from 'standardwebhooks';
import { botEndedWith } from '../testing/bot-events.ts';
import { ok, startReceiver, status } from '@rapporteur/testbed/receiver';
import { bodyOf, startTeamStage } from '../testing/team-under-test.ts';
import type { TeamStage, TeamUnderTest } from '../testing/team-under-test.ts';
import type { BotEnded } from './message-body.ts';

let stage: TeamStage;
let team: TeamUnderTest;
beforeAll(async () => {
  stage = await startTeamStage();
});
beforeEach(async () => {
  team = await stage.next();
});
afterAll(() => stage.stop());

const callbackTo = (url: string, more: object = {}): NonNullable<BotEnded['callback']> => ({
  url,
  method: 'POST',
  secretField: null,
  ...more,
});
const again = (
  ended: BotEnded,
  to: { kind: 'webhook-endpoints' } | { kind: 'callback'; callback: NonNullable<BotEnded['callback']> },
) => ({ requestId: randomUUID(), to, ended });
const callbacksOf = async (botId: string): Promise<Record<string, unknown>[]> => {
  const { body } = await team.api.call('GET', `/callbacks/${botId}`);
  return (body['data'] ?? []) as Record<string, unknown>[];
};
const settledCallbacks = (botId: string, count: number): Promise<Record<string, unknown>[]> =>
  waitFor(
    async () => {
      const found = await callbacksOf(botId);
      return found.length === count && found.every(({ state }) => state !== 'pending') ? found : null;
    },
    { what: `${count} settled callbacks` },
  );

describe("a bot's callback", () => {
  test('gets the very payload that the webhook gets, with its secret and a signature', async () => {
    const hooks = await startReceiver();
    await team.api.endpoint(hooks.url);
    const ended = botEndedWith(team.teamId, {
      callback: callbackTo(`${team.receiver.url}/done`, { method: 'PUT', secretField: 'callback_secret' }),
    });
    team.surroundings.scheduler.secrets.set(`${ended.botId}/callback_secret`, 'canary');
    await team.surroundings.ended(ended);
    const [call] = await team.calls(1);
    const hook = await waitFor(() => hooks.calls[0], { what: 'the webhook' });
    expect(call?.body.equals(hook.body)).toBe(true);
    expect(call).toMatchObject({ method: 'PUT', path: '/done', headers: { 'x-service-secret': 'canary' } });
    expect(call?.headers['webhook-id']).toBe(hook.headers['webhook-id']);
    const verified = new Webhook('canary', { format: 'raw' }).verify(
      String(call?.body),
      call?.headers as Record<string, string>,
    );
    expect(verified).toMatchObject({ event: 'bot.completed', data: { video: expect.stringContaining('?sig=') } });
    expect(hook.headers['x-service-secret']).toBeUndefined();
    await hooks.close();
  });

  test('is made once, however often the end is published, and states its outcome', async () => {
    team.receiver.response(status(400));
    const ended = botEndedWith(team.teamId, { outcome: 'failed', callback: callbackTo(team.receiver.url) });
    for (const _again of [1, 2, 3]) await team.surroundings.ended(ended);
    expect(await settledCallbacks(ended.botId, 1)).toEqual([
      {
        callback_id: expect.any(String),
        message_id: expect.stringMatching(/^msg_/),
        bot_id: ended.botId,
        event: 'bot.failed',
        url: team.receiver.url,
        method: 'POST',
        state: 'failed',
        attempts: 1,
        last_attempt_at: expect.any(String),
        next_attempt_at: null,
        created_at: expect.any(String),
        callback_error: {
          status_code: 400,
          error: 'HTTP 400',
          message: 'The callback responded with 400. Only a 2xx response counts as received.',
          attempted_at: expect.any(String),
          retries_attempted: 0,
        },
      },
    ]);
    expect(team.receiver.calls).toHaveLength(1);
  });

  test('that was lost is sent again by its id, the same bytes, also for a bot without transcription', async () => {
    team.receiver.response(status(400));
    const ended = botEndedWith(team.teamId, { outcome: 'failed', callback: callbackTo(team.receiver.url) });
    await team.surroundings.ended(ended);
    const [lost] = await settledCallbacks(ended.botId, 1);
    const [messageId, callbackId] = [String(lost?.['message_id']), String(lost?.['callback_id'])];
    const resend = (query: string) => team.api.call('POST', `/messages/${messageId}/resend?${query}`);
    team.receiver.response(ok);
    expect((await resend(`callback_id=${callbackId}`)).status).toBe(200);
    const found = await settledCallbacks(ended.botId, 2);
    expect(found.map(({ state }) => String(state)).sort()).toEqual(['failed', 'succeeded']);
    const [first, second] = team.receiver.calls;
    expect(second?.body).toEqual(first?.body);
    expect(second?.headers['webhook-id']).toBe(messageId);
    expect((await resend(`callback_id=${randomUUID()}`)).status).toBe(404);
    expect(await resend(`callback_id=${callbackId}&endpoint_id=${callbackId}`)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('callback_id: ') },
    });
  });

  test('can be requested again with another address, as often as wanted, each request once', async () => {
    const ended = botEndedWith(team.teamId, { callback: callbackTo(team.receiver.url) });
    await team.surroundings.ended(ended);
    const [first] = await team.calls(1);
    const elsewhere = callbackTo(`${team.receiver.url}/again`, { method: 'PUT' });
    const request = again(ended, { kind: 'callback', callback: elsewhere });
    await team.surroundings.notify(botRedeliveryRequested, request);
    await team.surroundings.notify(botRedeliveryRequested, request);
    await team.surroundings.notify(botRedeliveryRequested, again(ended, { kind: 'callback', callback: elsewhere }));
    const found = await settledCallbacks(ended.botId, 3);
    expect(found.map(({ state, callback_error }) => [state, callback_error])).toEqual(
      [1, 2, 3].map(() => ['succeeded', null]),
    );
    const [, second] = team.receiver.calls;
    expect(second).toMatchObject({ method: 'PUT', path: '/again' });
    expect(bodyOf(second)).toEqual({
      ...bodyOf(first),
      data: {
        ...(bodyOf(first)['data'] as object),
        video: expect.stringContaining('?sig='),
        audio: expect.stringContaining('?sig='),
        integrity: expect.stringContaining('?sig='),
        participant_audio: [expect.objectContaining({ url: expect.stringContaining('?sig=') })],
      },
    });
    expect(second?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(false);
  });

  test("is shown to its team only; a stranger's bot gets the response for one that does not exist", async () => {
    const ended = botEndedWith(team.teamId, { callback: callbackTo(team.receiver.url) });
    await team.surroundings.ended(ended);
    await settledCallbacks(ended.botId, 1);
    const theirs = team.surroundings.api(team.delivery.url, randomUUID());
    const responses = [ended.botId, randomUUID()].map((id) => theirs.call('GET', `/callbacks/${id}`));
    for (const response of await Promise.all(responses))
      expect(response).toMatchObject({ status: 404, body: { code: 'FST_ERR_CALLBACK_NOT_FOUND' } });
  });
});

describe('requesting the final webhook again', () => {
  test('sends the same message with fresh links to every enabled endpoint, whatever it got before', async () => {
    const { endpoint_id: early } = await team.api.endpoint(`${team.receiver.url}/early`);
    const ended = botEndedWith(team.teamId);
    await team.surroundings.ended(ended);
    const [first] = await team.calls(1);
    await team.settled(early, 1);
    await team.api.endpoint(`${team.receiver.url}/late`);
    await team.api.endpoint(`${team.receiver.url}/off`, { enabled: false });
    await team.api.endpoint(`${team.receiver.url}/other`, { events: ['bot.failed'] });
    for (const round of [1, 2, 3]) {
      await team.surroundings.notify(botRedeliveryRequested, again(ended, { kind: 'webhook-endpoints' }));
      const calls = await team.calls(1 + 2 * round);
      expect(
        calls
          .slice(-2)
          .map(({ path }) => path)
          .sort(),
      ).toEqual(['/early', '/late']);
      await team.settled(early, 1);
    }
    expect(team.receiver.calls).toHaveLength(7);
    const last = team.receiver.calls.at(-1);
    expect(new Set(team.receiver.calls.map((call) => call.headers['webhook-id'])).size).toBe(1);
    const [before = '', after = ''] = [first, last].map((call) => JSON.stringify(bodyOf(call)['data']));
    const signature = /\?sig=[^"]+/g;
    expect(after.replaceAll(signature, '')).toBe(before.replaceAll(signature, ''));
    const old: readonly string[] = before.match(signature) ?? [];
    expect(after.match(signature)?.filter((link) => !old.includes(link))).toHaveLength(4);
    expect({ ...bodyOf(last), data: null }).toEqual({ ...bodyOf(first), data: null });
  });

  test('works for a bot of which nothing is kept any more', async () => {
    await team.api.endpoint(team.receiver.url);
    const ended = botEndedWith(team.teamId);
    await team.surroundings.notify(botRedeliveryRequested, again(ended, { kind: 'webhook-endpoints' }));
    expect(bodyOf((await team.calls(1))[0])).toMatchObject({
      event: 'bot.completed',
      created_at: ended.exitedAt,
      data: { bot_id: ended.botId },
    });
  });

  test('acts once for one request', async () => {
    const { endpoint_id: id } = await team.api.endpoint(team.receiver.url);
    const ended = botEndedWith(team.teamId);
    await team.surroundings.ended(ended);
    await team.settled(id, 1);
    const request = again(ended, { kind: 'webhook-endpoints' });
    await team.surroundings.notify(botRedeliveryRequested, request);
    await team.calls(2);
    await team.settled(id, 1);
    const eventIds = [randomUUID(), randomUUID()];
    for (const eventId of eventIds) await team.surroundings.notify(botRedeliveryRequested, request, eventId);
    await team.handled(...eventIds);
    const [message] = await team.settled(id, 1);
    expect(message).toMatchObject({ state: 'succeeded', attempts: 2 });
  });
});

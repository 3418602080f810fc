import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import { Webhook } from 'standardwebhooks';
import { botEndedWith, statusChanged } from '../testing/bot-events.ts';
import { startDeliveryUnderTest, startSurroundings } from '../testing/delivery-under-test.ts';
import type { Api, Surroundings } from '../testing/delivery-under-test.ts';
import { startReceiver, status } from '@rapporteur/testbed/receiver';
import type { ReceivedCall, Receiver } from '@rapporteur/testbed/receiver';

let surroundings: Surroundings;
let delivery: { url: string; stop(): Promise<boolean> };
let receiver: Receiver;
let teamId: string;
let api: Api;
beforeAll(async () => {
  surroundings = await startSurroundings();
  delivery = await startDeliveryUnderTest(surroundings);
});
beforeEach(async () => {
  receiver = await startReceiver();
  teamId = randomUUID();
  api = surroundings.api(delivery.url, teamId);
  surroundings.storage.requested = 0;
});
afterEach(() => receiver.close());
afterAll(async () => {
  await delivery.stop();
  await surroundings.stop();
});

const calls = (count: number): Promise<ReceivedCall[]> =>
  waitFor(() => (receiver.calls.length >= count ? receiver.calls : null), { what: `${count} calls` });
const messagesOf = async (endpointId: string): Promise<Record<string, unknown>[]> =>
  (await api.call('GET', `/endpoints/${endpointId}/messages`)).body['data'] as Record<string, unknown>[];
const settled = (endpointId: string, count: number): Promise<Record<string, unknown>[]> =>
  waitFor(
    async () => {
      const messages = await messagesOf(endpointId);
      return messages.length === count && messages.every((message) => message['state'] !== 'pending') ? messages : null;
    },
    { what: `${count} settled messages` },
  );
function verified(call: ReceivedCall | undefined, secret: string): Record<string, unknown> {
  if (call === undefined) throw new Error('There is no such call.');
  return new Webhook(secret).verify(call.body, call.headers as Record<string, string>) as Record<string, unknown>;
}

describe('what a bot does', () => {
  test('arrives signed, step by step, with the extra of its creator', async () => {
    const { secret } = await api.endpoint(`${receiver.url}/hook?a=1`);
    const change = statusChanged(teamId);
    await surroundings.statusChanged(change);
    const [call] = await calls(1);
    const body = verified(call, secret);
    expect(body).toEqual({
      id: call?.headers['webhook-id'],
      event: 'bot.status_change',
      created_at: '2026-11-21T09:00:00.000Z',
      sequence: null,
      data: { bot_id: change.botId, event_id: null, status: change.status },
      extra: { customer: '42' },
    });
    expect(body['id']).toMatch(/^msg_[a-z2-7]{26}$/);
    expect(call).toMatchObject({
      path: '/hook?a=1',
      headers: { 'content-type': 'application/json', 'user-agent': 'Rapporteur-Webhooks/1' },
    });
    for (const name of ['id', 'timestamp', 'signature'])
      expect(call?.headers[`svix-${name}`]).toBe(call?.headers[`webhook-${name}`]);
  });

  test('ends with bot.completed and links to the recording', async () => {
    const { secret } = await api.endpoint(receiver.url);
    const ended = botEndedWith(teamId);
    await surroundings.ended(ended);
    const body = verified((await calls(1))[0], secret);
    expect(body).toEqual({
      id: expect.any(String),
      event: 'bot.completed',
      created_at: '2026-11-21T09:00:00.000Z',
      sequence: null,
      data: {
        bot_id: ended.botId,
        event_id: null,
        participants: ended.participants,
        speakers: ended.speakers,
        duration_seconds: 1_860,
        joined_at: ended.joinedAt,
        exited_at: ended.exitedAt,
        data_deleted: false,
        artifacts_deleted: false,
        video: expect.stringContaining('artifacts/1/video.mp4?sig='),
        audio: expect.stringContaining('artifacts/1/audio.flac?sig='),
        diarization: null,
        raw_transcription: null,
        transcription_vtt: null,
        transcription_srt: null,
        transcription: null,
        chat_messages: null,
        audio_m4a: null,
        poster: null,
        participants_file: null,
        integrity: expect.stringContaining('artifacts/1/integrity.json?sig='),
        integrity_summary: null,
        participant_audio: [
          {
            id: 1,
            name: 'Ada Lovelace',
            speech_seconds: 12.5,
            url: expect.stringContaining('artifacts/1/participant-1.ogg?sig='),
          },
        ],
        artifact_urls_expire_at: '2026-11-21T13:00:00.000Z',
        transcription_provider: null,
        transcription_ids: null,
        sent_at: expect.any(String),
      },
      extra: null,
    });
  });

  test('or with bot.failed, its code and its message, without requesting links', async () => {
    const { secret } = await api.endpoint(receiver.url);
    const error = { errorCode: 'BOT_NOT_ACCEPTED', errorMessage: 'The bot was not admitted.' };
    await surroundings.ended(botEndedWith(teamId, { outcome: 'failed', artifacts: {}, ...error }));
    expect(verified((await calls(1))[0], secret)).toMatchObject({
      event: 'bot.failed',
      data: {
        bot_id: expect.any(String),
        event_id: null,
        error_code: 'BOT_NOT_ACCEPTED',
        error_message: 'The bot was not admitted.',
        sent_at: expect.any(String),
      },
    });
    expect(surroundings.storage.requested).toBe(0);
  });

  test('arrives once per endpoint, however often the bus delivers it', async () => {
    const { endpoint_id: id } = await api.endpoint(receiver.url);
    const ended = botEndedWith(teamId);
    const change = statusChanged(teamId, { botId: ended.botId });
    const eventId = randomUUID();
    for (let again = 0; again < 3; again += 1) {
      await surroundings.statusChanged(change, eventId);
      // The same event data under another event id, as after a restore.
      await surroundings.statusChanged(change);
      await surroundings.ended(ended);
    }
    await surroundings.statusChanged(statusChanged(teamId, { botId: ended.botId, sequence: 2 }));
    const messages = await settled(id, 3);
    expect(messages.every((message) => message['state'] === 'succeeded' && message['attempts'] === 1)).toBe(true);
    expect(new Set(receiver.calls.map((call) => call.headers['webhook-id'])).size).toBe(3);
    expect(receiver.calls).toHaveLength(3);
  });

  test('waits for its links while storage-config cannot sign them', async () => {
    const { secret } = await api.endpoint(receiver.url);
    surroundings.storage.status = 503;
    await surroundings.ended(botEndedWith(teamId));
    await waitFor(() => surroundings.storage.requested > 0, { what: 'a first try to sign' });
    expect(receiver.calls).toHaveLength(0);
    surroundings.storage.status = 200;
    expect(verified((await calls(1))[0], secret)).toMatchObject({ event: 'bot.completed' });
  });

  test("reaches only endpoints of the bot's team that are subscribed to it", async () => {
    const other = await startReceiver();
    await surroundings.api(delivery.url, randomUUID()).endpoint(other.url);
    await api.endpoint(other.url, { events: ['bot.failed'] });
    await api.endpoint(receiver.url, { events: ['bot.completed'] });
    await surroundings.statusChanged(statusChanged(teamId));
    await surroundings.ended(botEndedWith(teamId));
    const [only] = await calls(1);
    expect(JSON.parse(String(only?.body))).toMatchObject({ event: 'bot.completed' });
    expect(other.calls).toHaveLength(0);
    await other.close();
  });
});

describe('a test message', () => {
  test('reaches an endpoint, disabled or not, and its result can be read', async () => {
    const { endpoint_id: id, secret } = await api.endpoint(receiver.url, { enabled: false });
    const { message_id: messageId } = (await api.call('POST', `/endpoints/${id}/test`)).body['data'] as Record<
      string,
      string
    >;
    const [call] = await calls(1);
    expect(verified(call, secret)).toMatchObject({
      id: messageId,
      event: 'webhook.test',
      data: { endpoint_id: id },
      extra: null,
    });
    await settled(id, 1);
    const attempts = (await api.call('GET', `/messages/${messageId}/attempts`)).body['data'];
    expect(attempts).toEqual([
      {
        attempt_id: expect.any(String),
        endpoint_id: id,
        number: 1,
        outcome: 'succeeded',
        status_code: 200,
        error: null,
        response_body: 'ok',
        started_at: expect.any(String),
        duration_ms: expect.any(Number),
      },
    ]);
  });

  test('that fails is tried once and does not count against the endpoint', async () => {
    receiver.response(status(410));
    const { endpoint_id: id } = await api.endpoint(receiver.url);
    await api.call('POST', `/endpoints/${id}/test`);
    const [message] = await settled(id, 1);
    expect(message).toMatchObject({ state: 'failed', attempts: 1, next_attempt_at: null });
    expect((await api.call('GET', `/endpoints/${id}`)).body['data']).toMatchObject({
      enabled: true,
      failing_since: null,
    });
  });
});

describe('a rotated secret', () => {
  test('signs beside the one it replaces', async () => {
    const { endpoint_id: id, secret } = await api.endpoint(receiver.url);
    const rotated = (await api.call('POST', `/endpoints/${id}/rotate-secret`)).body['data'] as { secret: string };
    await surroundings.statusChanged(statusChanged(teamId));
    const [call] = await calls(1);
    expect(String(call?.headers['webhook-signature']).split(' ')).toHaveLength(2);
    expect(verified(call, secret)).toEqual(verified(call, rotated.secret));
    const third = (await api.call('POST', `/endpoints/${id}/rotate-secret`)).body['data'] as { secret: string };
    await surroundings.statusChanged(statusChanged(teamId));
    const second = (await calls(2))[1];
    expect(() => verified(second, secret)).toThrow('No matching signature');
    expect(verified(second, rotated.secret)).toEqual(verified(second, third.secret));
  });
});

test("an endpoint's own headers come with every message and stay out of the log of attempts", async () => {
  receiver.response((call, response) => void response.end(`got ${call.headers['authorization']}`));
  const headers = { Authorization: 'Bearer canary', 'X-Tenant': 'a b' };
  const { endpoint_id: id, secret } = await api.endpoint(receiver.url, { headers });
  await surroundings.statusChanged(statusChanged(teamId));
  const [call] = await calls(1);
  expect(call?.headers).toMatchObject({ authorization: 'Bearer canary', 'x-tenant': 'a b' });
  verified(call, secret);
  const [message] = await settled(id, 1);
  const attempts = await api.call('GET', `/messages/${String(message?.['message_id'])}/attempts`);
  expect(attempts.body['data']).toMatchObject([{ outcome: 'succeeded', response_body: null }]);
});

describe('sending again', () => {
  test('sends the same id and the same bytes', async () => {
    const { endpoint_id: id } = await api.endpoint(receiver.url);
    await surroundings.ended(botEndedWith(teamId));
    const [message] = await settled(id, 1);
    const again = await api.call('POST', `/messages/${String(message?.['message_id'])}/resend`);
    expect(again).toMatchObject({ status: 200, body: { data: { message: expect.stringContaining('1 endpoint') } } });
    const [first, second] = await calls(2);
    expect(second?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    const [after] = await settled(id, 1);
    expect(after).toMatchObject({ state: 'succeeded', attempts: 2 });
  });

  test('reaches an endpoint that was made after the bot ended', async () => {
    const ended = botEndedWith(teamId);
    const other = await startReceiver();
    const early = await api.endpoint(other.url);
    await surroundings.ended(ended);
    const [message] = await settled(early.endpoint_id, 1);
    const late = await api.endpoint(receiver.url);
    const path = `/messages/${String(message?.['message_id'])}/resend?endpoint_id=${late.endpoint_id}`;
    expect((await api.call('POST', path)).status).toBe(200);
    const body = verified((await calls(1))[0], late.secret);
    expect(body).toMatchObject({ id: message?.['message_id'], data: { bot_id: ended.botId } });
    expect(other.calls).toHaveLength(1);
    await other.close();
  });

  test('works for a bot that ended before there was any endpoint', async () => {
    const ended = botEndedWith(teamId);
    await surroundings.ended(ended);
    const stored = await waitFor(
      async () =>
        (
          await surroundings.database.query<{ message_id: string }>(
            'select message_id from messages where bot_id = $1',
            [ended.botId],
          )
        )[0],
      { what: 'the final message to be kept' },
    );
    await api.endpoint(receiver.url);
    await api.call('POST', `/messages/${stored.message_id}/resend`);
    expect((await calls(1))[0]?.headers['webhook-id']).toBe(stored.message_id);
  });
});

describe('the list of messages', () => {
  test('pages through all of them, newest first, and back', async () => {
    const { endpoint_id: id } = await api.endpoint(receiver.url);
    const botId = randomUUID();
    for (let sequence = 1; sequence <= 7; sequence += 1)
      await surroundings.statusChanged(statusChanged(teamId, { botId, sequence }));
    const all = (await settled(id, 7)).map((message) => message['message_id']);
    const seen: unknown[] = [];
    let page = (await api.call('GET', `/endpoints/${id}/messages?limit=3`)).body;
    expect(page['prev_cursor']).toBeNull();
    for (;;) {
      seen.push(...(page['data'] as Record<string, unknown>[]).map((message) => message['message_id']));
      if (page['cursor'] === null) break;
      page = (await api.call('GET', `/endpoints/${id}/messages?limit=3&cursor=${page['cursor'] as string}`)).body;
    }
    expect(seen).toEqual(all);
    const back = (await api.call('GET', `/endpoints/${id}/messages?limit=3&cursor=${page['prev_cursor'] as string}`))
      .body;
    expect((back['data'] as Record<string, unknown>[]).map((message) => message['message_id'])).toEqual(
      all.slice(3, 6),
    );
  });

  test('can be narrowed to one bot', async () => {
    const { endpoint_id: id } = await api.endpoint(receiver.url);
    const [botId, otherId] = [randomUUID(), randomUUID()];
    await surroundings.statusChanged(statusChanged(teamId, { botId, sequence: 1 }));
    await surroundings.statusChanged(statusChanged(teamId, { botId: otherId, sequence: 1 }));
    await surroundings.statusChanged(statusChanged(teamId, { botId, sequence: 2 }));
    await settled(id, 3);
    const listed = async (query: string) => (await api.call('GET', `/endpoints/${id}/messages?${query}`)).body;
    const { data, cursor } = (await listed(`bot_id=${botId}&limit=1`)) as { data: unknown[]; cursor: string };
    const { data: rest } = (await listed(`bot_id=${botId}&limit=1&cursor=${cursor}`)) as { data: unknown[] };
    expect([...data, ...rest]).toEqual([botId, botId].map((bot_id) => expect.objectContaining({ bot_id })));
    expect((await listed(`bot_id=${randomUUID()}`))['data']).toEqual([]);
    expect((await api.call('GET', `/endpoints/${id}/messages?bot_id=1`)).status).toBe(400);
  });

  test('shows the payload as sent, and can be narrowed to one state', async () => {
    receiver.response((_call, response, count) => void response.writeHead(count === 1 ? 200 : 500).end());
    const { endpoint_id: id } = await api.endpoint(receiver.url);
    await surroundings.statusChanged(statusChanged(teamId));
    const [done] = await settled(id, 1);
    expect(done?.['payload']).toEqual(JSON.parse(String(receiver.calls[0]?.body)));
    await surroundings.statusChanged(statusChanged(teamId));
    const waiting = await waitFor(
      async () => {
        const { body } = await api.call('GET', `/endpoints/${id}/messages?state=pending`);
        const [message] = body['data'] as Record<string, unknown>[];
        return message?.['attempts'] === 1 && message['next_attempt_at'] !== null ? message : null;
      },
      { what: 'a message that waits for its second attempt' },
    );
    expect(waiting['last_error']).toBe('The endpoint responded with 500. Only a 2xx response counts as received.');
    const failing = (await api.call('GET', `/endpoints/${id}`)).body['data'] as Record<string, unknown>;
    expect(failing['failing_since']).toEqual(expect.any(String));
  });

  test.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'cursor=abc',
    'cursor=MDAwMC0wMS0wMVQwMDowMDowMFo6Om1zZ18x',
    'state=lost',
    'colour=red',
  ])('refuses ?%s', async (query) => {
    const { endpoint_id: id } = await api.endpoint(receiver.url);
    expect((await api.call('GET', `/endpoints/${id}/messages?${query}`)).status).toBe(400);
  });
});

import { beforeAll, describe, expect, test } from '@jest/globals';
import { RapporteurError } from '@rapporteur/sdk';
import { createOwnTeam } from './shared-stack.ts';
import type { OwnTeam } from './shared-stack.ts';

let team: OwnTeam;
let api: OwnTeam['api'];
let simulator: OwnTeam['simulator'];

beforeAll(async () => {
  team = await createOwnTeam();
  ({ api, simulator } = team);
}, 60_000);

describe('a bot', () => {
  test('leaves on request and completes with what it has', async () => {
    const room = await simulator.startRoom({ speakers: 2 });
    const botId = await api.createBot({ bot_name: 'Guest', meeting_url: room.url, recording_mode: 'audio_only' });
    await api.waitForStatus(botId, ['in_call_recording'], 60_000);
    await api.sdk.leaveBot({ bot_id: botId });
    const bot = await api.waitForStatus(botId, ['completed'], 45_000);
    expect(bot.error_code).toBeNull();
    expect(bot.end_reason).toBe('API_REQUEST');
    expect(bot.video).toBeNull();
    expect(bot.audio).not.toBeNull();
    const log = JSON.stringify(await simulator.log(room.code));
    expect(log).toContain('"kind":"left"');
    const again = await api.sdk.leaveBot({ bot_id: botId }).catch((error: unknown) => error);
    expect(again).toBeInstanceOf(RapporteurError);
    expect(again).toMatchObject({ statusCode: 409, code: 'FST_ERR_BOT_STATUS' });
  });

  test.each([
    ['is refused in the lobby', { speakers: 1, lobby: 'refuse' }, 'BOT_NOT_ACCEPTED'],
    ['has a link to no meeting', null, 'CANNOT_JOIN_MEETING'],
  ])('reports it when it %s', async (_what, options, code) => {
    const room = options === null ? null : await simulator.startRoom(options);
    const { httpsPort } = (await (await fetch(`${team.simulatorUrl}/info`)).json()) as { httpsPort: number };
    const meetingUrl = room?.url ?? `https://meet.simulator.localhost:${httpsPort}/zzz-zzzz-zzz`;
    const botId = await api.createBot({ bot_name: 'Guest', meeting_url: meetingUrl });
    const bot = await api.waitForStatus(botId, ['failed'], 60_000);
    expect(bot.error_code).toBe(code);
    expect(bot.video).toBeNull();
  });
});

describe('bad input', () => {
  const good = { bot_name: 'Rapporteur', meeting_url: 'https://meet.google.com/abc-defg-hij' };
  const unconfigured = { transcription_enabled: true, transcription_config: { provider: 'openai-compatible' } };

  test.each([
    ['an unknown field', { ...good, bot_nmae: 'x' }, 400, 'bot_nmae'],
    ['a wrong type', { ...good, bot_name: 7 }, 400, 'bot_name'],
    ['a link without https', { ...good, meeting_url: 'http://meet.google.com/abc-defg-hij' }, 400, 'meeting_url'],
    ['a link to nowhere we know', { ...good, meeting_url: 'https://example.com/x' }, 400, 'meeting_url'],
    ['a name of 256 characters', { ...good, bot_name: 'x'.repeat(256) }, 400, 'bot_name'],
    ['a missing name', { meeting_url: good.meeting_url }, 400, 'bot_name'],
    ['a timeout out of range', { ...good, timeout_config: { waiting_room_timeout: 5 } }, 400, 'waiting_room_timeout'],
    ['bad JSON', '{"bot_name":', 400, 'JSON'],
    ['what this deployment cannot do', { ...good, ...unconfigured }, 422, 'transcription_config.provider'],
  ])('%s gets a response in the envelope, the field named', async (_what, body, status, named) => {
    const reply = await api.call<Record<string, unknown>>('POST', '/v2/bots', body);
    expect(reply.status).toBe(status);
    expect(reply.body).toMatchObject({
      success: false,
      statusCode: status,
      error: expect.any(String),
      code: expect.any(String),
    });
    expect(JSON.stringify(reply.body)).toContain(named);
    expect(reply.body).not.toHaveProperty('data');
  });

  test.each([
    ['no key', null],
    ['an unknown key', 'rap_0000000000000000000000000000000000_000000'],
  ])('%s is 403 in the envelope', async (_what, key) => {
    const reply = await api.call<Record<string, unknown>>('POST', '/v2/bots', good, key);
    expect(reply.status).toBe(403);
    expect(reply.body).toMatchObject({
      success: false,
      error: 'Forbidden',
      code: 'FST_ERR_FORBIDDEN',
      statusCode: 403,
    });
  });

  test('an unknown bot is 404', async () => {
    const reply = await api.call<Record<string, unknown>>('GET', '/v2/bots/3f0c2f4e-2c7e-4f8e-9a6e-111111111111');
    expect(reply.status).toBe(404);
    expect(reply.body).toMatchObject({ code: 'FST_ERR_BOT_NOT_FOUND_BY_ID' });
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { botChatMessage, botRedeliveryRequested, wrapLegacyExtra } from '@rapporteur/contracts';
import { botEndedWith, chatMessageOf, statusChanged } from '../testing/bot-events.ts';
import { startReceiver } from '@rapporteur/testbed/receiver';
import { bodyOf, startTeamStage } from '../testing/team-under-test.ts';
import type { TeamStage, TeamUnderTest } from '../testing/team-under-test.ts';

let stage: TeamStage;
let team: TeamUnderTest;
beforeAll(async () => {
  stage = await startTeamStage();
});
beforeEach(async () => {
  team = await stage.next();
});
afterAll(() => stage.stop());

const byEvent = (calls: readonly { body: Buffer }[]): Record<string, unknown> =>
  Object.fromEntries(calls.map((call) => [bodyOf(call as never)['event'], bodyOf(call as never)['data']]));

describe('an endpoint in the legacy format', () => {
  test('gets the legacy shapes for bots of both generations, signed, and no chat events', async () => {
    const { endpoint_id: id } = await team.api.endpoint(team.receiver.url, { format: 'legacy' });
    const change = statusChanged(team.teamId);
    const ended = botEndedWith(team.teamId, { extra: { customer: '42' } });
    const failed = botEndedWith(team.teamId, {
      outcome: 'failed',
      errorCode: 'BOT_NOT_ACCEPTED',
      errorMessage: 'The bot was not admitted.',
      legacy: { webhookUrl: null },
      extra: wrapLegacyExtra('any JSON'),
    });
    team.surroundings.scheduler.secrets.set(`${failed.botId}/legacy_api_key`, 'canary');
    await team.surroundings.notify(botChatMessage, chatMessageOf(team.teamId));
    await team.surroundings.statusChanged(change);
    await team.surroundings.ended(ended);
    await team.surroundings.ended(failed);
    const messages = await team.settled(id, 3);
    expect(byEvent(team.receiver.calls)).toEqual({
      'bot.status_change': { bot_id: change.botId, status: change.status },
      complete: {
        bot_id: ended.botId,
        event_uuid: null,
        transcript: [],
        speakers: ['Ada Lovelace'],
        mp4: expect.stringContaining('video.mp4?sig='),
        audio: expect.stringContaining('audio.flac?sig='),
        event: 'complete',
        extra: { customer: '42' },
      },
      failed: {
        bot_id: failed.botId,
        event_uuid: null,
        error: 'BotNotAccepted',
        message: 'The bot was not admitted.',
        extra: 'any JSON',
      },
    });
    for (const call of team.receiver.calls) {
      expect(Object.keys(bodyOf(call)).sort()).toEqual(['data', 'event', 'sequence']);
      expect(call.headers['webhook-signature']).toMatch(/^v1,/);
      // Only a bot that was created with a legacy API key has one to send.
      expect(call.headers['x-service-api-key']).toBe(bodyOf(call)['event'] === 'failed' ? 'canary' : undefined);
    }
    expect(messages.map(({ event }) => String(event)).sort()).toEqual([
      'bot.completed',
      'bot.failed',
      'bot.status_change',
    ]);
  });

  test('coexists with one in the v2 format, which gets v2 for legacy bots too', async () => {
    const modern = await startReceiver();
    await team.api.endpoint(team.receiver.url, { format: 'legacy' });
    const { endpoint_id: id } = await team.api.endpoint(modern.url);
    const ended = botEndedWith(team.teamId, { legacy: { webhookUrl: null } });
    await team.surroundings.ended(ended);
    await team.calls(1);
    await team.settled(id, 1);
    expect(bodyOf(modern.calls[0])).toMatchObject({ event: 'bot.completed', data: { bot_id: ended.botId } });
    expect(modern.calls[0]?.headers['x-service-api-key']).toBeUndefined();
    expect(modern.calls[0]?.headers['webhook-id']).not.toBe(team.receiver.calls[0]?.headers['webhook-id']);
    await modern.close();
  });

  test('takes no message of the other format when one is sent again by name', async () => {
    const { endpoint_id: modern } = await team.api.endpoint(`${team.receiver.url}/v2`);
    const { endpoint_id: old } = await team.api.endpoint(`${team.receiver.url}/v1`, { format: 'legacy' });
    await team.surroundings.ended(botEndedWith(team.teamId));
    const [message] = await team.settled(modern, 1);
    const response = await team.api.call(
      'POST',
      `/messages/${String(message?.['message_id'])}/resend?endpoint_id=${old}`,
    );
    expect(response).toMatchObject({ status: 400, body: { code: 'FST_ERR_VALIDATION' } });
  });
});

describe('a legacy bot with an address of its own', () => {
  test('is delivered there, with its key, instead of to the legacy endpoints of the account', async () => {
    const account = await startReceiver();
    const { endpoint_id: old } = await team.api.endpoint(account.url, { format: 'legacy' });
    const { endpoint_id: modern } = await team.api.endpoint(account.url);
    const legacy = { webhookUrl: `${team.receiver.url}/own` };
    const ended = botEndedWith(team.teamId, { legacy });
    team.surroundings.scheduler.secrets.set(`${ended.botId}/legacy_api_key`, 'canary');
    await team.surroundings.statusChanged(statusChanged(team.teamId, { botId: ended.botId, legacy }));
    await team.surroundings.ended(ended);
    const calls = await team.calls(2);
    expect(Object.keys(byEvent(calls)).sort()).toEqual(['bot.status_change', 'complete']);
    for (const call of calls)
      expect(call).toMatchObject({ method: 'POST', path: '/own', headers: { 'x-service-api-key': 'canary' } });
    await team.settled(modern, 2);
    expect(await team.messagesOf(old)).toEqual([]);
    expect(account.calls).toHaveLength(2);
    await account.close();
  });

  test('is delivered once for each step, however often that is published, and again on request', async () => {
    const legacy = { webhookUrl: team.receiver.url };
    const ended = botEndedWith(team.teamId, { legacy });
    const change = statusChanged(team.teamId, { botId: ended.botId, legacy });
    const eventIds = Array.from({ length: 5 }, () => randomUUID());
    for (const eventId of eventIds.slice(0, 2)) await team.surroundings.statusChanged(change, eventId);
    for (const eventId of eventIds.slice(2, 4)) await team.surroundings.ended(ended, eventId);
    await team.handled(...eventIds.slice(0, 4));
    await team.calls(2);
    const request = { requestId: randomUUID(), to: { kind: 'webhook-endpoints' as const }, ended };
    await team.surroundings.notify(botRedeliveryRequested, request, eventIds[4]);
    const calls = await team.calls(3);
    expect(calls.map((call) => String(bodyOf(call)['event'])).sort()).toEqual([
      'bot.status_change',
      'complete',
      'complete',
    ]);
  });
});

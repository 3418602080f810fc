import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { botCaptionsStatus, botChatMessage, botChatStatus } from '@rapporteur/contracts';
import { chatMessageOf, chatStatusOf } from '../testing/bot-events.ts';
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

describe('what is written in the chat', () => {
  test.each([1, null])('arrives as the specification states, sender %s', async (senderId) => {
    await team.api.endpoint(team.receiver.url, { events: ['bot.chat_message'] });
    const reported = chatMessageOf(team.teamId, { calendarEventId: randomUUID() });
    await team.surroundings.notify(botChatMessage, { ...reported, message: { ...reported.message, senderId } });
    const [call] = await team.calls(1);
    const body = bodyOf(call);
    expect(body).toEqual({
      id: call?.headers['webhook-id'],
      event: 'bot.chat_message',
      created_at: reported.message.at,
      sequence: null,
      data: {
        bot_id: reported.botId,
        event_id: reported.calendarEventId,
        message_id: 'chat-1',
        sender_id: senderId,
        sender_name: 'Ada Lovelace',
        sent_at: expect.any(String),
        text: 'Hello, all!',
      },
      extra: { customer: '42' },
    });
    const sentAt = (body['data'] as { sent_at: string }).sent_at;
    expect(Math.abs(Date.parse(sentAt) - Date.now())).toBeLessThan(60_000);
  });

  test('arrives once per message, however often it is published', async () => {
    const { endpoint_id: id } = await team.api.endpoint(team.receiver.url);
    const reported = chatMessageOf(team.teamId);
    const second = { ...reported, message: { ...reported.message, messageId: 'chat-2' } };
    const eventIds = [randomUUID(), randomUUID(), randomUUID()] as const;
    await team.surroundings.notify(botChatMessage, reported, eventIds[0]);
    await team.surroundings.notify(botChatMessage, reported, eventIds[1]);
    await team.surroundings.notify(botChatMessage, second, eventIds[2]);
    await team.handled(...eventIds);
    expect(await team.settled(id, 2)).toHaveLength(2);
    expect(team.receiver.calls).toHaveLength(2);
  });
});

const bodyOfStatus = async (event: string): Promise<unknown> => {
  const body = bodyOf((await team.calls(1))[0]);
  expect(body).toMatchObject({ id: expect.any(String), created_at: '2026-11-21T09:00:00.000Z' });
  expect(body).toMatchObject({ event, sequence: null, extra: null, data: { sent_at: expect.any(String) } });
  return body['data'];
};

test.each([
  [true, null],
  [false, 'organizer_disabled'],
  [false, 'panel_not_attached'],
  [false, 'send_failed'],
] as const)('whether chat is available (%s, %s) arrives as the specification says', async (available, reason) => {
  await team.api.endpoint(team.receiver.url, { events: ['bot.chat_status'] });
  const reported = chatStatusOf(team.teamId, { available, reason });
  await team.surroundings.notify(botChatStatus, reported);
  const facts = { available, bot_id: reported.botId, event_id: null, reason, sent_at: expect.any(String) };
  expect(await bodyOfStatus('bot.chat_status')).toEqual(facts);
});

test('whether captions can be read is delivered in the same shape', async () => {
  await team.api.endpoint(team.receiver.url, { events: ['bot.captions_status'] });
  const { reason: _reason, ...reported } = chatStatusOf(team.teamId, { available: false });
  await team.surroundings.notify(botCaptionsStatus, { ...reported, reason: 'none_received' });
  const facts = { available: false, bot_id: reported.botId, event_id: null, sent_at: expect.any(String) };
  expect(await bodyOfStatus('bot.captions_status')).toEqual({ ...facts, reason: 'none_received' });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { botCaptionsStatus, botChatMessage, botChatStatus } from '@rapporteur/contracts';
import type { CaptionsStatusReported } from './message-body.ts';
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

test.each([
  [botChatStatus, 'bot.chat_status', true, null],
  [botChatStatus, 'bot.chat_status', false, 'organizer_disabled'],
  [botChatStatus, 'bot.chat_status', false, 'panel_not_attached'],
  [botChatStatus, 'bot.chat_status', false, 'send_failed'],
  [botCaptionsStatus, 'bot.captions_status', true, null],
  [botCaptionsStatus, 'bot.captions_status', false, 'none_received'],
] as const)('%# is delivered as documented', async (definition, event, available, reason) => {
  await team.api.endpoint(team.receiver.url, { events: [event] });
  const reported = { ...chatStatusOf(team.teamId), available, reason };
  await team.surroundings.notify(definition as typeof botCaptionsStatus, reported as CaptionsStatusReported);
  expect(bodyOf((await team.calls(1))[0])).toEqual({
    id: expect.any(String),
    event,
    created_at: '2026-11-21T09:00:00.000Z',
    sequence: null,
    data: { available, bot_id: reported.botId, event_id: null, reason, sent_at: expect.any(String) },
    extra: null,
  });
});

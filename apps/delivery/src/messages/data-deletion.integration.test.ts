import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { botChatMessage, botDataDeleted, botDataDeletionConfirmed } from '@rapporteur/contracts';
import { botDataDeletionFailed, botRedeliveryRequested } from '@rapporteur/contracts';
import { botEndedWith, chatMessageOf, statusChanged } from '../testing/bot-events.ts';
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

async function forget(botId: string): Promise<void> {
  const eventId = randomUUID();
  await team.surroundings.notify(botDataDeleted, { botId, teamId: team.teamId }, eventId);
  await team.handled(eventId);
}

/** The stores have confirmed the deletion. */
async function confirm(botId: string): Promise<void> {
  const eventId = randomUUID();
  await team.surroundings.notify(botDataDeletionConfirmed, { botId, teamId: team.teamId }, eventId);
  await team.handled(eventId);
}

/** Everything the database holds about a bot, as text. */
async function keptOf(botId: string): Promise<string> {
  const rows = await team.surroundings.database.query<{ text: string }>(
    `select convert_from(m.body, 'utf8') || coalesce(convert_from(a.response_body, 'utf8'), '') as text
       from messages m left join deliveries d using (message_id) left join attempts a using (delivery_id) where m.bot_id = $1`,
    [botId],
  );
  return rows.map(({ text }) => text).join('\n');
}

const emptied = {
  data_deleted: false,
  artifacts_deleted: false,
  video: null,
  audio: null,
  diarization: null,
  raw_transcription: null,
  transcription_vtt: null,
  transcription_srt: null,
  transcription: null,
  chat_messages: null,
  audio_m4a: null,
  poster: null,
  participants_file: null,
  integrity: null,
  participant_audio: null,
  integrity_summary: null,
  artifact_urls_expire_at: null,
  participants: [],
  speakers: [],
};

describe("deleting a bot's data", () => {
  test('leaves nothing of its content in what is kept, and reports it in the history', async () => {
    team.receiver.response((call, response) => void response.writeHead(200).end(call.body));
    const { endpoint_id: id } = await team.api.endpoint(team.receiver.url);
    const ended = botEndedWith(team.teamId, {
      callback: { url: `${team.receiver.url}/callback`, method: 'POST', secretField: null },
    });
    const { botId } = ended;
    await team.surroundings.notify(botChatMessage, chatMessageOf(team.teamId, { botId }));
    await team.surroundings.statusChanged(statusChanged(team.teamId, { botId }));
    await team.surroundings.ended(ended);
    await team.settled(id, 3);
    await team.calls(4);
    for (const content of ['Hello, all!', 'Ada Lovelace', 'sig=']) expect(await keptOf(botId)).toContain(content);
    await forget(botId);
    for (const content of ['Hello, all!', 'Ada Lovelace', 'sig=']) expect(await keptOf(botId)).not.toContain(content);
    const payloads = (await team.messagesOf(id)).map(({ payload }) => payload);
    expect(payloads).toEqual([1, 2, 3].map(() => ({ redacted: true, reason: 'data_deleted', bot_id: botId })));
  });

  test('lets a final message that waits go out without content, and drops chat that waits', async () => {
    const { endpoint_id: id } = await team.api.endpoint(team.receiver.url, { enabled: false });
    const ended = botEndedWith(team.teamId);
    await team.surroundings.notify(botChatMessage, chatMessageOf(team.teamId, { botId: ended.botId }));
    await team.surroundings.ended(ended);
    await team.settled(id, 2);
    await forget(ended.botId);
    await team.api.call('PATCH', `/endpoints/${id}`, { enabled: true });
    const [call] = await team.calls(1);
    expect(bodyOf(call)).toMatchObject({ event: 'bot.completed', data: { bot_id: ended.botId, ...emptied } });
    const messages = await team.settled(id, 2);
    const chat = messages.find(({ event }) => event === 'bot.chat_message');
    expect(chat).toMatchObject({
      state: 'failed',
      attempts: 0,
      last_error: "The bot's data was deleted before this message could be sent, so it was dropped.",
    });
    expect(team.receiver.calls).toHaveLength(1);
    const again = await team.api.call('POST', `/messages/${String(chat?.['message_id'])}/resend`);
    expect(again).toMatchObject({ status: 409, body: { code: 'FST_ERR_WEBHOOK_MESSAGE_REDACTED' } });
  });

  test('holds for what is published about the bot only afterwards', async () => {
    const { endpoint_id: id } = await team.api.endpoint(team.receiver.url);
    const ended = botEndedWith(team.teamId);
    const { botId } = ended;
    await forget(botId);
    const eventIds = [randomUUID(), randomUUID(), randomUUID()] as const;
    await team.surroundings.notify(botChatMessage, chatMessageOf(team.teamId, { botId }), eventIds[0]);
    await team.surroundings.ended(ended, eventIds[1]);
    await team.handled(eventIds[0], eventIds[1]);
    await team.settled(id, 1);
    const request = { requestId: randomUUID(), to: { kind: 'webhook-endpoints' as const }, ended };
    await team.surroundings.notify(botRedeliveryRequested, request, eventIds[2]);
    const calls = await team.calls(2);
    for (const call of calls) expect(bodyOf(call)).toMatchObject({ event: 'bot.completed', data: emptied });
    expect(team.surroundings.storage.requested).toBe(0);
    const [message] = await team.settled(id, 1);
    expect(message?.['payload']).toEqual({ redacted: true, reason: 'data_deleted', bot_id: botId });
    expect(await keptOf(botId)).not.toContain('Hello, all!');
  });

  test.each([['after it', false] as const, ['before it', true] as const])(
    'is reported as done once the stores have confirmed it, which arrives %s',
    async (_what, early) => {
      const { endpoint_id: id } = await team.api.endpoint(team.receiver.url);
      const ended = botEndedWith(team.teamId);
      await team.surroundings.ended(ended);
      await team.settled(id, 1);
      if (!early) await forget(ended.botId);
      await confirm(ended.botId);
      if (early) await forget(ended.botId);
      const eventId = randomUUID();
      const request = { requestId: randomUUID(), to: { kind: 'webhook-endpoints' as const }, ended };
      await team.surroundings.notify(botRedeliveryRequested, request, eventId);
      const [, again] = await team.calls(2);
      expect(bodyOf(again)).toMatchObject({ data: { ...emptied, data_deleted: true, artifacts_deleted: true } });
      expect(await keptOf(ended.botId)).toContain('"artifacts_deleted":true');
    },
  );

  test('that no store confirms in time is reported with its reason', async () => {
    await team.api.endpoint(team.receiver.url, { events: ['bot.data_deletion_failed'] });
    const botId = randomUUID();
    const [requestedAt, nextAttemptAt] = ['2026-11-20T09:00:00.000Z', '2026-11-21T10:00:00.000Z'];
    const times = { requestedAt, attempts: 31, nextAttemptAt };
    const failed = { botId, teamId: team.teamId, calendarEventId: null, reason: 'Refused.', extra: { a: 1 }, ...times };
    await team.surroundings.notify(botDataDeletionFailed, failed);
    const [call] = await team.calls(1);
    expect(bodyOf(call)).toMatchObject({
      event: 'bot.data_deletion_failed',
      sequence: null,
      data: {
        bot_id: botId,
        event_id: null,
        reason: 'Refused.',
        requested_at: requestedAt,
        attempts: 31,
        next_attempt_at: nextAttemptAt,
        sent_at: expect.any(String),
      },
      extra: { a: 1 },
    });
  });

  test("touches no other bot's messages", async () => {
    const { endpoint_id: id } = await team.api.endpoint(team.receiver.url);
    const other = chatMessageOf(team.teamId);
    await team.surroundings.notify(botChatMessage, other);
    await team.settled(id, 1);
    await forget(randomUUID());
    expect((await team.messagesOf(id))[0]?.['payload']).toEqual(bodyOf(team.receiver.calls[0]));
  });
});

import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import { renewLease } from '../testing/renew-lease.ts';
import { addTeam, startTestScheduler } from '../testing/test-scheduler.ts';
import type { TestScheduler } from '../testing/test-scheduler.ts';

let scheduler: TestScheduler;
let teamId: string;
let botId: string;

beforeAll(async () => {
  scheduler = await startTestScheduler();
  teamId = await addTeam(scheduler.database);
  botId = await scheduler.sendBot(teamId, 'records');
  await scheduler.waitForStatus(botId, 'in_call_recording');
});
afterAll(() => scheduler.stop());

const sendRequest = (action: string, body?: unknown, id = botId, team = teamId) =>
  scheduler.sendRequest('POST', `/internal/v2/bots/${id}/${action}`, team, body);
const say = (message: string, id = botId) => sendRequest('send-chat-message', { message }, id);
/** Messages that the bot's runner sent to the chat. */
function chatOf(id: string): string[] {
  const record = readFileSync(join(scheduler.runsFolder, `bot-${id}-1.run.json`), 'utf8');
  const { workFolder } = JSON.parse(record) as { workFolder: string };
  return readFileSync(join(workFolder, 'chat.txt'), 'utf8').trim().split('\n');
}

describe('a command to a bot in its meeting', () => {
  test('is done once, however often its runner renews its lease', async () => {
    expect(await say('Good morning')).toMatchObject({ status: 200, body: { data: { message: expect.any(String) } } });
    expect((await say('See you')).status).toBe(200);
    expect(chatOf(botId)).toEqual(['Good morning', 'See you']);
  });

  test('responds in the words and with the code of what happened', async () => {
    const [unavailable, failed, refused] = [await say('unavailable'), await say('failed'), await say('refused')];
    expect(unavailable).toMatchObject({
      status: 422,
      body: { code: 'FST_ERR_CHAT_DISABLED', message: 'It was unavailable.' },
    });
    expect(failed).toMatchObject({
      status: 500,
      body: { code: 'FST_ERR_SEND_CHAT_MESSAGE_FAILED', message: 'It was failed.' },
    });
    expect(refused).toMatchObject({ status: 409, body: { code: 'FST_ERR_BOT_STATUS', message: 'It was refused.' } });
  });

  test('pauses and resumes; the status reports it by the time of the response, and the history keeps it', async () => {
    expect((await sendRequest('pause-recording')).status).toBe(200);
    expect((await scheduler.bot(botId)).status).toBe('recording_paused');
    const again = await sendRequest('pause-recording', { chat_message: null });
    expect(again.status).toBe(409);
    expect(again.body).toMatchObject({
      message: `Bot ${botId} is recording_paused; it cannot pause its recording in this state.`,
    });
    expect((await sendRequest('resume-recording', { chat_message: 'On we go' })).status).toBe(200);
    expect((await scheduler.bot(botId)).status).toBe('recording_resumed');
    expect((await sendRequest('resume-recording')).status).toBe(409);
    expect((await scheduler.history(botId)).slice(-2)).toEqual(['recording_paused', 'recording_resumed']);
  });

  test('many at once are all done, each once', async () => {
    const messages = Array.from({ length: 20 }, (_message, number) => `message ${number}`);
    const responses = await Promise.all(messages.map((message) => say(message)));
    expect(responses.map(({ status }) => status)).toEqual(messages.map(() => 200));
    expect(
      chatOf(botId)
        .filter((line) => line.startsWith('message'))
        .sort(),
    ).toEqual(messages.toSorted());
  });

  test('without a response in time is a 503 in plain words, and is taken back', async () => {
    const response = await say('never answered');
    expect(response.status).toBe(503);
    expect(response.body).toMatchObject({ message: expect.stringContaining('did not respond within 10 seconds') });
    const { commands } = await renewLease(
      scheduler.database,
      { botId, attempt: 1, fencing: 1, results: [] },
      new Date(),
    );
    expect(commands).toEqual([]);
  });

  test('is refused, not lost, when its runner dies', async () => {
    const dying = await scheduler.sendBot(teamId, 'records');
    await scheduler.waitForStatus(dying, 'in_call_recording');
    const response = await say('kills', dying);
    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({
      code: 'FST_ERR_BOT_STATUS',
      message: expect.stringContaining('before it could'),
    });
    await scheduler.waitForStatus(dying, 'failed');
  });

  test('is refused when the bot is requested to leave meanwhile', async () => {
    const leaving = await scheduler.sendBot(teamId, 'records');
    await scheduler.waitForStatus(leaving, 'in_call_recording');
    const requested = say('never answered', leaving);
    await waitFor(
      async () =>
        (await scheduler.database.query('select 1 from bot_commands where bot_id = $1', [leaving])).length > 0,
      { what: 'the command to be there' },
    );
    expect((await sendRequest('leave', undefined, leaving)).status).toBe(200);
    expect(await requested).toMatchObject({ status: 409 });
  });
});

describe('a command that cannot be', () => {
  test.each([
    ['a bot that was never created', () => randomUUID(), () => teamId],
    ["another team's bot", () => botId, () => addTeam(scheduler.database)],
  ])('of %s is a 404', async (_what, id, team) => {
    const response = await sendRequest('send-chat-message', { message: 'Hello' }, id(), await team());
    expect(response.status).toBe(404);
    expect(response.body).toMatchObject({
      code: 'FST_ERR_BOT_NOT_FOUND_BY_ID',
      message: 'There is no bot with this id.',
    });
  });

  test('of a bot in the waiting room, or at its end, is a 409 that names bot, status and action', async () => {
    const waiting = await scheduler.sendBot(teamId, 'waits');
    await scheduler.waitForStatus(waiting, 'in_waiting_room');
    expect((await say('Hello', waiting)).body).toMatchObject({
      statusCode: 409,
      message: `Bot ${waiting} is in_waiting_room; it cannot send a chat message in this state.`,
    });
    await sendRequest('leave', undefined, waiting);
    await scheduler.waitForStatus(waiting, 'failed');
    expect((await sendRequest('pause-recording', null, waiting)).body).toMatchObject({
      statusCode: 409,
      message: `Bot ${waiting} is failed; it cannot pause its recording in this state.`,
    });
  });

  test.each([{}, { message: '' }, { message: 'x'.repeat(4_097) }])('with the body %# is a 400', async (body) => {
    expect((await sendRequest('send-chat-message', body)).status).toBe(400);
  });
});

describe('a command whose time is over', () => {
  test('is not given to its runner any more', async () => {
    const id = randomUUID();
    await scheduler.database.query(
      `insert into bot_commands (id, bot_id, attempt, command, created_at, expires_at)
       values ($1, $2, 1, $3, now(), now() - interval '1 second')`,
      [id, botId, JSON.stringify({ id, kind: 'send-chat-message', message: 'never answered' })],
    );
    const request = { botId, attempt: 1, fencing: 1, results: [] };
    const { commands } = await renewLease(scheduler.database, request, new Date());
    expect(commands.map((command) => command.id)).not.toContain(id);
  });
});

describe('a result', () => {
  test('of a runner that is fenced off changes nothing', async () => {
    const id = randomUUID();
    await scheduler.database.query(
      `insert into bot_commands (id, bot_id, attempt, command, created_at, expires_at)
       values ($1, $2, 1, $3, now(), now() + interval '1 minute')`,
      [id, botId, JSON.stringify({ id, kind: 'send-chat-message', message: 'never answered' })],
    );
    const results = [{ id, outcome: 'done' as const, message: 'Done.' }];
    const reply = await renewLease(scheduler.database, { botId, attempt: 1, fencing: 2, results }, new Date());
    expect(reply).toMatchObject({ held: false, commands: [] });
    const [row] = await scheduler.database.query('select outcome from bot_commands where id = $1', [id]);
    expect(row).toEqual({ outcome: null });
  });
});

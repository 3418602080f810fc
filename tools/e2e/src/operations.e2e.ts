import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { RapporteurError } from '@rapporteur/sdk';
import { startReceiver } from '@rapporteur/testbed/receiver';
import type { ReceivedCall, Receiver } from '@rapporteur/testbed/receiver';
import { waitFor } from '@rapporteur/testbed';
import { eventOf } from './api-client.ts';
import { createOwnTeam } from './shared-stack.ts';
import type { OwnTeam } from './shared-stack.ts';
import type { Room } from './simulator-client.ts';

const callbackSecret = 'secret-of-this-callback';
/** The earliest time of a scheduled bot is a minute ahead of the request. */
const scheduleAheadMs = 70_000;
const pauseMs = 6_000;

let api: OwnTeam['api'];
let apiKey = '';
let simulator: OwnTeam['simulator'];
let webhooks: Receiver;
let callbacks: Receiver;
let legacyHooks: Receiver;

beforeAll(async () => {
  [webhooks, callbacks, legacyHooks] = await Promise.all([startReceiver(), startReceiver(), startReceiver()]);
  ({ api, apiKey, simulator } = await createOwnTeam());
  await api.sdk.createWebhookEndpoint({ body: { url: webhooks.url } });
}, 180_000);

afterAll(async () => {
  await Promise.all([webhooks?.close(), callbacks?.close(), legacyHooks?.close()]);
}, 60_000);

interface Reported {
  readonly event: string;
  readonly data: Record<string, unknown> & { readonly status?: { readonly code: string } };
  readonly extra: unknown;
}

const reportedOf = (receiver: Receiver, botId: string, event: string): Reported[] =>
  receiver.calls
    .map(({ body }) => JSON.parse(String(body)) as Reported)
    .filter((webhook) => webhook.event === event && JSON.stringify(webhook).includes(botId));
const arrived = (receiver: Receiver, botId: string, event: string, count = 1): Promise<Reported[]> =>
  waitFor(
    () => {
      const reported = reportedOf(receiver, botId, event);
      return reported.length >= count ? reported : null;
    },
    { what: `${count} × ${event}` },
  );
const statusesOf = (botId: string): string[] =>
  reportedOf(webhooks, botId, 'bot.status_change').map(({ data }) => data.status?.code ?? '');
const logOf = async (room: Room): Promise<string> => JSON.stringify(await simulator.log(room.code));

function noSuchBotYet(error: unknown): null {
  if (error instanceof RapporteurError && error.statusCode === 404) return null;
  throw error;
}

describe('what a customer can do with a bot', () => {
  let botId: string;
  let scheduledId: string;
  let scheduledRoom: Room;
  let joinAtMs: number;

  test('a scheduled bot can be changed until four minutes before, and a batch states which items failed', async () => {
    scheduledRoom = await simulator.startRoom({ speakers: 1 });
    joinAtMs = Date.now() + scheduleAheadMs;
    const soon = { bot_name: 'Punctual', meeting_url: scheduledRoom.url, join_at: new Date(joinAtMs).toISOString() };
    scheduledId = (await api.sdk.scheduleBot({ body: soon })).bot_id;
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const { bot_id: laterId } = await api.sdk.scheduleBot({ body: { ...soon, join_at: later } });
    await api.sdk.updateScheduledBot({ bot_id: laterId, body: { bot_name: 'Renamed' } });
    expect(await api.sdk.getScheduledBot({ bot_id: laterId })).toMatchObject({ bot_name: 'Renamed', join_at: later });
    await expect(
      api.sdk.updateScheduledBot({ bot_id: scheduledId, body: { bot_name: 'Too late' } }),
    ).rejects.toMatchObject({ statusCode: 409 });
    await api.sdk.deleteScheduledBot({ bot_id: laterId });
    expect(await api.sdk.getScheduledBot({ bot_id: laterId })).toMatchObject({ status: 'cancelled' });

    const items = [
      { ...soon, join_at: later, extra: { item: 0 } },
      { bot_name: '', meeting_url: scheduledRoom.url, join_at: later },
      { bot_name: 'Nowhere', meeting_url: 'https://example.com/meeting', join_at: later },
    ];
    const batch = await api.call<{ data: { index: number }[]; errors: { index: number; code: string }[] }>(
      'POST',
      '/v2/bots/scheduled/batch',
      items,
    );
    expect(batch.status).toBe(201);
    expect(batch.body.data).toMatchObject([{ index: 0, extra: { item: 0 } }]);
    expect(batch.body.errors).toMatchObject([
      { index: 1, code: 'VALIDATION_ERROR' },
      { index: 2, code: 'INVALID_MEETING_PLATFORM' },
    ]);
    const listed = await api.sdk.listScheduledBots({ status: 'scheduled' });
    expect(listed.data.map(({ bot_id }) => bot_id)[0]).toBe(scheduledId);
  });

  test('a bot that is in a call writes, pauses, goes on and leaves; the paused span is not in its recording', async () => {
    const room = await simulator.startRoom({ speakers: 2 });
    const preflight = await api.sdk.preflightBot({ body: { bot_name: 'Guest', meeting_url: room.url } });
    expect(preflight).toMatchObject({ ready: true, meeting: { platform: 'meet' } });
    botId = await api.createBot({
      bot_name: 'Guest',
      meeting_url: room.url,
      extra: { order: 1, kept: true },
      allow_multiple_bots: false,
      callback_enabled: true,
      callback_config: { url: callbacks.url, method: 'PUT', secret: callbackSecret },
    });
    await expect(
      api.createBot({ bot_name: 'Twice', meeting_url: room.url, allow_multiple_bots: false }),
    ).rejects.toMatchObject({ code: 'FST_ERR_BOT_ALREADY_EXISTS' });
    await api.waitForStatus(botId, ['in_call_recording'], 60_000);

    await api.sdk.sendBotChatMessage({ bot_id: botId, body: { message: 'Good morning, everybody.' } });
    expect(await logOf(room)).toContain('Good morning, everybody.');
    await simulator.post(`/rooms/${room.code}/chat`, { from: room.participants[0]?.name ?? '', text: 'Hello, bot.' });
    const [message] = await arrived(webhooks, botId, 'bot.chat_message');
    expect(message).toMatchObject({
      data: { bot_id: botId, event_id: null, sender_name: room.participants[0]?.name, text: 'Hello, bot.' },
      extra: { order: 1 },
    });
    expect(await arrived(webhooks, botId, 'bot.chat_status')).toMatchObject([
      { data: { available: true, reason: null } },
    ]);

    await api.sdk.pauseBotRecording({ bot_id: botId });
    await api.waitForStatus(botId, ['recording_paused'], 5_000);
    await expect(api.sdk.pauseBotRecording({ bot_id: botId })).rejects.toMatchObject({ statusCode: 409 });
    await sleep(pauseMs);
    await api.sdk.resumeBotRecording({ bot_id: botId });
    await api.waitForStatus(botId, ['recording_resumed', 'in_call_recording'], 5_000);
    await sleep(pauseMs);
    await api.sdk.updateBotConfig({ bot_id: botId, body: { extra: { order: 2 } } });

    await api.sdk.leaveBot({ bot_id: botId });
    const bot = await api.waitForStatus(botId, ['completed'], 45_000);
    expect(bot).toMatchObject({ end_reason: 'API_REQUEST', extra: { order: 2, kept: true } });
    expect(bot.callback_config).toEqual({
      enabled: true,
      url: callbacks.url,
      method: 'PUT',
      secret: callbackSecret,
    });
    const attendedSeconds = (Date.parse(bot.exited_at ?? '') - Date.parse(bot.joined_at ?? '')) / 1_000;
    expect(attendedSeconds - (bot.duration_seconds ?? 0)).toBeGreaterThanOrEqual(pauseMs / 1_000 - 1);
    expect(statusesOf(botId)).toEqual(expect.arrayContaining(['recording_paused', 'recording_resumed']));
  });

  test('its callback arrives with its secret, and the final webhook comes again when requested', async () => {
    const called = await waitFor(() => callbacks.calls[0], { what: 'the callback' });
    expect(called.headers['x-service-secret']).toBe(callbackSecret);
    expect(called.method).toBe('PUT');
    expect(JSON.parse(String(called.body))).toMatchObject({ event: 'bot.completed', data: { bot_id: botId } });
    await arrived(webhooks, botId, 'bot.completed');
    await api.sdk.resendBotWebhook({ bot_id: botId });
    const [first, again] = await arrived(webhooks, botId, 'bot.completed', 2);
    expect(again?.data['sent_at']).toBe(first?.data['sent_at']);
    // The specification: only for bots that were to be transcribed.
    await expect(api.sdk.retryBotCallback({ bot_id: botId })).rejects.toMatchObject({ statusCode: 409 });
    const unknown = { transcription: { provider: 'openai-compatible' as const } };
    await expect(api.sdk.retranscribeBot({ bot_id: botId, body: unknown })).rejects.toMatchObject({ statusCode: 422 });
  });

  test('its screenshots can be looked at, and nothing is left once its data is deleted', async () => {
    const { data: shots } = await api.sdk.listBotScreenshots({ bot_id: botId });
    expect(shots.map(({ screenshot_id }) => screenshot_id)).toContain(1);
    const video = await fetch(shots[0]?.url ?? '');
    expect(video.headers.get('content-type')).toBe('image/jpeg');
    expect((await video.arrayBuffer()).byteLength).toBeGreaterThan(2_000);
    const before = await api.bot(botId);
    expect((await fetch(before.video ?? '')).status).toBe(200);

    await api.sdk.deleteBotData({ bot_id: botId });
    expect(await api.bot(botId)).toMatchObject({
      artifacts_deleted: true,
      video: null,
      audio: null,
      diarization: null,
      chat_messages: null,
    });
    const gone = async (url: string): Promise<boolean> => (await fetch(url)).status === 404;
    await waitFor(() => gone(before.video ?? ''), { what: 'the recording to be gone' });
    expect(await gone(shots[0]?.url ?? '')).toBe(true);
    await api.sdk.resendBotWebhook({ bot_id: botId });
    const reported = await arrived(webhooks, botId, 'bot.completed', 3);
    expect(reported[2]?.data).toMatchObject({ data_deleted: true, video: null });
  });

  test('a client of the first generation joins, lists, reads and leaves with its own words', async () => {
    const room = await simulator.startRoom({ speakers: 1 });
    const made = await api.call<{ bot_id: string }>('POST', '/bots/', {
      bot_name: 'Veteran',
      meeting_url: room.url,
      recording_mode: 'audio_only',
      webhook_url: legacyHooks.url,
      extra: 'forty-two',
    });
    expect(made.status).toBe(200);
    const uuid = made.body.bot_id;
    await api.waitForStatus(uuid, ['in_call_recording'], 60_000);
    const listed = await api.call<{ bots: unknown[]; recent_bots: unknown[] }>(
      'GET',
      '/bots/bots_with_metadata?bot_name=veter&limit=5',
    );
    expect(listed.body.bots).toMatchObject([{ uuid, bot_name: 'Veteran', extra: 'forty-two' }]);
    expect(listed.body.recent_bots).toHaveLength(1);
    const left = await api.call('DELETE', `/bots/${uuid}`);
    expect([left.status, left.body]).toEqual([200, { ok: true }]);
    await api.waitForStatus(uuid, ['completed'], 45_000);
    const read = await api.call<Record<string, unknown>>('GET', `/bots/meeting_data?bot_id=${uuid}`);
    expect(read.body).toMatchObject({ bot_data: { bot: { uuid }, transcripts: [] } });
    const [complete] = await arrived(legacyHooks, uuid, 'complete');
    expect(complete?.data).toMatchObject({ bot_id: uuid });
    const sent = legacyHooks.calls.find((call) => eventOf(call) === 'complete') as ReceivedCall;
    expect(sent.headers['x-service-api-key']).toBe(apiKey);
    const deleted = await api.call<{ ok: boolean; status: string }>('POST', `/bots/${uuid}/delete_data`);
    expect(deleted.body).toEqual({ ok: true, status: 'deleted' });
  });

  test('the scheduled bot requested to join at its second, under the id it was scheduled with', async () => {
    // It becomes a bot shortly before its second.
    await waitFor(() => api.bot(scheduledId).catch(noSuchBotYet), {
      what: 'the scheduled bot to get ready',
    });
    const bot = await api.waitForStatus(scheduledId, ['in_call_recording'], 60_000);
    const { log } = (await simulator.log(scheduledRoom.code)) as { log: { kind: string; at: number }[] };
    const requestedAtMs = log.find(({ kind }) => kind === 'joinRequested')?.at ?? 0;
    expect(requestedAtMs).toBeGreaterThanOrEqual(joinAtMs - 500);
    expect(requestedAtMs).toBeLessThan(joinAtMs + 10_000);
    expect(bot.bot_id).toBe(scheduledId);
    await api.sdk.leaveBot({ bot_id: scheduledId });
    await api.waitForStatus(scheduledId, ['completed'], 45_000);
    expect(await api.sdk.getScheduledBot({ bot_id: scheduledId })).toMatchObject({ status: 'completed' });
  });
});

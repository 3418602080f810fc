import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { send, startEdge } from '../testing/gateway-under-test.ts';
import type { Edge } from '../testing/gateway-under-test.ts';

const id = '3f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b11';
const seriesId = '4f0c6a52-6f0e-4a55-9d0e-0a2f6a1c7b12';
let edge: Edge;
let url = '';
let key = '';
beforeAll(async () => {
  edge = await startEdge();
  key = await edge.createKey(await edge.createTeam(), 'full');
  url = await edge.startGateway();
});
afterAll(() => edge.stop());
beforeEach(() => {
  edge.calendarSync.calls.length = 0;
});

const connection = {
  calendar_id: id,
  account_email: 'ada@example.com',
  subscription_id: null,
  provider_metadata: { raw_calendar_id: 'ada@example.com', name: 'Ada', time_zone: 'UTC' },
};
const shown = { uuid: id, email: 'ada@example.com', name: 'Ada', provider_id: 'ada@example.com', resource_id: '' };
const oauth = {
  oauth_client_id: 'app',
  oauth_client_secret: 'secret',
  oauth_refresh_token: 'token',
  platform: 'Google',
};
const bot = {
  bot_name: 'Ours',
  extra: { a: 1 },
  recording_mode: 'audio_only',
  speech_to_text_provider: 'gladia',
  webhook_url: null,
  deduplication_key: 'k',
};
const stored = (over: object = {}) => ({
  event_id: id,
  calendar_id: id,
  series_id: seriesId,
  event_type: 'recurring',
  title: 'Weekly',
  meeting_url: null,
  start_time: '2031-05-04T09:00:00.000Z',
  end_time: '2031-05-04T09:30:00.000Z',
  updated_at: '2031-05-01T09:00:00.000Z',
  provider_event_id: 'p1',
  provider_series_id: 's1',
  is_organizer: true,
  is_cancelled: false,
  attendees: [{ email: 'bo@example.com', name: null }],
  raw: { id: 'p1' },
  bot: null,
  ...over,
});

/** One response for every route: each reads the members it needs. */
function respondWith(data: unknown, over: object = {}): void {
  edge.calendarSync.response = { status: 200, body: { success: true, data, ...over } };
}
const call = (method: string, path: string, body?: unknown) =>
  send(method, `${url}${path}`, { key, ...(body === undefined ? {} : { body }) });
const requested = () => edge.calendarSync.calls.map(({ method, path }) => `${method} ${path}`);

describe('legacy calendars', () => {
  test('connects, shows, lists, changes and drops calendars in the words of the first generation', async () => {
    respondWith(connection);
    for (const path of ['/calendars/', '/calendar']) {
      const made = await call('post', path, { ...oauth, webhook_url: 'https://example.com/hook' });
      expect(made).toMatchObject({ status: 200, body: { calendar: shown } });
    }
    expect(edge.calendarSync.calls[0]).toMatchObject({
      path: '/internal/v2/calendars',
      body: { calendar_platform: 'google', raw_calendar_id: 'primary', webhook_url: 'https://example.com/hook' },
    });
    expect((await call('get', `/calendars/${id}`)).body).toEqual(shown);
    expect((await call('patch', `/calendars/${id}`, oauth)).body).toEqual({ calendar: shown });
    expect((await call('delete', `/calendars/${id}`)).body).toEqual({ ok: true });
    respondWith([connection]);
    expect((await call('get', '/calendars/')).body).toEqual([shown]);
    respondWith([{ id: 'x', name: 'X', email: 'ada@example.com', is_primary: true }]);
    const raw = await call('post', '/calendars/raw', oauth);
    expect(raw.body).toEqual({ calendars: [{ id: 'x', email: 'ada@example.com', is_primary: true }] });
  });

  test('states which calendars are synced and which are not', async () => {
    respondWith([connection]);
    expect((await call('post', '/calendars/resync_all?days=30')).body).toEqual({ synced_calendars: [id], errors: [] });
    expect(requested()).toEqual(['GET /internal/v1/calendars', `POST /internal/v2/calendars/${id}/sync`]);
  });
});

describe('legacy calendar events', () => {
  test('lists events in pages that `next` leads through', async () => {
    respondWith([stored()], { cursor: 'more' });
    const listed = await call('get', `/calendar_events/?calendar_id=${id}&status=all`);
    expect(listed.body).toMatchObject({
      data: [{ uuid: id, recurring_event_id: 's1', is_recurring: true }],
      next: 'more',
    });
    expect(listed.text).not.toContain('bot_param');
    expect(requested()[0]).toContain('status=all');
  });

  test('shows the bot of an event without the keys it was made with', async () => {
    respondWith(stored({ bot }));
    const { body } = await call('get', `/calendar_events/${id}`);
    expect(body).toMatchObject({
      calendar_uuid: id,
      bot_param: { bot_name: 'Ours', speech_to_text_provider: 'Gladia', speech_to_text_api_key: null },
    });
  });

  test('shows every field of an event and of its bot', async () => {
    const whole = {
      ...bot,
      bot_image: ['https://example.com/a.png', 'https://example.com/b.png'],
      entry_message: 'Hello',
      webhook_url: 'https://example.com/hook',
      timeout_config: { waiting_room_timeout: 600, no_one_joined_timeout: 300, silence_timeout: 60 },
      streaming_config: {
        input_url: 'wss://example.com/in',
        output_url: 'wss://example.com/out',
        audio_frequency: 16_000,
      },
    };
    respondWith(stored({ bot: whole, meeting_url: 'https://meet.google.com/abc-defg-hij' }));
    expect((await call('get', `/calendar_events/${id}`)).body).toEqual({
      uuid: id,
      calendar_uuid: id,
      name: 'Weekly',
      meeting_url: 'https://meet.google.com/abc-defg-hij',
      start_time: '2031-05-04T09:00:00.000Z',
      end_time: '2031-05-04T09:30:00.000Z',
      last_updated_at: '2031-05-01T09:00:00.000Z',
      provider_id: 'p1',
      recurring_event_id: 's1',
      is_organizer: true,
      is_recurring: true,
      deleted: false,
      attendees: [{ email: 'bo@example.com', name: null }],
      raw: { id: 'p1' },
      bot_param: {
        bot_image: 'https://example.com/a.png',
        bot_name: 'Ours',
        deduplication_key: 'k',
        enter_message: 'Hello',
        extra: { a: 1 },
        noone_joined_timeout: 300,
        recording_mode: 'audio_only',
        speech_to_text_api_key: null,
        speech_to_text_provider: 'Gladia',
        streaming_audio_frequency: '16khz',
        streaming_input: 'wss://example.com/in',
        streaming_output: 'wss://example.com/out',
        waiting_room_timeout: 600,
        webhook_url: 'https://example.com/hook',
      },
    });
  });

  test('hands every field of a bot on in the words of v2', async () => {
    respondWith(stored({ bot }));
    await call('post', `/calendar_events/${id}/bot`, {
      bot_name: 'Ours',
      extra: { a: 1 },
      bot_image: 'https://example.com/a.png',
      deduplication_key: 'k',
      enter_message: 'Hello',
      noone_joined_timeout: 300,
      waiting_room_timeout: 600,
      silence_timeout: 60,
      recording_mode: 'audio_only',
      speech_to_text: { provider: 'Gladia', api_key: 'own' },
      transcription_custom_parameters: { words: ['x'] },
      streaming_audio_frequency: '16khz',
      streaming_input: 'wss://example.com/in',
      streaming_output: 'wss://example.com/out',
      webhook_url: 'https://example.com/hook',
    });
    expect(edge.calendarSync.calls[1]?.body).toMatchObject({
      series_id: seriesId,
      event_id: id,
      all_occurrences: false,
      bot_name: 'Ours',
      extra: { a: 1 },
      bot_image: 'https://example.com/a.png',
      entry_message: 'Hello',
      recording_mode: 'audio_only',
      timeout_config: { no_one_joined_timeout: 300, waiting_room_timeout: 600, silence_timeout: 60 },
      transcription_enabled: true,
      transcription_config: { provider: 'gladia', api_key: 'own', custom_params: { words: ['x'] } },
      streaming_enabled: true,
      streaming_config: {
        input_url: 'wss://example.com/in',
        output_url: 'wss://example.com/out',
        audio_frequency: 16_000,
      },
      legacy: { webhook_url: 'https://example.com/hook', deduplication_key: 'k', api_key: key },
    });
  });

  test('schedules a bot and gives the events that have it', async () => {
    respondWith(stored({ bot }));
    const body = { bot_name: 'Ours', extra: {}, enter_message: 'Hello', webhook_url: 'https://example.com/hook' };
    const failed = await call('post', `/calendar_events/${id}/bot?all_occurrences=true`, body);
    expect(failed.status).toBe(500);
    const [, scheduled] = edge.calendarSync.calls;
    expect(scheduled).toMatchObject({
      method: 'POST',
      path: `/internal/v2/calendars/${id}/bots`,
      body: {
        series_id: seriesId,
        all_occurrences: true,
        bot_name: 'Ours',
        entry_message: 'Hello',
        legacy: { webhook_url: 'https://example.com/hook', api_key: key },
      },
    });
    expect(scheduled?.body).not.toHaveProperty('meeting_url');
  });

  test.each(['null', 'false'])('schedules one instance with all_occurrences=%s', async (given) => {
    respondWith(stored({ bot }));
    await call('post', `/calendar_events/${id}/bot?all_occurrences=${given}`, { bot_name: 'Ours', extra: {} });
    expect(edge.calendarSync.calls[1]?.body).toMatchObject({ event_id: id, all_occurrences: false });
    expect((await call('post', `/calendar_events/${id}/bot?all_occurrences=`, {})).status).toBe(400);
  });

  test.each(['post', 'patch'] as const)('%s refuses a frequency without an address by its name', async (method) => {
    respondWith(stored({ bot }));
    const body = { ...(method === 'post' ? { bot_name: 'Ours', extra: {} } : {}), streaming_audio_frequency: '24khz' };
    const refused = await call(method, `/calendar_events/${id}/bot`, body);
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain('streaming_audio_frequency');
  });

  test('changes only what is given', async () => {
    respondWith(stored({ bot }));
    await call('patch', `/calendar_events/${id}/bot`, { enter_message: 'Later' });
    const target = { series_id: seriesId, event_id: id, all_occurrences: false };
    expect(edge.calendarSync.calls[1]).toMatchObject({ method: 'PATCH' });
    expect(edge.calendarSync.calls[1]?.body).toEqual({ entry_message: 'Later', ...target });
  });

  test('keeps the frequency of a stream whose address is changed, and drops it with the stream', async () => {
    const streaming_config = { input_url: 'wss://example.com/in', output_url: null, audio_frequency: 24_000 };
    respondWith(stored({ bot: { ...bot, streaming_config } }));
    await call('patch', `/calendar_events/${id}/bot`, { streaming_input: 'wss://example.com/other' });
    expect(edge.calendarSync.calls[1]?.body).toMatchObject({
      streaming_config: { input_url: 'wss://example.com/other', audio_frequency: 24_000 },
    });
    respondWith(stored({ bot: { ...bot, streaming_config } }));
    await call('patch', `/calendar_events/${id}/bot`, { streaming_input: null });
    expect(edge.calendarSync.calls.at(-1)?.body).toMatchObject({ streaming_enabled: false, streaming_config: null });
  });

  test('cancels a bot, and nothing without one', async () => {
    respondWith(stored());
    const nothing = await call('delete', `/calendar_events/${id}/bot`);
    expect(nothing.body).toMatchObject([{ uuid: id }]);
    expect(requested()).toHaveLength(1);
    respondWith(stored({ bot }));
    await call('delete', `/calendar_events/${id}/bot`);
    expect(edge.calendarSync.calls.at(-1)).toMatchObject({ method: 'DELETE', body: { event_id: id } });
  });
});

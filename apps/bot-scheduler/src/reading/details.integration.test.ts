import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import { addTeam, startTestScheduler } from '../testing/test-scheduler.ts';
import type { TestScheduler } from '../testing/test-scheduler.ts';

let scheduler: TestScheduler;
let teamId: string;

beforeAll(async () => {
  scheduler = await startTestScheduler();
  teamId = await addTeam(scheduler.database);
});
afterAll(() => scheduler.stop());

const get = (path: string, team = teamId) => scheduler.sendRequest('GET', path, team);
const details = async (botId: string) => (await get(`/internal/v2/bots/${botId}`)).body.data as Record<string, unknown>;
const leave = (botId: string) => scheduler.sendRequest('POST', `/internal/v2/bots/${botId}/leave`, teamId);

describe('the details of a bot', () => {
  test('hold everything of specification 2.2, with the callback and its secret, and no direct token', async () => {
    const botId = await scheduler.sendBot(teamId, 'completes', {
      callback_enabled: true,
      callback_config: { url: 'https://example.com/done', method: 'PUT', secret: 'quiet' },
      extra: { customer: 'c-1' },
    });
    await scheduler.waitForStatus(botId, 'completed');
    expect(await details(botId)).toEqual({
      bot_id: botId,
      bot_name: 'completes',
      status: 'completed',
      created_at: expect.any(String),
      joined_at: expect.any(String),
      exited_at: expect.any(String),
      duration_seconds: 90,
      error_code: null,
      error_message: null,
      end_reason: 'NO_SPEAKER',
      explanation: {
        happened: 'Ended by NO_SPEAKER.',
        recording:
          '2 s of 1 min 30 s are not recorded: the bot had to open the meeting again. 1 s of its video is missing: the page delivered black frames.',
        transcript: 'The bot was sent without transcription.',
        actions: [{ action: 'transcribe', by: 'team', message: 'Transcribe the recording.' }],
        waits_since: null,
        waits_until: null,
      },
      status_changes: [
        'queued',
        'joining_call',
        'in_waiting_room',
        'in_call_not_recording',
        'in_call_recording',
        'call_ended',
        'recording_succeeded',
        'completed',
      ].map((code) => expect.objectContaining({ code, created_at: expect.any(String) })),
      failure_evidence: null,
      meeting_url: 'https://meet.google.com/abc-defg-hij',
      meeting_platform: 'meet',
      recording_mode: 'speaker_view',
      settings_without_effect: [],
      page_pack_version: 'test+none',
      participants: [{ id: 1, name: 'Ada' }],
      speakers: [{ id: 1, name: 'Ada' }],
      video: `https://files.test/${botId}/artifacts/1/video.mp4`,
      audio: null,
      transcription: null,
      raw_transcription: null,
      transcription_vtt: null,
      transcription_srt: null,
      diarization: null,
      chat_messages: null,
      audio_m4a: null,
      poster: null,
      participants_file: null,
      integrity: null,
      participant_audio: [1, 2].map((id) => ({
        id,
        name: `Person ${id}`,
        speech_seconds: id * 1.5,
        url: `https://files.test/${botId}/artifacts/1/participant-${id}.ogg`,
      })),
      integrity_summary: {
        gap_ms: 1_500,
        gap_reason: 'page_lost',
        video_missing_ms: 800,
        audio_impaired_ms: 2_000,
        degraded_ms: 0,
        video_missing_reason: 'black',
      },
      artifacts_deleted: false,
      artifacts_expire_at: expect.stringMatching(/^\d{4}-.*Z$/),
      data_deletion: null,
      transcription_provider: null,
      transcription_ids: null,
      tokens: {
        recording: 90,
        transcription: 0,
        byok_transcription: 0,
        streaming_input: 0,
        streaming_output: 0,
        total: 90,
      },
      callback_config: { enabled: true, url: 'https://example.com/done', method: 'PUT', secret: 'quiet' },
      alpha_config: null,
      meet_login_credential_id: null,
      extra: { customer: 'c-1' },
    });
  });

  test('hold what the page showed when the bot failed, until its data is deleted', async () => {
    const botId = await scheduler.sendBot(teamId, 'rejected');
    await scheduler.waitForStatus(botId, 'failed');
    expect((await details(botId))['failure_evidence']).toEqual({
      rule: 'denied-text',
      state: 'waiting-room',
      page_title: 'Daily',
      page_host: 'meet.test',
      steps: [{ step: 'page-opened', at: '2026-01-01T10:00:00.250Z' }],
    });
    await scheduler.sendRequest('DELETE', `/internal/v2/bots/${botId}/delete-data`, teamId);
    expect((await details(botId))['failure_evidence']).toBeNull();
  });

  test('count every reading, also the legacy one, and only those', async () => {
    const botId = await scheduler.sendBot(teamId, 'completes');
    await scheduler.waitForStatus(botId, 'completed');
    await get(`/internal/v2/bots/${botId}/status`);
    await get(`/internal/v2/bots/${botId}`, await addTeam(scheduler.database));
    for (let reading = 0; reading < 3; reading += 1) await details(botId);
    await get(`/internal/v1/meeting-data/${botId}`);
    const item = await waitFor(
      async () => {
        const { body } = await get('/internal/v1/bots-with-metadata?limit=50');
        const { items } = body.data as unknown as { items: { bot_id: string; access_count: number }[] };
        const found = items.find(({ bot_id }) => bot_id === botId);
        return found?.access_count === 4 ? found : null;
      },
      { what: 'four accesses to be counted' },
    );
    expect(item).toMatchObject({
      number: expect.any(Number),
      bot_name: 'completes',
      last_accessed_at: expect.any(String),
      session_id: `bot-${botId}-1`,
      speakers: ['Ada'],
      duration_seconds: 90,
      artifacts_deleted: false,
    });
  });

  test('are, for the legacy API, with the creation configuration and the times', async () => {
    const botId = await scheduler.sendBot(teamId, 'completes', { entry_message: 'Hello' });
    await scheduler.waitForStatus(botId, 'completed');
    const { body } = await get(`/internal/v1/meeting-data/${botId}`);
    expect(body.data).toMatchObject({
      number: expect.any(Number),
      bot_id: botId,
      duration_seconds: 90,
      leave_requested: false,
      session_id: `bot-${botId}-1`,
      video: `https://files.test/${botId}/artifacts/1/video.mp4`,
      request: { entry_message: 'Hello', timeout_config: { waiting_room_timeout: 600 } },
      webhook_url: null,
      join_at: null,
      error_code: null,
    });
  });

  test.each(['', '/status', '/screenshots'])(
    '%s: another team gets the response of an id that never was',
    async (part) => {
      const botId = await scheduler.sendBot(teamId, 'completes');
      await scheduler.waitForStatus(botId, 'completed');
      const stranger = await addTeam(scheduler.database);
      const foreign = await get(`/internal/v2/bots/${botId}${part}`, stranger);
      const unknown = await get(`/internal/v2/bots/${randomUUID()}${part}`, stranger);
      expect(foreign.status).toBe(404);
      expect(foreign).toEqual(unknown);
    },
  );
});

test('a bot in the waiting room shows since when, until when, and who can admit it', async () => {
  const botId = await scheduler.sendBot(teamId, 'waits', { timeout_config: { waiting_room_timeout: 900 } });
  await scheduler.waitForStatus(botId, 'in_waiting_room');
  const shown = (await details(botId)) as unknown as {
    explanation: { waits_since: string; waits_until: string; actions: unknown };
    status_changes: { code: string; created_at: string }[];
  };
  const { waits_since: since, waits_until: until, actions } = shown.explanation;
  expect(shown.status_changes.map(({ code }) => code)).toEqual(['queued', 'joining_call', 'in_waiting_room']);
  expect(since).toBe(shown.status_changes[2]?.created_at);
  expect(Date.parse(until) - Date.parse(since)).toBe(900_000);
  expect(actions).toMatchObject([{ action: 'admit', by: 'host' }]);
  await leave(botId);
  await scheduler.waitForStatus(botId, 'failed');
});

describe('what a bot sees and receives', () => {
  test('is returned: the chat once, each message, each screenshot with a link and a time', async () => {
    const botId = await scheduler.sendBot(teamId, 'chats', { extra: { customer: 'c-9' } });
    await scheduler.waitForStatus(botId, 'in_call_recording');
    await waitFor(
      async () => (await get(`/internal/v2/bots/${botId}/screenshots`)).body.data as unknown as unknown[] | null,
      { what: 'the screenshots to be listed' },
    );
    await leave(botId);
    await scheduler.waitForStatus(botId, 'completed');
    expect(await scheduler.events(botId, 'bots.v1.chat-status')).toEqual([
      {
        botId,
        teamId,
        order: expect.objectContaining({ event: 'bot.chat_status', sequence: 6 }),
        calendarEventId: null,
        available: true,
        reason: null,
        extra: { customer: 'c-9' },
      },
    ]);
    expect(await scheduler.events(botId, 'bots.v1.chat-message')).toMatchObject([
      { botId, teamId, message: { text: 'Good morning', senderName: 'Ada' }, extra: { customer: 'c-9' } },
    ]);
    expect(await scheduler.events(botId, 'bots.v1.captions-status')).toMatchObject([
      { botId, teamId, available: false, reason: 'not_offered', extra: { customer: 'c-9' } },
      { botId, teamId, available: true, reason: null, order: { event: 'bot.captions_status' } },
    ]);
    const status = await get(`/internal/v2/bots/${botId}/status`);
    expect(status.body.data).toMatchObject({ captions: { available: true, reason: null } });
    const page = async (query: string) =>
      (await get(`/internal/v2/bots/${botId}/screenshots?${query}`)).body as unknown as ShotPage;
    const all = await page('');
    expect(all.data.map(({ screenshot_id }) => screenshot_id)).toEqual([1, 2, 3]);
    expect(all.data[0]).toEqual({
      screenshot_id: 1,
      url: `https://files.test/${botId}/screenshots/1/0001.png`,
      taken_at: expect.any(String),
    });
    const first = await page('limit=2');
    const second = await page(`limit=2&cursor=${encodeURIComponent(first.cursor ?? '')}`);
    expect(second.data.map(({ screenshot_id }) => screenshot_id)).toEqual([3]);
    expect(second.cursor).toBeNull();
    const back = await page(`limit=2&cursor=${encodeURIComponent(second.prev_cursor ?? '')}`);
    expect(back.data).toEqual(first.data);
    expect(back.prev_cursor).toBeNull();
    expect((await get(`/internal/v2/bots/${botId}/screenshots?cursor=nonsense`)).status).toBe(400);
  });
});

interface ShotPage {
  readonly data: { screenshot_id: number }[];
  readonly cursor: string | null;
  readonly prev_cursor: string | null;
}

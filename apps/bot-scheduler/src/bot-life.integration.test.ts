import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import { addTeam, findRunner, startTestScheduler, workFolders } from './testing/test-scheduler.ts';
import type { TestScheduler } from './testing/test-scheduler.ts';

let scheduler: TestScheduler;
let teamId: string;

beforeAll(async () => {
  scheduler = await startTestScheduler();
  teamId = await addTeam(scheduler.database);
});
afterAll(() => scheduler.stop());

const account = async (): Promise<{ balance: number; reserved: number }> => {
  const [row] = await scheduler.database.query<{ balance: string; reserved: string }>(
    'select * from token_accounts where team_id = $1',
    [teamId],
  );
  return { balance: Number(row?.balance), reserved: Number(row?.reserved) };
};
const expectOneFinal = async (
  botId: string,
  outcome: string,
  errorCode: string | null,
): Promise<Record<string, unknown>> => {
  const ended = await scheduler.events(botId, 'bots.v1.ended');
  expect(ended).toHaveLength(1);
  expect(ended[0]).toMatchObject({ outcome, errorCode });
  return ended[0] as Record<string, unknown>;
};

describe('a bot that records to the end', () => {
  test('goes through its whole life, is charged for its recording, and publishes each step and its end once', async () => {
    const before = await account();
    const botId = await scheduler.sendBot(teamId, 'completes', { extra: { order: 7 } });
    const bot = await scheduler.waitForStatus(botId, 'completed');
    const codes = [
      'queued',
      'joining_call',
      'in_waiting_room',
      'in_call_not_recording',
      'in_call_recording',
      'call_ended',
      'recording_succeeded',
      'completed',
    ];
    expect(await scheduler.history(botId)).toEqual(codes);
    const traces = await scheduler.database.query(
      `select distinct split_part(trace, '-', 2) as id from outbox where data->>'botId' = $1`,
      [botId],
    );
    expect(traces).toEqual([{ id: expect.stringMatching(/^[0-9a-f]{32}$/) }]);
    const reported = await scheduler.events(botId, 'bots.v1.status-changed');
    expect(reported.map(({ status }) => (status as { code: string }).code)).toEqual(codes);
    expect(reported.map(({ sequence }) => sequence)).toEqual(codes.map((_code, index) => index + 1));
    const ended = await expectOneFinal(botId, 'completed', null);
    const orders = [...reported, ended].map(({ order }) => order as { sequence: number; at: string });
    expect(orders.map(({ sequence }) => sequence)).toEqual(orders.map((_order, index) => index + 1));
    const times = orders.map(({ at }) => at);
    expect(times).toEqual([...new Set(times)].toSorted());
    expect(ended).toMatchObject({
      durationSeconds: 90,
      artifacts: { video: 'artifacts/1/video.mp4' },
      extra: { order: 7 },
    });
    expect(ended['speakers']).toEqual([{ id: 1, name: 'Ada' }]);
    expect(bot.tokens).toMatchObject({ recording: 90, total: 90 });
    const after = await account();
    expect(after).toEqual({ balance: before.balance - 90, reserved: before.reserved });
  });

  test('shows exactly the fields of the contract, with signed links', async () => {
    const botId = await scheduler.sendBot(teamId, 'completes');
    await scheduler.waitForStatus(botId, 'completed');
    const { status, body } = await scheduler.sendRequest('GET', `/internal/v2/bots/${botId}`, teamId);
    expect(status).toBe(200);
    expect(Object.keys(body.data)).toEqual([
      'bot_id',
      'bot_name',
      'status',
      'created_at',
      'joined_at',
      'exited_at',
      'duration_seconds',
      'error_code',
      'error_message',
      'end_reason',
      'explanation',
      'status_changes',
      'failure_evidence',
      'meeting_url',
      'meeting_platform',
      'recording_mode',
      'settings_without_effect',
      'page_pack_version',
      'participants',
      'speakers',
      'video',
      'audio',
      'transcription',
      'raw_transcription',
      'transcription_vtt',
      'transcription_srt',
      'diarization',
      'chat_messages',
      'audio_m4a',
      'poster',
      'participants_file',
      'integrity',
      'participant_audio',
      'integrity_summary',
      'artifacts_deleted',
      'artifacts_expire_at',
      'data_deletion',
      'transcription_provider',
      'transcription_ids',
      'tokens',
      'callback_config',
      'alpha_config',
      'meet_login_credential_id',
      'extra',
    ]);
    expect(body.data).toMatchObject({
      status: 'completed',
      error_code: null,
      end_reason: 'NO_SPEAKER',
      video: `https://files.test/${botId}/artifacts/1/video.mp4`,
      audio: null,
      integrity_summary: {
        gap_ms: 1_500,
        video_missing_ms: 800,
        video_missing_reason: 'black',
        audio_impaired_ms: 2_000,
        degraded_ms: 0,
      },
      artifacts_deleted: false,
      meeting_platform: 'meet',
    });
    const short = await scheduler.sendRequest('GET', `/internal/v2/bots/${botId}/status`, teamId);
    expect(short.body.data).toMatchObject({
      bot_id: botId,
      status: 'completed',
      transcription_status: 'not-applicable',
      captions: null,
      transcription_progress: null,
      transcription_message: null,
    });
  });

  test('leaves no process, no work folder and no memory of its run behind', async () => {
    const botId = await scheduler.sendBot(teamId, 'completes');
    await scheduler.waitForStatus(botId, 'completed');
    await waitFor(() => !workFolders(scheduler.runsFolder).some((name) => name.includes(botId)), {
      what: 'its work folder to go',
    });
  });
});

describe('a bot that is requested to leave', () => {
  test('while it records completes, and reports it', async () => {
    const botId = await scheduler.sendBot(teamId, 'records');
    await scheduler.waitForStatus(botId, 'in_call_recording');
    const leave = await scheduler.sendRequest('POST', `/internal/v2/bots/${botId}/leave`, teamId);
    expect(leave).toMatchObject({
      status: 200,
      body: { success: true, data: { message: 'The bot is leaving the meeting.' } },
    });
    const bot = await scheduler.waitForStatus(botId, 'completed');
    expect(bot.end_code).toBe('API_REQUEST');
    const again = await scheduler.sendRequest('POST', `/internal/v2/bots/${botId}/leave`, teamId);
    expect(again).toMatchObject({ status: 409, body: { code: 'FST_ERR_BOT_STATUS' } });
    expect(again.body['message']).toContain(`Bot ${botId} is completed`);
  });

  test('while it waits fails before recording and costs nothing', async () => {
    const before = await account();
    const botId = await scheduler.sendBot(teamId, 'waits');
    await scheduler.waitForStatus(botId, 'in_waiting_room');
    await scheduler.sendRequest('POST', `/internal/v2/bots/${botId}/leave`, teamId);
    const bot = await scheduler.waitForStatus(botId, 'failed');
    expect(bot.end_code).toBe('EXITING_MEETING_BEFORE_RECORD');
    expect((await scheduler.history(botId)).slice(-3)).toEqual(['api_request_stop', 'recording_failed', 'failed']);
    await expectOneFinal(botId, 'failed', 'EXITING_MEETING_BEFORE_RECORD');
    expect(await account()).toEqual(before);
  });
});

describe('a bot that is turned away', () => {
  test('fails with the reason and pays for its wait only', async () => {
    const botId = await scheduler.sendBot(teamId, 'rejected');
    const bot = await scheduler.waitForStatus(botId, 'failed');
    expect((await scheduler.history(botId)).slice(-3)).toEqual(['bot_rejected', 'recording_failed', 'failed']);
    expect(bot.end_message).toMatch(/not let into the meeting/);
    expect(bot.tokens?.total).toBeLessThan(36);
    await expectOneFinal(botId, 'failed', 'BOT_NOT_ACCEPTED');
  });
});

describe('a runner that dies', () => {
  test('by SIGKILL while it records ends its bot with FORCE_KILLED and leaves what it recorded', async () => {
    const botId = await scheduler.sendBot(teamId, 'records');
    await scheduler.waitForStatus(botId, 'in_call_recording');
    process.kill(await findRunner(scheduler, botId), 'SIGKILL');
    const bot = await scheduler.waitForStatus(botId, 'failed');
    expect(bot).toMatchObject({ end_code: 'FORCE_KILLED', attempt: 2 });
    expect((await scheduler.history(botId)).slice(-3)).toEqual(['call_ended', 'recording_failed', 'failed']);
    expect(await expectOneFinal(botId, 'failed', 'FORCE_KILLED')).toMatchObject({
      artifacts: { video: 'artifacts/2/video.mp4' },
    });
    const { body } = await scheduler.sendRequest('GET', `/internal/v2/bots/${botId}`, teamId);
    expect(body.data).toMatchObject({ error_code: 'FORCE_KILLED', video: expect.stringContaining('artifacts/2') });
    expect(bot.exited_at).not.toBeNull();
    expect(bot.tokens?.total).toBe(0);
  });

  test('by itself while it records ends its bot with GENERAL_ERROR', async () => {
    const botId = await scheduler.sendBot(teamId, 'crashes');
    expect(await scheduler.waitForStatus(botId, 'failed')).toMatchObject({
      end_code: 'GENERAL_ERROR',
      attempt: 2,
    });
  });

  test('before it records ends its bot at once, without another run', async () => {
    const botId = await scheduler.sendBot(teamId, 'waits');
    await scheduler.waitForStatus(botId, 'in_waiting_room');
    process.kill(await findRunner(scheduler, botId), 'SIGKILL');
    expect(await scheduler.waitForStatus(botId, 'failed')).toMatchObject({
      end_code: 'FORCE_KILLED',
      attempt: 1,
      artifacts: [],
    });
    await expectOneFinal(botId, 'failed', 'FORCE_KILLED');
  });

  test('while it saves keeps the end it had reported', async () => {
    const botId = await scheduler.sendBot(teamId, 'cannot-save-first');
    await scheduler.waitForStatus(botId, 'in_call_recording');
    await scheduler.sendRequest('POST', `/internal/v2/bots/${botId}/leave`, teamId);
    expect(await scheduler.waitForStatus(botId, 'completed')).toMatchObject({
      end_code: 'API_REQUEST',
      attempt: 2,
    });
  });

  test('while it saves, again and again, is given up in the end: its bot has no files, and the message states why', async () => {
    const botId = await scheduler.sendBot(teamId, 'cannot-finalize');
    await scheduler.waitForStatus(botId, 'in_call_recording');
    await scheduler.sendRequest('POST', `/internal/v2/bots/${botId}/leave`, teamId);
    const tried = async () => (await scheduler.bot(botId)).finalize_attempts;
    await waitFor(async () => (await tried()) >= 3, { what: 'saving to be tried again and again' });
    expect((await scheduler.bot(botId)).end_message).not.toMatch(/could not be turned into files/);
    await scheduler.database.query('update bots set finalize_attempts = 2000, due_at = now() where id = $1', [botId]);
    const bot = await scheduler.waitForStatus(botId, 'failed');
    expect(bot).toMatchObject({ end_code: 'INTERNAL_ERROR', artifacts: [] });
    expect(bot.end_message).toMatch(/tried for hours/);
  });

  test('or rather freezes is fenced off, killed and finalized', async () => {
    const botId = await scheduler.sendBot(teamId, 'records');
    await scheduler.waitForStatus(botId, 'in_call_recording');
    const pid = await findRunner(scheduler, botId);
    process.kill(pid, 'SIGSTOP');
    expect(await scheduler.waitForStatus(botId, 'failed')).toMatchObject({ end_code: 'FORCE_KILLED' });
    await waitFor(() => isGone(pid), { what: 'the frozen process to be gone' });
  });
});

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

describe('a bot of another team', () => {
  test('is as unknown as one that never was', async () => {
    const botId = await scheduler.sendBot(teamId, 'completes');
    const stranger = await addTeam(scheduler.database);
    const never = '00000000-0000-4000-8000-000000000000';
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/status'],
      ['POST', '/leave'],
    ] as const) {
      const foreign = await scheduler.sendRequest(method, `/internal/v2/bots/${botId}${path}`, stranger);
      const unknown = await scheduler.sendRequest(method, `/internal/v2/bots/${never}${path}`, stranger);
      expect(foreign).toMatchObject({ status: 404, body: { code: 'FST_ERR_BOT_NOT_FOUND_BY_ID' } });
      expect(foreign).toEqual(unknown);
    }
    await scheduler.waitForStatus(botId, 'completed');
  });
});

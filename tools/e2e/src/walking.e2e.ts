import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkRecording } from '@rapporteur/recording-check';
import { verifyWebhook } from '@rapporteur/sdk';
import { Webhook } from 'standardwebhooks';
import { startReceiver } from '@rapporteur/testbed/receiver';
import type { Receiver } from '@rapporteur/testbed/receiver';
import { waitFor } from '@rapporteur/testbed';
import { ApiClient, eventOf } from './api-client.ts';
import { parseDiarization, scoreDiarization } from './diarization-score.ts';
import { playInBrowser } from './playback.ts';
import { processesNaming, runnersOf, newDataFolder, removeDataFolder, startStackProcess } from './stack-process.ts';
import type { StackProcess } from './stack-process.ts';
import { contentStartMs } from './recording-start.ts';
import { SimulatorClient } from './simulator-client.ts';

// A separate stack: it is killed, stopped and restarted.
const dataFolder = newDataFolder();
let stack: StackProcess;
let api: ApiClient;
let apiKey = '';
let simulator: SimulatorClient;
let receiver: Receiver;
let webhookSecret = '';
let downloads = '';

beforeAll(async () => {
  downloads = await mkdtemp(join(tmpdir(), 'rapporteur-downloads-'));
  receiver = await startReceiver();
  stack = await startStackProcess(dataFolder);
  apiKey = stack.apiKey ?? '';
  api = new ApiClient(stack.apiUrl, apiKey);
  simulator = new SimulatorClient(stack.simulatorUrl);
  webhookSecret = (await api.sdk.createWebhookEndpoint({ body: { url: receiver.url } })).secret ?? '';
}, 180_000);

afterAll(async () => {
  // Interrupted first, so that the scheduler removes the remains of its runs; remaining processes are killed.
  await stack?.interrupt();
  await removeDataFolder(dataFolder);
  await receiver?.close();
  await rm(downloads, { recursive: true, force: true });
}, 60_000);

async function download(url: string, name: string): Promise<string> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  const file = join(downloads, name);
  await writeFile(file, Buffer.from(await response.arrayBuffer()));
  return file;
}

const webhooksOf = (botId: string) =>
  receiver.calls
    .map((call) => ({ ...call, body: String(call.body), event: eventOf(call) }))
    .filter(({ body }) => body.includes(botId));

/** A page plays what it received a little later: what was sent last before the meeting ends is not played any more. */
const inFlightMs = 500;

/** Long enough for all participants to speak while the bot is there, however long its start takes. */
const hostEnds = { kind: 'host-ends', on: 'admitted', afterSeconds: 28 };

describe('a bot in a meeting of three', () => {
  test('records it, names who spoke, and hands everything back by API and signed webhook', async () => {
    const room = await simulator.startRoom({ speakers: 3, faults: [hostEnds] });
    const botId = await api.createBot({
      bot_name: 'Rapporteur',
      meeting_url: room.url,
      entry_message: 'This meeting is being recorded.',
      extra: { order: 42 },
    });
    const bot = await api.waitForStatus(botId, ['completed'], 120_000);

    expect(bot.error_code).toBeNull();
    expect(bot.extra).toEqual({ order: 42 });
    expect(bot.participants.map(({ name }) => name).sort()).toEqual(room.participants.map(({ name }) => name).sort());
    expect(bot.speakers.length).toBe(3);
    expect(bot.tokens?.total).toBeGreaterThan(0);

    // The sender's clock is authoritative: the recording starts at the API's time and ends with the room.
    const recording = webhooksOf(botId).find(({ body }) => body.includes('in_call_recording'));
    const startTime = (JSON.parse(recording?.body ?? '{}') as { data: { status: { start_time: number } } }).data.status
      .start_time;
    const { log } = (await simulator.log(room.code)) as { log: { kind: string; at: number }[] };
    expect(JSON.stringify(log)).toContain('This meeting is being recorded.');
    const roomEndMs = log.find(({ kind }) => kind === 'meetingEnded')?.at ?? 0;
    const expectedSeconds = (roomEndMs - startTime * 1000) / 1000;

    const file = await download(bot.video ?? '', 'video.mp4');
    const startOf = (roomAtZeroMs: number): number =>
      contentStartMs({
        startTimeSeconds: startTime,
        clockZeroMs: room.clockZero,
        loopSeconds: room.loopSeconds,
        roomAtZeroMs,
      });
    const { report, problems } = await checkRecording(file, {
      width: 1280,
      height: 720,
      durationMs: { least: (expectedSeconds - 2) * 1000, most: (expectedSeconds + 2) * 1000 },
      beatShare: 0.98,
      offsetMostMs: 120,
      framesPerSecond: room.framesPerSecond,
      loopSeconds: room.loopSeconds,
      roomEndsAtMs: (roomAtZeroMs) => roomEndMs - startOf(roomAtZeroMs) - inFlightMs,
    });
    expect({ problems, report }).toMatchObject({ problems: [] });

    const participantAudio = bot.participant_audio ?? [];
    const [playback, played, ...ofParticipants] = await playInBrowser([
      bot.video ?? '',
      bot.audio_m4a ?? '',
      ...participantAudio.map(({ url }) => url),
    ]);
    expect(playback).toMatchObject({ videoWidth: 1280, videoHeight: 720 });
    expect(playback.playedSeconds).toBeGreaterThanOrEqual(2);
    expect(playback.audioDecodedBytes).toBeGreaterThan(0);
    expect(Math.abs(playback.soughtSeconds - playback.durationSeconds / 2)).toBeLessThan(0.5);

    expect(Math.abs(played.durationSeconds - playback.durationSeconds)).toBeLessThan(0.1);
    expect(played.playedSeconds).toBeGreaterThanOrEqual(2);
    expect(played.audioDecodedBytes).toBeGreaterThan(0);
    expect(Math.abs(played.soughtSeconds - played.durationSeconds / 2)).toBeLessThan(0.5);

    const lines = parseDiarization(await (await fetch(bot.diarization ?? '')).text());
    const startMs = startOf(report.video?.roomAtZeroMs ?? 0);
    const score = scoreDiarization(lines, room, { startMs, durationMs: roomEndMs - startMs });
    expect(score).toBeGreaterThanOrEqual(0.95);
    expect((await fetch(bot.audio ?? '')).headers.get('content-type')).toBe('audio/flac');
    expect((await fetch(bot.audio_m4a ?? '')).headers.get('content-type')).toBe('audio/mp4');
    expect(participantAudio.map(({ name }) => name)).toEqual(bot.participants.map(({ name }) => name));
    for (const { durationSeconds, audioDecodedBytes } of ofParticipants) {
      expect(Math.abs(durationSeconds - playback.durationSeconds)).toBeLessThan(0.1);
      expect(audioDecodedBytes).toBeGreaterThan(0);
    }
    for (const { speech_seconds: seconds } of participantAudio) expect(seconds).toBeGreaterThan(3);
    expect((await fetch(bot.poster ?? '')).headers.get('content-type')).toBe('image/jpeg');
    const integrity = (await (await fetch(bot.integrity ?? '')).json()) as { files: { kind: string }[] };
    expect(integrity).toMatchObject({ gaps: [], missingSequences: [], endedCleanly: true });
    expect(integrity.files.map(({ kind }) => kind).sort()).toEqual([
      'audio',
      'audio_m4a',
      'chat_messages',
      'diarization',
      ...[1, 2, 3].map(() => 'participant_audio'),
      'participants_file',
      'poster',
      'video',
    ]);
    expect(JSON.stringify(await (await fetch(bot.chat_messages ?? '')).json())).toContain(
      'This meeting is being recorded.',
    );

    await waitFor(() => webhooksOf(botId).some(({ event }) => event === 'bot.completed'), {
      what: 'bot.completed',
    });
    const completedAtMs = webhooksOf(botId).find(({ event }) => event === 'bot.completed')?.atMs ?? 0;
    process.stderr.write(
      `From the meeting's end to bot.completed: ${((completedAtMs - roomEndMs) / 1_000).toFixed(2)} s; load average ${loadavg()[0]?.toFixed(1)}.\n`,
    );
    for (const { body, headers } of webhooksOf(botId)) {
      expect(() => new Webhook(webhookSecret).verify(body, headers as Record<string, string>)).not.toThrow();
      expect(verifyWebhook(body, headers, webhookSecret).data).toMatchObject({ bot_id: botId });
    }
    const codes = webhooksOf(botId)
      .filter(({ event }) => event === 'bot.status_change')
      .map(({ body }) => (JSON.parse(body) as { data: { status: { code: string } } }).data.status.code);
    for (const code of [
      'queued',
      'joining_call',
      'in_waiting_room',
      'in_call_not_recording',
      'in_call_recording',
      'call_ended',
      'recording_succeeded',
      'completed',
    ]) {
      expect(codes).toContain(code);
    }
    const final = JSON.parse(webhooksOf(botId).find(({ event }) => event === 'bot.completed')?.body ?? '{}') as {
      extra: unknown;
      data: { video: string };
    };
    expect(final.extra).toEqual({ order: 42 });
    expect((await fetch(final.data.video, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(final.data.video.replace(/signature=[^&]{4}/, 'signature=AAAA'))).status).toBe(403);
    expect(runnersOf(dataFolder)).toEqual([]);
  });

  test('keeps what was recorded up to four seconds before its runner is killed, and reports FORCE_KILLED within 30 seconds', async () => {
    const room = await simulator.startRoom({ speakers: 2 });
    const botId = await api.createBot({ bot_name: 'Doomed', meeting_url: room.url });
    await api.waitForStatus(botId, ['in_call_recording'], 60_000);
    const recordingSince = Date.now();
    await waitFor(() => Date.now() - recordingSince > 12_000, {
      what: 'twelve seconds of recording',
    });
    const [runner] = runnersOf(dataFolder);
    // Number 0 would be this test itself.
    if (runner === undefined) throw new Error('The bot has no runner process that this test knows.');
    process.kill(runner, 'SIGKILL');
    const killedAt = Date.now();
    const bot = await api.waitForStatus(botId, ['failed'], 30_000);
    expect(Date.now() - killedAt).toBeLessThan(30_000);
    expect(bot.error_code).toBe('FORCE_KILLED');

    const startTime = await startTimeOf(botId);
    const file = await download(bot.video ?? '', 'killed.mp4');
    const { report, problems } = await checkRecording(file, {
      width: 1280,
      height: 720,
      beatShare: 0.98,
      offsetMostMs: 120,
      loopSeconds: room.loopSeconds,
    });
    expect({ problems, report }).toMatchObject({ problems: [] });
    const lostSeconds = (killedAt - startTime * 1000 - report.file.durationMs) / 1000;
    expect(lostSeconds).toBeLessThanOrEqual(4 + 1);
    await waitFor(() => webhooksOf(botId).some(({ event }) => event === 'bot.failed'), {
      what: 'bot.failed',
    });
    expect(webhooksOf(botId).filter(({ event }) => event === 'bot.failed')).toHaveLength(1);
  });
});

async function startTimeOf(botId: string): Promise<number> {
  const webhook = await waitFor(() => webhooksOf(botId).find(({ body }) => body.includes('in_call_recording')), {
    what: 'the in_call_recording webhook',
  });
  return (JSON.parse(webhook.body) as { data: { status: { start_time: number } } }).data.status.start_time;
}

describe('the stack', () => {
  test('survives kill -9 of its parent and goes on with the same data', async () => {
    const before = await api.createBot({
      bot_name: 'Queued before',
      meeting_url: (await simulator.startRoom({ speakers: 1 })).url,
    });
    await api.waitForStatus(before, ['in_call_recording'], 60_000);
    const recordingSince = Date.now();
    await waitFor(() => Date.now() - recordingSince > 6_000, { what: 'six seconds of recording' });
    await stack.kill();
    stack = await startStackProcess(dataFolder);
    expect(stack.apiKey).toBeNull();
    api = new ApiClient(stack.apiUrl, apiKey);
    simulator = new SimulatorClient(stack.simulatorUrl);
    const bot = await waitFor(
      async () => {
        const details = await api.bot(before);
        return ['completed', 'failed'].includes(details.status) ? details : null;
      },
      { what: 'the cut-off bot to end' },
    );
    expect(['SIGTERM', 'FORCE_KILLED', 'GENERAL_ERROR']).toContain(bot.error_code);
    expect(bot.video).not.toBeNull();
  });

  test('starts again within seconds after Ctrl-C, which leaves no process behind', async () => {
    expect(await stack.interrupt()).toBe(0);
    expect(processesNaming(dataFolder)).toEqual([]);
    stack = await startStackProcess(dataFolder);
    expect(stack.startedInMs).toBeLessThan(30_000);
    expect(await stack.interrupt()).toBe(0);
    expect(processesNaming(dataFolder)).toEqual([]);
  });
});

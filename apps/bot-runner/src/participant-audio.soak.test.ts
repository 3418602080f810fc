import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { integrityReport } from '@rapporteur/contracts';
import { waitFor } from '@rapporteur/testbed';
import { decodeAudio, matchSpeech } from './testing/heard-speech.ts';
import type { SpeechMatch } from './testing/heard-speech.ts';
import { testInvocation } from './testing/run-bot.ts';
import type { RunningBot } from './testing/run-bot.ts';
import { startSimulatedMeetings } from './testing/simulated-meetings.ts';
import type { SimulatedMeeting, SimulatedMeetings } from './testing/simulated-meetings.ts';
import { storedRecord } from './testing/stored-record.ts';

// Complete bots that record for up to half a minute each.

const names = ['Alice Martin', 'Bruno Keller', 'Callum Reid', 'Daniel Novak'];
/** Long enough for every participant to speak. */
const loopSeconds = 30;
const room = { speakers: names.length, loopSeconds } as const;
/** Receivers buffer audio for this long against jitter, and it is played a moment later. */
const audioDelayMs = 250;
let meetings: SimulatedMeetings;

beforeAll(async () => {
  meetings = await startSimulatedMeetings();
  // Renders the media of the participants once.
  await meetings.open({ ...room, overlap: true });
  await meetings.clear();
}, 300_000);
afterAll(() => meetings.stop());
afterEach(() => meetings.clear());

async function sendBot(
  meeting: SimulatedMeeting,
  platform: 'meet' | 'teams',
  more: Parameters<SimulatedMeeting['sendBot']>[0] = {},
): Promise<RunningBot> {
  const { room, storage } = meeting;
  const { configuration } = testInvocation({ storage, busUrl: '', joinUrl: room.realUrl, simulator: null });
  return await meeting.sendBot({
    configuration: { ...configuration, recording_mode: 'audio_only' },
    meeting: { platform, joinUrl: room.realUrl, meetingId: room.code },
    ...more,
  });
}

async function untilStored(meeting: SimulatedMeeting, ms: number): Promise<void> {
  await waitFor(() => meeting.storedMs() >= ms, { what: `${ms} ms to be stored` });
}

const startedAtMs = ({ storage }: SimulatedMeeting): number => storedRecord(storage)?.startedAtMs ?? 0;
const reportOf = ({ storage }: SimulatedMeeting) =>
  integrityReport.parse(JSON.parse(String(storage.objects.get('artifacts/integrity.json'))));
const ownFiles = ({ scheduler }: SimulatedMeeting) =>
  (scheduler.find('recording-stored')?.artifacts ?? []).filter(({ kind }) => kind === 'participant_audio');

/** Of each participant's own file. */
async function matches(meeting: SimulatedMeeting): Promise<(SpeechMatch & { readonly name: string })[]> {
  const mix = await decodeAudio(meeting.storage.objects.get('artifacts/audio.flac')!, meetings.folder);
  return await Promise.all(
    ownFiles(meeting).map(async ({ key, participant }) => {
      const name = participant?.name ?? '';
      const samples = await decodeAudio(meeting.storage.objects.get(key)!, meetings.folder);
      const found = matchSpeech(samples, {
        room: meeting.room,
        name,
        startedAtMs: startedAtMs(meeting),
        loopMs: loopSeconds * 1_000,
        delayMs: audioDelayMs,
        nearMs: 150,
        mix,
      });
      return { name, ...found };
    }),
  );
}

describe('the sound of each participant', () => {
  test('survives a kill but for the last seconds', async () => {
    const meeting = await meetings.open(room);
    const bot = await sendBot(meeting, 'meet');
    await untilStored(meeting, 16_000);
    const killedAtMs = Date.now();
    bot.child.kill('SIGKILL');
    await bot.exited;
    const end = { code: 'FORCE_KILLED', message: 'Killed.', joinedAt: null, exitedAt: null, recorded: true };
    const finalizer = await sendBot(meeting, 'meet', { mode: 'finalize', attempt: 2, fencing: 2, attendanceEnd: end });
    expect(await finalizer.exited).toBe(0);
    const found = await matches(meeting);
    expect(found.map(({ name }) => name)).toEqual(names.slice(0, found.length));
    expect(found.length).toBeGreaterThanOrEqual(3);
    const lastHeardMs = Math.max(...found.map(({ lastHeardMs: atMs }) => atMs));
    const lastSaidMs = Math.max(...found.map(({ lastSaidBefore }) => lastSaidBefore(killedAtMs - 5_000)));
    expect(lastHeardMs).toBeGreaterThanOrEqual(lastSaidMs - 200);
    for (const { strangeSeconds } of found) expect(strangeSeconds).toBeLessThan(0.4);
    expect(reportOf(meeting).participantAudio).toEqual({ state: 'recorded', sharedMs: null, unownedMs: null });
  }, 240_000);

  test('is not there where the platform gives one mix of everybody, and the report says so', async () => {
    const meeting = await meetings.open({ platform: 'teams' });
    const bot = await sendBot(meeting, 'teams');
    await untilStored(meeting, 6_000);
    meeting.scheduler.lease.leaveRequested = true;
    expect(await bot.exited).toBe(0);
    expect(ownFiles(meeting)).toEqual([]);
    expect(reportOf(meeting).participantAudio?.state).toBe('not_offered');
  }, 180_000);

  test('is not kept where the deployment does not want it', async () => {
    const meeting = await meetings.open(room);
    const bot = await sendBot(meeting, 'meet', { participantAudio: 'off' });
    await untilStored(meeting, 6_000);
    meeting.scheduler.lease.leaveRequested = true;
    expect(await bot.exited).toBe(0);
    expect(ownFiles(meeting)).toEqual([]);
    expect(reportOf(meeting).participantAudio?.state).toBe('off');
  }, 180_000);
});

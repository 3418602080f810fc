import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { integrityReport } from '@rapporteur/contracts';
import { waitFor } from '@rapporteur/testbed';
import { processesBelow } from './testing/bot-processes.ts';
import { decodeAudio, matchSpeech } from './testing/heard-speech.ts';
import type { SpeechMatch } from './testing/heard-speech.ts';
import { testInvocation } from './testing/run-bot.ts';
import type { RunningBot } from './testing/run-bot.ts';
import { startSimulatedMeetings } from './testing/simulated-meetings.ts';
import type { SimulatedMeeting, SimulatedMeetings } from './testing/simulated-meetings.ts';
import { storedRecord } from './testing/stored-record.ts';

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
  test('of a meeting whose tracks are people’s is a file of its own: what they said, when they said it, and nobody else', async () => {
    // Four who interrupt each other, on three tracks.
    const meeting = await meetings.open({ ...room, overlap: true });
    const bot = await sendBot(meeting, 'meet');
    await untilStored(meeting, 31_000);
    // One for the page: none for omnibox popups, none kept spare for another site.
    const processes = await processesBelow(bot.child.pid ?? 0);
    expect(processes.filter(({ kind }) => kind === 'renderer')).toHaveLength(1);
    meeting.scheduler.lease.leaveRequested = true;
    expect(await bot.exited).toBe(0);
    // A bot that records no video receives none.
    const log = (await meeting.log()).filter(({ who }) => who === 'Rapporteur');
    expect(log.flatMap(({ kind, text }) => (kind === 'picturesSent' ? [text] : []))).toEqual(['0']);
    expect(log.filter(({ kind }) => kind === 'joined')).toHaveLength(1);
    const own = ownFiles(meeting);
    expect(own.map(({ participant }) => [participant?.id, participant?.name])).toEqual(
      names.map((name, index) => [index + 1, name]),
    );
    const { durationMs } = meeting.scheduler.find('recording-stored')!;
    for (const found of await matches(meeting)) {
      expect(Math.abs(found.seconds * 1_000 - durationMs)).toBeLessThanOrEqual(1);
      expect(found.heard).toBeGreaterThan(0.9);
      // Audio that the network delays is late in the mix, too.
      expect(found.strangeSeconds).toBeLessThan(0.4);
      expect(found.beginsOffMs).toBeLessThanOrEqual(500);
      // A participant after long silence is played before the receiver buffers again: early by the whole buffer, at
      // most.
      expect(found.beginsOffMs).toBeGreaterThanOrEqual(-audioDelayMs - 20);
      // The receiver buffers audio for longer on a busy machine, in the mix too.
      expect(Math.abs(found.endsOffMs)).toBeLessThanOrEqual(500);
    }
    const { participantAudio, files } = reportOf(meeting);
    expect(participantAudio?.state).toBe('recorded');
    // Each of the room's tracks carries one participant at a time.
    expect(participantAudio?.sharedMs).toBeLessThan(300);
    expect(files.filter(({ kind }) => kind === 'participant_audio')).toEqual(
      own.map(({ kind, bytes, sha256, participant }) => ({ kind, bytes, sha256, participantId: participant?.id })),
    );
  }, 240_000);
});

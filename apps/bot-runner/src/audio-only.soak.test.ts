import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import { testInvocation } from './testing/run-bot.ts';
import type { RunningBot } from './testing/run-bot.ts';
import { startSimulatedMeetings } from './testing/simulated-meetings.ts';
import type { RoomLogEntry, SimulatedMeeting, SimulatedMeetings } from './testing/simulated-meetings.ts';

// A complete bot that joins twice.

const botName = 'Rapporteur';
let meetings: SimulatedMeetings;

beforeAll(async () => {
  meetings = await startSimulatedMeetings();
  // Renders the media of the participants once.
  await meetings.open();
  await meetings.clear();
}, 300_000);
afterAll(() => meetings.stop());
afterEach(() => meetings.clear());

/** A bot that records the audio only. */
async function sendBot(meeting: SimulatedMeeting): Promise<RunningBot> {
  const { room, storage } = meeting;
  const { configuration } = testInvocation({ storage, busUrl: '', joinUrl: room.realUrl, simulator: null });
  return await meeting.sendBot({
    configuration: { ...configuration, recording_mode: 'audio_only', entry_message: 'I am recording the audio.' },
    meeting: { platform: 'meet', joinUrl: room.realUrl, meetingId: room.code },
  });
}

const ofBot = async (meeting: SimulatedMeeting, kind: string): Promise<RoomLogEntry[]> =>
  (await meeting.log()).filter((entry) => entry.kind === kind && entry.who === botName);

describe('a bot that records the sound only', () => {
  test('comes back once and lets the page have its pictures, where the call does not come up without them', async () => {
    const meeting = await meetings.open({ meet: { videoRefused: 'fails' } });
    const bot = await sendBot(meeting);
    await waitFor(async () => (await ofBot(meeting, 'joined')).length === 2, {
      what: 'the bot to come back',
    });
    await waitFor(async () => (await ofBot(meeting, 'mediaConnected')).length === 1, { what: 'the call to come up' });
    const before = meeting.storedMs();
    await waitFor(() => meeting.storedMs() >= before + 6_000, { what: '6 s more to be stored' });
    meeting.scheduler.lease.leaveRequested = true;
    expect(await bot.exited).toBe(0);
    const packets = (await ofBot(meeting, 'picturesSent')).map(({ text }) => Number(text));
    expect(packets.at(0)).toBe(0);
    expect(packets.at(-1)).toBeGreaterThan(0);
    expect(await ofBot(meeting, 'joined')).toHaveLength(2);
    const said = (await bot.log()).map((line) => String(line['message']));
    expect(said).toContain('The call does not come up while its video is refused.');
    expect(said).toContain('The next page receives video as it requests it.');
  }, 180_000);
});

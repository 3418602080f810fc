import { describe, expect, test } from '@jest/globals';
import { waitFor } from '@rapporteur/testbed';
import type { RunningBot } from './testing/run-bot.ts';
import type { SimulatedMeeting } from './testing/simulated-meetings.ts';
import { botEntries, configurationFor, leave, meetingOf, suiteMeetings } from './testing/suite-meetings.ts';

// A complete bot that joins twice.

const meetings = suiteMeetings();

/** A bot that records the audio only. */
async function sendBot(meeting: SimulatedMeeting): Promise<RunningBot> {
  return await meeting.sendBot({
    configuration: configurationFor(meeting, {
      recording_mode: 'audio_only',
      entry_message: 'I am recording the audio.',
    }),
    meeting: meetingOf(meeting, 'meet'),
  });
}

describe('a bot that records the sound only', () => {
  test('comes back once and lets the page have its pictures, where the call does not come up without them', async () => {
    const meeting = await meetings.open({ meet: { videoRefused: 'fails' } });
    const bot = await sendBot(meeting);
    await waitFor(async () => (await botEntries(meeting, 'joined')).length === 2, {
      what: 'the bot to come back',
    });
    await waitFor(async () => (await botEntries(meeting, 'mediaConnected')).length === 1, {
      what: 'the call to come up',
    });
    const before = meeting.storedMs();
    await waitFor(() => meeting.storedMs() >= before + 6_000, { what: '6 s more to be stored' });
    await leave(meeting, bot);
    const packets = (await botEntries(meeting, 'picturesSent')).map(({ text }) => Number(text));
    expect(packets.at(0)).toBe(0);
    expect(packets.at(-1)).toBeGreaterThan(0);
    expect(await botEntries(meeting, 'joined')).toHaveLength(2);
    const said = (await bot.log()).map((line) => String(line['message']));
    expect(said).toContain('The call does not come up while its video is refused.');
    expect(said).toContain('The next page receives video as it requests it.');
  }, 180_000);
});

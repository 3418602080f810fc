import { describe, expect, test } from '@jest/globals';
import { checkRecording } from '@rapporteur/recording-check';
import type { RunningBot } from './testing/run-bot.ts';
import { framesPerSecond, loopSeconds } from './testing/simulated-meetings.ts';
import type { SimulatedMeeting } from './testing/simulated-meetings.ts';
import {
  configurationFor,
  leave,
  meetingOf,
  storedIntegrity,
  suiteMeetings,
  untilStored,
  videoFile,
} from './testing/suite-meetings.ts';

const meetings = suiteMeetings(null);

const open = (zoom: object): Promise<SimulatedMeeting> => meetings.open({ platform: 'zoom', zoom });

async function sendBot(meeting: SimulatedMeeting, over: object = {}): Promise<RunningBot> {
  const { timeout_config } = configurationFor(meeting);
  return await meeting.sendBot({
    meeting: meetingOf(meeting, 'zoom'),
    configuration: configurationFor(meeting, { timeout_config: { ...timeout_config, ...over } }),
  });
}

describe('a bot in a simulated Zoom meeting', () => {
  test('records sound and picture, which reach the page over sockets only, also of a client in a frame', async () => {
    const meeting = await open({ framed: true });
    const bot = await sendBot(meeting);
    await untilStored(meeting, 12_000);
    await leave(meeting, bot);
    expect(meeting.scheduler.find('attendance-ended')?.end).toMatchObject({ code: 'API_REQUEST', recorded: true });
    const integrity = storedIntegrity(meeting);
    expect(integrity).toMatchObject({ gaps: [], framesSkippedByRateLimit: 0 });
    const file = await videoFile(meeting, meetings.folder());
    const { report } = await checkRecording(file, { framesPerSecond, loopSeconds });
    expect(report.flashes?.share).toBeGreaterThan(0.7);
    expect(report.beeps?.share).toBeGreaterThan(0.7);
    expect(new Set(report.video?.participants.map(({ participant }) => participant)).size).toBeGreaterThan(1);
    // Zoom's participant ids are numbers, and the diarization contains them.
    const spoken = String(meeting.storage.objects.get('artifacts/diarization.jsonl')).trim().split('\n');
    const numbers = spoken.map((line) => {
      const { speaker, user_id: number } = JSON.parse(line) as { speaker: string; user_id?: number };
      expect(number).toEqual(expect.any(Number));
      return `${speaker} ${number}`;
    });
    expect(new Set(numbers).size).toBe(new Set(numbers.map((number) => number.replace(/ \d+$/, ''))).size);
  }, 180_000);

  test('says that it waits for the host, and leaves when the host does not come', async () => {
    const meeting = await open({ hostNotStarted: 'waits' });
    const bot = await sendBot(meeting, { waiting_room_timeout: 3 });
    expect(await bot.exited).toBe(0);
    expect(meeting.statuses()).toEqual(['joining_call', 'in_waiting_for_host']);
    expect(meeting.scheduler.find('attendance-ended')?.end).toMatchObject({
      code: 'WAITING_FOR_HOST_TIMEOUT',
      recorded: false,
    });
  }, 90_000);
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { checkRecording } from '@rapporteur/recording-check';
import { waitFor } from '@rapporteur/testbed';
import { testInvocation } from './testing/run-bot.ts';
import type { RunningBot } from './testing/run-bot.ts';
import { framesPerSecond, loopSeconds, startSimulatedMeetings } from './testing/simulated-meetings.ts';
import type { SimulatedMeeting, SimulatedMeetings } from './testing/simulated-meetings.ts';

let meetings: SimulatedMeetings;

beforeAll(async () => {
  meetings = await startSimulatedMeetings();
}, 60_000);
afterAll(() => meetings.stop());
afterEach(() => meetings.clear());

const open = (zoom: object): Promise<SimulatedMeeting> => meetings.open({ platform: 'zoom', zoom });

/** At the address that libs/meeting-links returns for the invitation. */
async function sendBot({ room, storage, sendBot: send }: SimulatedMeeting, over: object = {}): Promise<RunningBot> {
  const joinUrl = `https://app.zoom.us/wc/${room.code}/join${new URL(room.realUrl).search}`;
  const { configuration } = testInvocation({ storage, busUrl: '', joinUrl, simulator: null });
  return await send({
    meeting: { platform: 'zoom', joinUrl, meetingId: room.code },
    configuration: { ...configuration, timeout_config: { ...configuration.timeout_config, ...over } },
  });
}

describe('a bot in a simulated Zoom meeting', () => {
  test('records sound and picture, which reach the page over sockets only, also of a client in a frame', async () => {
    const meeting = await open({ framed: true });
    const bot = await sendBot(meeting);
    await waitFor(() => meeting.storedMs() >= 12_000, { what: '12 s to be stored' });
    meeting.scheduler.lease.leaveRequested = true;
    expect(await bot.exited).toBe(0);
    expect(meeting.scheduler.find('attendance-ended')?.end).toMatchObject({ code: 'API_REQUEST', recorded: true });
    const integrity = JSON.parse(String(meeting.storage.objects.get('artifacts/integrity.json'))) as object;
    expect(integrity).toMatchObject({ gaps: [], framesSkippedByRateLimit: 0 });
    const file = join(meetings.folder, 'zoom.mp4');
    await writeFile(file, meeting.storage.objects.get('artifacts/video.mp4')!);
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

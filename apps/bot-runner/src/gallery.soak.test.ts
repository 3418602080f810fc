import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { checkGallery } from '@rapporteur/recording-check';
import type { GalleryPlace } from '@rapporteur/recording-check';
import { waitFor } from '@rapporteur/testbed';
import { testInvocation } from './testing/run-bot.ts';
import { framesPerSecond, loopSeconds, startSimulatedMeetings } from './testing/simulated-meetings.ts';
import type { SimulatedMeeting, SimulatedMeetings } from './testing/simulated-meetings.ts';

// A second complete bot that records the gallery.

const participants = [
  { name: 'Alice Martin' },
  { name: 'Bruno Keller' },
  { name: 'Callum Reid', camera: false },
  { name: 'Daniela Rossi' },
];
/** How long a change in the room may take to reach the video: delay of the page and of the recorder. */
const settledMs = 4_000;

let meetings: SimulatedMeetings;
let meeting: SimulatedMeeting;

beforeAll(async () => {
  meetings = await startSimulatedMeetings();
  // Renders the media of the participants once.
  await meetings.open({ speakers: undefined, participants });
  await meetings.clear();
}, 300_000);
afterAll(() => meetings.stop());
afterEach(() => meetings.clear());

/** Four participants in two rows. */
const grid: readonly GalleryPlace[] = participants.map(({ name, camera }, index) => {
  const area = { left: index % 2 === 0 ? 18 : 644, top: index < 2 ? 8 : 364, width: 618, height: 348 };
  // Larger than the tile by an edge, which is cropped instead of scaled.
  const video = { left: area.left - 10, top: area.top - 6, width: 640, height: 360 };
  return { name, participant: camera === false ? null : index, area, video };
});

describe('a bot that records the gallery', () => {
  test('shows them also on Zoom, whose pictures are canvases that are captured all at once', async () => {
    meeting = await meetings.open({ speakers: undefined, participants, platform: 'zoom' });
    const { room, scheduler, storage } = meeting;
    const joinUrl = `https://app.zoom.us/wc/${room.code}/join${new URL(room.realUrl).search}`;
    const { configuration } = testInvocation({ storage, busUrl: '', joinUrl, simulator: null });
    const bot = await meeting.sendBot({
      meeting: { platform: 'zoom', joinUrl, meetingId: room.code },
      configuration: { ...configuration, recording_mode: 'gallery_view' },
    });
    await waitFor(() => meeting.storedMs() >= 12_000, { what: '12 s to be stored' });
    scheduler.lease.leaveRequested = true;
    expect(await bot.exited).toBe(0);
    const { problems } = await checkGallery(await videoOf(meeting), {
      framesPerSecond,
      loopSeconds,
      timeJumpsMost: 4,
      spans: [{ fromMs: settledMs, untilMs: 11_500, places: grid }],
    });
    expect(problems).toEqual([]);
  }, 240_000);
});

async function videoOf({ storage }: SimulatedMeeting): Promise<string> {
  const file = join(meetings.folder, `${crypto.randomUUID()}.mp4`);
  await writeFile(file, storage.objects.get('artifacts/video.mp4')!);
  return file;
}

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { checkGallery, checkRecording } from '@rapporteur/recording-check';
import type { GalleryPlace } from '@rapporteur/recording-check';
import { waitFor } from '@rapporteur/testbed';
import { testInvocation } from './testing/run-bot.ts';
import { framesPerSecond, loopSeconds, startSimulatedMeetings } from './testing/simulated-meetings.ts';
import type { SimulatedMeeting, SimulatedMeetings } from './testing/simulated-meetings.ts';

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

/** The same participants in a column beside a screen. */
const besideScreen: readonly GalleryPlace[] = participants.map(({ name, camera }, index) => ({
  name,
  participant: camera === false ? null : index,
  area: { left: 1_046, top: 96 + index * 134, width: 226, height: 126 },
}));

describe('a bot that records the gallery', () => {
  test('shows everybody with their names, one of them without a camera, and a shared screen beside them', async () => {
    meeting = await meetings.open({ speakers: undefined, participants });
    const { scheduler, storage } = meeting;
    const { configuration } = testInvocation({
      storage,
      busUrl: '',
      joinUrl: meeting.room.realUrl,
      simulator: null,
    });
    const bot = await meeting.sendBot({ configuration: { ...configuration, recording_mode: 'gallery_view' } });
    await waitFor(() => meeting.storedMs() >= 8_000, { what: '8 s to be stored' });
    const gridEndsMs = meeting.storedMs();
    await meeting.happen({ do: 'share-screen', participant: 1 });
    await waitFor(() => meeting.storedMs() >= gridEndsMs + 12_000, { what: 'the screen' });
    scheduler.lease.leaveRequested = true;
    expect(await bot.exited).toBe(0);

    const stored = scheduler.find('recording-stored');
    expect(stored?.artifacts.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['video', 'audio', 'diarization']),
    );
    const file = await videoOf(meeting);
    const screen = { left: 8, top: 70, width: 1_030, height: 578 };
    const label = { left: 8, top: 650, width: 420, height: 58 };
    const { report, problems } = await checkGallery(file, {
      framesPerSecond,
      loopSeconds,
      // The machine of a test is shared: the room itself is late at times.
      timeJumpsMost: 4,
      spans: [
        { fromMs: settledMs, untilMs: gridEndsMs, places: grid },
        {
          fromMs: gridEndsMs + 2_000 + settledMs,
          untilMs: gridEndsMs + 11_500,
          places: [
            ...besideScreen,
            { name: 'Bruno Keller (screen)', participant: participants.length, area: screen, label },
          ],
        },
      ],
    });
    expect(problems).toEqual([]);
    const whole = await checkRecording(
      file,
      { framesPerSecond, loopSeconds },
      { frameArea: [grid[0]!.video!, besideScreen[0]!.area] },
    );
    expect(whole.report.decodeErrors).toEqual([]);
    expect(Math.abs(whole.report.offset.medianMs ?? 999)).toBeLessThanOrEqual(120);
    expect(whole.report.beeps?.share).toBeGreaterThan(0.8);
    // They take turns: several are framed for a while, and none all the time.
    const framed = report.filter(({ framedShare }) => framedShare > 0.05);
    expect(new Set(framed.map(({ name }) => name)).size).toBeGreaterThanOrEqual(2);
    expect(Math.max(...report.map(({ framedShare }) => framedShare))).toBeLessThan(1);
  }, 240_000);
});

async function videoOf({ storage }: SimulatedMeeting): Promise<string> {
  const file = join(meetings.folder, `${crypto.randomUUID()}.mp4`);
  await writeFile(file, storage.objects.get('artifacts/video.mp4')!);
  return file;
}

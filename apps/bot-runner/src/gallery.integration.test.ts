import { describe, expect, test } from '@jest/globals';
import { checkGallery, checkRecording } from '@rapporteur/recording-check';
import { framesPerSecond, loopSeconds } from './testing/simulated-meetings.ts';
import { besideScreen, galleryGrid, galleryParticipants, settledMs } from './testing/gallery-room.ts';
import { configurationFor, leave, suiteMeetings, untilStored, videoFile } from './testing/suite-meetings.ts';

const meetings = suiteMeetings({ speakers: undefined, participants: galleryParticipants });

describe('a bot that records the gallery', () => {
  test('shows everybody with their names, one of them without a camera, and a shared screen beside them', async () => {
    const meeting = await meetings.open({ speakers: undefined, participants: galleryParticipants });
    const { scheduler } = meeting;
    const bot = await meeting.sendBot({ configuration: configurationFor(meeting, { recording_mode: 'gallery_view' }) });
    await untilStored(meeting, 8_000);
    const gridEndsMs = meeting.storedMs();
    await meeting.happen({ do: 'share-screen', participant: 1 });
    await untilStored(meeting, gridEndsMs + 12_000);
    await leave(meeting, bot);

    const stored = scheduler.find('recording-stored');
    expect(stored?.artifacts.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['video', 'audio', 'diarization']),
    );
    const file = await videoFile(meeting, meetings.folder());
    const screen = { left: 8, top: 70, width: 1_030, height: 578 };
    const label = { left: 8, top: 650, width: 420, height: 58 };
    const { report, problems } = await checkGallery(file, {
      framesPerSecond,
      loopSeconds,
      // The machine of a test is shared: the room itself is late at times.
      timeJumpsMost: 4,
      spans: [
        { fromMs: settledMs, untilMs: gridEndsMs, places: galleryGrid },
        {
          fromMs: gridEndsMs + 2_000 + settledMs,
          untilMs: gridEndsMs + 11_500,
          places: [
            ...besideScreen,
            { name: 'Bruno Keller (screen)', participant: galleryParticipants.length, area: screen, label },
          ],
        },
      ],
    });
    expect(problems).toEqual([]);
    const whole = await checkRecording(
      file,
      { framesPerSecond, loopSeconds },
      { frameArea: [galleryGrid[0]!.video!, besideScreen[0]!.area] },
    );
    expect(whole.report.decodeErrors).toEqual([]);
    expect(Math.abs(whole.report.offset.medianMs ?? 999)).toBeLessThanOrEqual(120);
    expect(whole.report.beeps?.share).toBeGreaterThan(0.8);
    // They take turns: several are framed for a while, and none all the time. One turn may fill one of the spans.
    const framed = report.filter(({ framedShare }) => framedShare > 0.05);
    expect(new Set(framed.map(({ name }) => name)).size).toBeGreaterThanOrEqual(2);
    const framedAlways = galleryParticipants.filter((participant) =>
      report.every(({ name, framedShare }) => name !== participant.name || framedShare === 1),
    );
    expect(framedAlways).toEqual([]);
  }, 240_000);
});

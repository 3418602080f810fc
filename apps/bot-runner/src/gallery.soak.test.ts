import { describe, expect, test } from '@jest/globals';
import { checkGallery } from '@rapporteur/recording-check';
import { framesPerSecond, loopSeconds } from './testing/simulated-meetings.ts';
import { galleryGrid, galleryParticipants, settledMs } from './testing/gallery-room.ts';
import { configurationFor, leave, meetingOf, suiteMeetings, untilStored, videoFile } from './testing/suite-meetings.ts';

// A second complete bot that records the gallery.

const meetings = suiteMeetings({ speakers: undefined, participants: galleryParticipants });

describe('a bot that records the gallery', () => {
  test('shows them also on Zoom, whose pictures are canvases that are captured all at once', async () => {
    const meeting = await meetings.open({ speakers: undefined, participants: galleryParticipants, platform: 'zoom' });
    const bot = await meeting.sendBot({
      meeting: meetingOf(meeting, 'zoom'),
      configuration: configurationFor(meeting, { recording_mode: 'gallery_view' }),
    });
    await untilStored(meeting, 12_000);
    await leave(meeting, bot);
    const { problems } = await checkGallery(await videoFile(meeting, meetings.folder()), {
      framesPerSecond,
      loopSeconds,
      timeJumpsMost: 4,
      spans: [{ fromMs: settledMs, untilMs: 11_500, places: galleryGrid }],
    });
    expect(problems).toEqual([]);
  }, 240_000);
});

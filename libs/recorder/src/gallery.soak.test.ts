import { findChromium } from '@rapporteur/local-stack/chromium';
import { describe, expect, test } from '@jest/globals';
import { checkGallery, checkRecording } from '@rapporteur/recording-check';
import type { GalleryPlace } from '@rapporteur/recording-check';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { fitInto, layOutGallery } from '@rapporteur/page-capture';
import { finalizeRecording } from './index.ts';
import type { RecordingSummary } from './index.ts';
import { chromiumFlags, untilRecorded } from './testing/record-scene.ts';
import type { RecordedScene, SceneSetup } from './testing/record-scene.ts';
import { sceneBrowser } from './testing/scene-browser.ts';
import type { SceneVideo } from './testing/room-scene.page.ts';

// Real-time recordings of the gallery: a whole one, one with a pause, and one in a page that allows neither workers nor
// text. `npm test` records the gallery with a whole bot (apps/bot-runner/src/gallery.integration.test.ts).

const size = { width: 1_280, height: 720 };
/** The machine of a test is shared: the page that draws the room stalls occasionally. */
const busy = { frameShare: 0.4, timeJumpsMost: 4 };
/** Maximum delay until a change in the room is in the video. */
const settledMs = 1_500;
const alice: SceneVideo = { name: 'Alice Martin', width: 480, height: 270 };
const bruno: SceneVideo = { name: 'Bruno Keller', width: 360, height: 270 };
const callum: SceneVideo = { name: 'Callum Reid', width: 480, height: 270, camera: false };
const dora: SceneVideo = { name: 'Dora Lindqvist', width: 640, height: 400 };
const screen: SceneVideo = { name: 'Bruno Keller', width: 800, height: 500, kind: 'screen', present: false };
const room = [alice, bruno, callum, dora, screen];

const scenes = sceneBrowser(() => chromium.launch({ executablePath: findChromium(), args: chromiumFlags }));

async function open(more: Partial<SceneSetup> = {}): Promise<RecordedScene> {
  return await scenes.open({
    mode: 'gallery_view',
    scene: { frames: room, secondAudioAfterMs: 0, switchEveryMs: 0 },
    ...more,
  });
}

const inRoom = async (what: string): Promise<void> =>
  void (await scenes.page.evaluate(`globalThis.rapporteurRoom.${what}`));

const recordedMs = ({ fragments }: RecordedScene): number => fragments.at(-1)?.endMs ?? 0;

/** The expected layout of the room. @param seen participants whose video is shown */
function places(shown: readonly SceneVideo[], seen: readonly SceneVideo[]): GalleryPlace[] {
  const layout = layOutGallery(
    shown.map(({ kind = 'camera' }) => ({ kind })),
    size,
  );
  return shown.flatMap((one, index) => {
    const area = layout.places[index]!;
    const video = fitInto(area, one.width / one.height);
    const participant = seen.includes(one) ? room.indexOf(one) : null;
    // Only the first participant is ever marked as speaking, and a screen never is.
    const framed = one === alice;
    if (one.kind !== 'screen') return [{ name: one.name ?? '', participant, area, video, framed }];
    const below = { left: area.left, top: video.top + video.height, width: 400, height: 60 };
    return [{ name: `${one.name} (screen)`, participant, area: video, video, label: below, framed }];
  });
}

async function finalFile(recorded: RecordedScene, summary: RecordingSummary): Promise<string> {
  const done = await finalizeRecording({
    attempts: [
      { init: recorded.init, fragments: recorded.fragments, startedAtMs: summary.startedAtMs, pauses: summary.pauses },
    ],
    summaries: [summary],
    workFolder: join(recorded.folder, 'artifacts'),
    ffmpegPath: 'ffmpeg',
    mode: 'gallery_view',
    speakerTimeline: [],
  });
  return done.video ?? '';
}

describe('recording gallery_view in Chromium', () => {
  test('shows everybody in their place under their own name, a camera that goes, and a screen that is shared', async () => {
    const recorded = await open();
    await recorded.recorder.start();
    await untilRecorded(recorded, 5_000);
    const firstEndsMs = recordedMs(recorded);
    // Everything that is not stored at this moment shows the room as it is now.
    await inRoom('endVideo(1)');
    await inRoom('change(4, { present: true })');
    await untilRecorded(recorded, firstEndsMs + 7_500);
    const summary = await recorded.recorder.stop();
    expect(summary).toMatchObject({ strategy: 'tracks', gaps: [], endedCleanly: true });

    const file = await finalFile(recorded, summary);
    const participants = [alice, bruno, callum, dora];
    const { problems } = await checkGallery(file, {
      ...busy,
      spans: [
        { fromMs: settledMs, untilMs: firstEndsMs, places: places(participants, [alice, bruno, dora]) },
        {
          fromMs: firstEndsMs + 2_000 + settledMs,
          untilMs: firstEndsMs + 7_000,
          places: places([screen, ...participants], [screen, alice, dora]),
        },
      ],
    });
    expect(problems).toEqual([]);
    const [place] = places(participants, [alice]);
    const whole = await checkRecording(
      file,
      { ...size, frameShare: 0, frozenSecondsMost: 99, beatShare: 0, timeJumpsMost: 99, offsetMostMs: 120 },
      { frameArea: place!.area },
    );
    expect(whole.problems.filter((problem) => !/counter/.test(problem))).toEqual([]);
    expect(whole.report.file).toMatchObject({ video: { codec: 'h264' }, audio: { codec: 'aac' } });
    expect(whole.report.beeps?.share).toBeGreaterThan(0.8);
  });

  test('a pause is cut out, and afterwards the picture is that of the room as it then is', async () => {
    const recorded = await open();
    const { startedAtMs } = await recorded.recorder.start();
    await untilRecorded(recorded, 3_000);
    const { atMs } = await recorded.recorder.pause();
    const pausedAtMs = atMs - startedAtMs;
    await inRoom('change(3, { present: false })');
    await scenes.page.waitForTimeout(2_500);
    await recorded.recorder.resume();
    await untilRecorded(recorded, pausedAtMs + 4_000);
    const summary = await recorded.recorder.stop();
    const { problems } = await checkGallery(await finalFile(recorded, summary), {
      ...busy,
      spans: [
        {
          fromMs: settledMs,
          untilMs: pausedAtMs - 300,
          places: places([alice, bruno, callum, dora], [alice, bruno, dora]),
        },
        // Its very first frame shows the present.
        {
          fromMs: pausedAtMs + 150,
          untilMs: pausedAtMs + 3_500,
          places: places([alice, bruno, callum], [alice, bruno]),
        },
      ],
    });
    expect(problems).toEqual([]);
  });

  test('where the page allows neither a worker nor letters, there are pictures without names', async () => {
    const recorded = await open({
      policy: "script-src 'unsafe-inline'; worker-src 'none'",
      before: `OffscreenCanvasRenderingContext2D.prototype.fillText = () => { throw new Error('No letters here.'); };`,
    });
    await recorded.recorder.start();
    await untilRecorded(recorded, 4_000);
    const summary = await recorded.recorder.stop();
    expect(summary.thread).toBe('page');
    const { problems } = await checkGallery(await recorded.joined(recorded.fragments.length), {
      ...busy,
      spans: [
        { fromMs: settledMs, untilMs: 3_800, places: places([alice, bruno, callum, dora], [alice, bruno, dora]) },
      ],
    });
    expect(problems.filter((problem) => !/the name is missing/.test(problem))).toEqual([]);
    expect(problems).toHaveLength(4);
  });
});

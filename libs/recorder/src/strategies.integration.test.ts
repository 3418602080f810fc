import { findChromium } from '@rapporteur/local-stack/chromium';
import { describe, expect, test } from '@jest/globals';
import { checkRecording } from '@rapporteur/recording-check';
import type { Expectations } from '@rapporteur/recording-check';
import { chromium } from 'playwright-core';
import type { RecordingSummary } from './index.ts';
import { chromiumFlags, playwrightFlagsOff, troubledRoom, untilRecorded } from './testing/record-scene.ts';
import type { RecordedScene, SceneSetup } from './testing/record-scene.ts';
import { sceneBrowser } from './testing/scene-browser.ts';

/** Nothing black, nothing frozen. The machine of a test is shared, and the painted tab is a little late. */
const expectations: Expectations = {
  width: 1_280,
  height: 720,
  frameShare: 0.6,
  beatShare: 0.7,
  timeJumpsMost: 2,
  offsetMostMs: 400,
  blackSecondsMost: 0,
  frozenSecondsMost: 0,
};

/** A busy machine paints late, so the tab's video is late. */
const painted: Expectations = { timeJumpsMost: 20 };

const scenes = sceneBrowser(() =>
  chromium.launch({ executablePath: findChromium(), args: chromiumFlags, ignoreDefaultArgs: playwrightFlagsOff }),
);

async function record(options: SceneSetup['scene'], more: Partial<SceneSetup> = {}): Promise<RecordedScene> {
  const scene = await scenes.open(
    { mode: 'speaker_view', scene: options, room: troubledRoom, ...more },
    { viewport: { width: 1_280, height: 720 } },
  );
  await scene.recorder.start();
  await untilRecorded(scene, 3_000);
  return scene;
}

/** Applies a change to the room, and records on for so long after it. */
async function trouble(room: RecordedScene, call: string, forMs: number): Promise<void> {
  await scenes.page.evaluate(`globalThis.rapporteurTrouble.${call}`);
  await untilRecorded(room, (room.fragments.at(-1)?.endMs ?? 0) + forMs);
}

const video = ({ switches }: RecordingSummary) =>
  switches.filter(({ media }) => media === 'video').map(({ from, to, reason }) => [from, to, reason]);

async function judge(room: RecordedScene, more: Expectations = {}) {
  return await checkRecording(await room.joined(room.fragments.length), { ...expectations, ...more });
}

describe('a picture that is taken by another way in the call', () => {
  test('is taken from the tab when the page removes its tracks, and from the tracks when they are back', async () => {
    const room = await record({ video: 'received', audio: 'offered' });
    await trouble(room, 'offer(false)', 12_000);
    await trouble(room, 'offer(true)', 6_000);
    const summary = await room.recorder.stop();
    expect(video(summary)).toEqual([
      [null, 'tracks', 'chosen'],
      ['tracks', 'tab', 'not_offered'],
      ['tab', 'tracks', 'offered_again'],
    ]);
    expect(room.captureStrategies).toEqual(['tracks', 'tab', 'tracks']);
    expect(summary.gaps).toEqual([]);
    // What the tab paints is older than its track by what a busy machine needs to paint it.
    expect((await judge(room, { ...painted, backwardsMost: 1 })).problems).toEqual([]);
  });
});

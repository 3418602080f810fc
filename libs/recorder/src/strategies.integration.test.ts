import { describe, expect, test } from '@jest/globals';
import { findChromium } from '@rapporteur/local-stack/chromium';

import { chromium } from 'playwright-core';
import { chromiumFlags, playwrightFlagsOff } from './testing/record-scene.ts';
import { judge, painted, troubledScenes, videoSwitches } from './testing/troubled-scenes.ts';

const { record, trouble } = troubledScenes(() =>
  chromium.launch({ executablePath: findChromium(), args: chromiumFlags, ignoreDefaultArgs: playwrightFlagsOff }),
);

describe('a picture that is taken by another way in the call', () => {
  test('is taken from the tab when the page removes its tracks, and from the tracks when they are back', async () => {
    const room = await record({ video: 'received', audio: 'offered' });
    await trouble(room, 'offer(false)', 12_000);
    await trouble(room, 'offer(true)', 6_000);
    const summary = await room.recorder.stop();
    expect(videoSwitches(summary)).toEqual([
      [null, 'tracks', 'chosen'],
      ['tracks', 'tab', 'not_offered'],
      ['tab', 'tracks', 'offered_again'],
    ]);
    expect(room.captureStrategies).toEqual(['tracks', 'tab', 'tracks']);
    expect(summary.gaps).toEqual([]);
    // The page shows a video without tracks until the tab has its first frame.
    for (const { reason } of summary.videoMissing) expect(reason).toBe('not_offered');
    // What the tab paints is older than its track by what a busy machine needs to paint it.
    expect((await judge(room, { ...painted, backwardsMost: 1 })).problems).toEqual([]);
  });

  test('continues while a shared screen has no frame yet, which is stated; a still slide is not missing', async () => {
    const room = await record({ video: 'received', audio: 'offered' });
    await trouble(room, 'shareScreen()', 1_500);
    await trouble(room, 'paintSlide()', 4_000);
    const summary = await room.recorder.stop();
    expect(summary.videoMissing).toEqual([expect.objectContaining({ reason: 'no_frames' })]);
    const [{ startMs, endMs } = { startMs: 0, endMs: 0 }] = summary.videoMissing;
    expect(startMs).toBeGreaterThan(2_500);
    expect(endMs).toBeLessThan(summary.durationMs - 1_000);
    const { report } = await judge(room);
    expect(report.video?.blackSeconds).toBe(0);
    // The participant's video continues until the slide is there.
    expect((report.video?.frozenSeconds ?? 0) * 1_000).toBeLessThan(summary.durationMs - endMs + 1_000);
  });
});

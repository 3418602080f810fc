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
    // What the tab paints is older than its track by what a busy machine needs to paint it.
    expect((await judge(room, { ...painted, backwardsMost: 1 })).problems).toEqual([]);
  });
});

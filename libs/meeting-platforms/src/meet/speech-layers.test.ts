import { describe, expect, test } from '@jest/globals';
import { SpeechLayers } from './speech-layers.page.ts';
import type { LayerLevels } from './speech-layers.page.ts';

const nothing = new Map<string, number>();
const loud = (key: string) => new Map([[key, 1]]);

/** Polls every 50 ms for a while; returns the reported changes, as `layer key +` or `layer key -`. */
function listen(parts: readonly { forMs: number; levels: LayerLevels }[]): string[] {
  const reported: string[] = [];
  const layers = new SpeechLayers((layer, changes) => {
    for (const { key, speaking } of changes) reported.push(`${layer} ${key} ${speaking ? '+' : '-'}`);
  });
  let nowMs = 100_000;
  for (const { forMs, levels } of parts) {
    for (const endMs = nowMs + forMs; nowMs < endMs; nowMs += 50) layers.observe(levels, nowMs);
  }
  return reported;
}

describe('the layers that say who speaks', () => {
  test('contributing sources lead, also when the frames are a little earlier', () => {
    const reported = listen([
      { forMs: 5_000, levels: { sources: nothing, frames: nothing, tiles: null } },
      { forMs: 300, levels: { sources: nothing, frames: loud('ann'), tiles: null } },
      { forMs: 1_000, levels: { sources: loud('77'), frames: loud('ann'), tiles: null } },
    ]);
    expect(reported).toEqual(['sources 77 +']);
  });

  test('without tracks the frames lead at once', () => {
    expect(listen([{ forMs: 100, levels: { sources: null, frames: loud('ann'), tiles: () => loud('ann') } }])).toEqual([
      'frames ann +',
    ]);
  });

  test('sources without audio while the frames name a speaker are given up, until they have audio again', () => {
    const reported = listen([
      { forMs: 2_000, levels: { sources: nothing, frames: loud('ann'), tiles: null } },
      { forMs: 1_000, levels: { sources: nothing, frames: nothing, tiles: null } },
      { forMs: 100, levels: { sources: nothing, frames: loud('ben'), tiles: null } },
      { forMs: 100, levels: { sources: loud('77'), frames: loud('ben'), tiles: null } },
    ]);
    expect(reported).toEqual(['frames ann +', 'frames ann -', 'frames ben +', 'sources 77 +', 'frames ben -']);
  });

  test('tiles come last: only while neither of the others says anything', () => {
    expect(listen([{ forMs: 3_000, levels: { sources: nothing, frames: nothing, tiles: () => loud('ann') } }])).toEqual(
      [],
    );
    const levels = { sources: nothing, frames: null, tiles: () => loud('ann') };
    expect(listen([{ forMs: 300, levels }])).toEqual(['tiles ann +']);
  });
});

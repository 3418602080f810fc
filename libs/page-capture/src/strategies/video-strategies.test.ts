import { describe, expect, test } from '@jest/globals';
import { noVideoCounts } from './video-strategy.page.ts';
import type { VideoStrategy } from './video-strategy.page.ts';
import { VideoStrategies } from './video-strategies.page.ts';
import type { VideoStrategiesPorts } from './video-strategies.page.ts';

const bytes = new Uint8Array(1);

class StrategyStub implements VideoStrategy {
  readonly outlet: VideoStrategiesPorts;
  readonly shownFrameAtMs = null;
  readonly missingSinceMs = null;
  readonly counts = noVideoCounts();

  constructor(outlet: VideoStrategiesPorts) {
    this.outlet = outlet;
  }
  begin(): void {}
  leave(): void {}
  tick(): void {}
  async settle(): Promise<void> {}
  async finish(): Promise<void> {}
  wantKey(): void {}
  give(timeMs: number, key = false): void {
    this.outlet.deliver(timeMs * 1_000, key, bytes);
  }
}

function twoStrategies() {
  const times: number[] = [];
  const strategies = new VideoStrategies({
    deliver: (timeUs) => times.push(timeUs / 1_000),
    describe: () => undefined,
  });
  const before = strategies.add((outlet) => new StrategyStub(outlet));
  const after = strategies.add((outlet) => new StrategyStub(outlet));
  strategies.switchTo(before);
  before.give(0, true);
  strategies.switchTo(after);
  return { strategies, before, after, times };
}

describe('a way that takes over', () => {
  test('does so with its first key frame, and the way before goes on until then', () => {
    const { before, after, times, strategies } = twoStrategies();
    before.give(40);
    after.give(60);
    before.give(80);
    after.give(120, true);
    before.give(160);
    after.give(170);
    expect(times).toEqual([0, 40, 80, 120, 170]);
    expect(strategies.current).toBe(after);
  });
});

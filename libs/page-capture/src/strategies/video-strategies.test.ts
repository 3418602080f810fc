import { describe, expect, test } from '@jest/globals';
import { noVideoCounts } from './video-strategy.page.ts';
import type { VideoStrategy } from './video-strategy.page.ts';
import { VideoStrategies } from './video-strategies.page.ts';
import type { VideoOutlet } from './video-strategies.page.ts';

const bytes = new Uint8Array(1);

class StrategyStub implements VideoStrategy {
  readonly outlet: VideoOutlet;
  readonly shownFrameAtMs = null;
  readonly counts = noVideoCounts();
  keysWanted = 0;

  constructor(outlet: VideoOutlet) {
    this.outlet = outlet;
  }
  begin(): void {}
  leave(): void {}
  tick(): void {}
  async settle(): Promise<void> {}
  async finish(): Promise<void> {}
  wantKey(): void {
    this.keysWanted += 1;
  }
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

  test('is not run ahead of by the way before once its first picture is there', () => {
    const { before, after, times } = twoStrategies();
    after.outlet.announce(100_000);
    for (const atMs of [40, 80, 120, 160]) before.give(atMs);
    after.give(100, true);
    after.give(140);
    expect(times).toEqual([0, 40, 80, 100, 140]);
  });

  test('leaves the recording to the way before, from a key frame on, when what it announced does not come', () => {
    const { before, after, times } = twoStrategies();
    after.outlet.announce(100_000);
    for (const atMs of [80, 120, 1_080, 1_120]) before.give(atMs);
    expect(before.keysWanted).toBe(1);
    before.give(1_160, true);
    before.give(1_200);
    expect(times).toEqual([0, 80, 1_160, 1_200]);
  });
});

import { describe, expect, test } from '@jest/globals';
import { StrategyChooser } from './strategies.page.ts';
import type { VideoSigns, VideoSwitch } from './strategies.page.ts';

const well: VideoSigns = {
  nowMs: 0,
  offeredId: 'participant-0',
  live: true,
  readable: true,
  frameAtMs: 0,
  shownSinceMs: 0,
  blackSinceMs: null,
  seen: false,
  seenMoving: false,
  seenBright: false,
  refused: new Set(),
};

/** Polls twice a second for a span, as the page does; `signs` gives the signs at each moment. */
function over(chooser: StrategyChooser, fromMs: number, toMs: number, signs: (nowMs: number) => Partial<VideoSigns>) {
  const switches: (VideoSwitch & { atMs: number })[] = [];
  for (let nowMs = fromMs; nowMs <= toMs; nowMs += 500) {
    const strategySwitch = chooser.choose({ ...well, nowMs, frameAtMs: nowMs, ...signs(nowMs) });
    if (strategySwitch) switches.push({ ...strategySwitch, atMs: nowMs });
  }
  return switches;
}

const tracksAndTab = (): StrategyChooser => new StrategyChooser(['tracks', 'tab'], 'auto');

describe('the choice of a way for the picture', () => {
  test('begins with the cheapest that the page allows, and stays while it works', () => {
    expect(over(tracksAndTab(), 0, 300_000, () => ({}))).toEqual([
      { from: null, to: 'tracks', reason: 'chosen', atMs: 0 },
    ]);
    const switches = over(tracksAndTab(), 0, 1_000, () => ({ refused: new Set(['tracks'] as const) }));
    expect(switches).toEqual([{ from: null, to: 'tab', reason: 'refused', atMs: 0 }]);
  });

  test('takes the tab when the page shows a video that it does not offer, and returns when it does', () => {
    const chooser = tracksAndTab();
    const switches = over(chooser, 0, 60_000, (nowMs) =>
      nowMs >= 5_000 && nowMs < 30_000 ? { offeredId: null, frameAtMs: nowMs, seen: true } : {},
    );
    expect(switches.slice(1)).toEqual([
      { from: 'tracks', to: 'tab', reason: 'not_offered', atMs: 6_000 },
      { from: 'tab', to: 'tracks', reason: 'offered_again', atMs: 32_000 },
    ]);
  });

  test('stays without any shown video, and where a still screen gives no frames', () => {
    expect(over(tracksAndTab(), 0, 60_000, () => ({ offeredId: null, frameAtMs: null }))).toHaveLength(1);
    expect(over(tracksAndTab(), 0, 60_000, () => ({ frameAtMs: 500, seen: true }))).toHaveLength(1);
  });

  test('leaves tracks that stall while the page shows them moving', () => {
    const chooser = tracksAndTab();
    const switches = over(chooser, 0, 10_000, (nowMs) =>
      chooser.current === 'tracks' && nowMs > 3_000 ? { frameAtMs: 3_000, seenMoving: nowMs > 4_000 } : {},
    );
    expect(switches.slice(1)).toEqual([{ from: 'tracks', to: 'tab', reason: 'no_frames', atMs: 4_500 }]);
  });

  test('gives the reason why a video of the page is not recorded, also where nothing else can record it', () => {
    const chooser = tracksAndTab();
    const refused = new Set(['tab'] as const);
    over(chooser, 0, 10_000, () => ({ refused, offeredId: null, seen: true }));
    expect([chooser.current, chooser.missing]).toEqual(['tracks', 'not_offered']);
    over(chooser, 10_500, 11_000, () => ({ refused, offeredId: null }));
    expect(chooser.missing).toBeNull();
    over(chooser, 11_500, 60_000, () => ({ refused, frameAtMs: 11_500, seen: true }));
    expect(chooser.missing).toBeNull();
  });

  test('believes black while nothing says otherwise, and not when the page shows more', () => {
    expect(over(tracksAndTab(), 0, 60_000, () => ({ blackSinceMs: 0 }))).toHaveLength(1);
    const switches = over(tracksAndTab(), 0, 10_000, (nowMs) => ({ blackSinceMs: nowMs, seenBright: true }));
    expect(switches.slice(1)).toEqual([{ from: 'tracks', to: 'tab', reason: 'black', atMs: 3_500 }]);
  });

  test('tries what failed again when another picture is shown, at most once a minute, and ever more seldom', () => {
    const chooser = tracksAndTab();
    // Another speaker every 5 s, whose track is as black as all the others.
    const switches = over(chooser, 0, 600_000, (nowMs) => ({
      offeredId: `person-${Math.floor(nowMs / 5_000)}`,
      ...(chooser.current === 'tracks' ? { blackSinceMs: nowMs, seenBright: true } : {}),
    }));
    const tries = switches.filter(({ reason }) => reason === 'tried_again').map(({ atMs }) => atMs);
    expect(tries.length).toBeGreaterThanOrEqual(2);
    expect(tries.length).toBeLessThanOrEqual(4);
    const steps = tries.slice(1).map((atMs, index) => atMs - (tries[index] ?? 0));
    for (const stepMs of steps) expect(stepMs).toBeGreaterThanOrEqual(60_000);
    expect(steps.toSorted((one, other) => one - other)).toEqual(steps);
  });

  test('begins with a pinned way, and leaves it all the same when it cannot be had', () => {
    const pinned = new StrategyChooser(['tracks', 'tab'], 'tab');
    expect(over(pinned, 0, 1_000, () => ({}))).toEqual([{ from: null, to: 'tab', reason: 'pinned', atMs: 0 }]);
    const switches = over(pinned, 1_500, 3_000, () => ({ refused: new Set(['tab'] as const) }));
    expect(switches).toEqual([{ from: 'tab', to: 'tracks', reason: 'refused', atMs: 1_500 }]);
  });

  test('stays with a way that looks bad when all others are worse', () => {
    const switches = over(tracksAndTab(), 0, 100_000, () => ({
      blackSinceMs: 0,
      seenBright: true,
      refused: new Set(['tab'] as const),
    }));
    expect(switches).toHaveLength(1);
  });
});

import { describe, expect, test } from '@jest/globals';
import { FramePlacer } from '../strategies/shown-video.page.ts';

const stepMs = 40;
/** The offset of a receiver's clock, and the delay of its frames. */
const [apartMs, strategyMs] = [1_000_000, 5];

function frameOf(number: number): VideoFrame & { open: boolean } {
  const frame = { timestamp: number * stepMs * 1_000, open: true, close: () => void (frame.open = false) };
  return frame as unknown as VideoFrame & { open: boolean };
}

/** The presentation time of a frame on the page's clock. */
const seenMs = (number: number): number => apartMs + number * stepMs + strategyMs;

const placedMs = (placer: FramePlacer, number: number, arrivalMs: number): number[] =>
  placer.add(frameOf(number), arrivalMs).map(({ pageMs }) => Math.round(pageMs));

describe('the pictures of a stream', () => {
  test('are placed where they are to be seen, though the first was handed out long before its time', () => {
    const placer = new FramePlacer();
    expect(placedMs(placer, 0, seenMs(0) - 230)).toEqual([]);
    expect(placedMs(placer, 1, seenMs(1))).toEqual([seenMs(0), seenMs(1)]);
    for (let number = 2; number < 300; number += 1)
      expect(placedMs(placer, number, seenMs(number))).toEqual([seenMs(number)]);
  });

  test('stay there when a receiver that lost something hands another one out before its time', () => {
    const placer = new FramePlacer();
    for (let number = 0; number < 20; number += 1) placedMs(placer, number, seenMs(number));
    expect(placedMs(placer, 20, seenMs(20) - 230)).toEqual([seenMs(20)]);
    for (let number = 21; number < 300; number += 1)
      expect(placedMs(placer, number, seenMs(number))).toEqual([seenMs(number)]);
  });

  test('are placed by those that came quickly, not by those that a busy thread held up', () => {
    const placer = new FramePlacer();
    for (let number = 0; number < 10; number += 1) placedMs(placer, number, seenMs(number));
    expect(placedMs(placer, 10, seenMs(10) + 90)).toEqual([seenMs(10)]);
  });

  test('begin with the first when it came, where no second one is more exact', () => {
    const placer = new FramePlacer();
    const first = frameOf(0);
    placer.add(first, 5_000);
    expect(placer.overdue(5_200)).toBeNull();
    expect(placer.overdue(5_300)).toEqual({ frame: first, pageMs: 5_000 });
    expect([placer.overdue(9_000), first.open]).toEqual([null, true]);
    // A screen that changes seldom.
    expect(placedMs(placer, 100, 9_000)).toEqual([9_000]);
  });

  test('are released when they are no longer needed', () => {
    const placer = new FramePlacer();
    const first = frameOf(0);
    placer.add(first, 5_000);
    placer.close();
    expect([first.open, placer.overdue(9_000)]).toEqual([false, null]);
  });
});

import { describe, expect, test } from '@jest/globals';
import type { MissingVideoReason } from '@rapporteur/contracts';
import { MissingSpans } from '../capture-engine.page.ts';

const awaited = (sinceMs: number) => ({ sinceMs, reason: 'no_frames' as const });

describe('the spans of a missing video', () => {
  test('begin when it was requested, and end with its first frame', () => {
    const spans = new MissingSpans<MissingVideoReason>();
    for (let ms = 5_000; ms < 8_000; ms += 100) spans.observe(awaited(4_900), ms);
    spans.observe(null, 8_000);
    expect(spans.take(8_200)).toEqual([{ startMs: 4_900, endMs: 8_000, reason: 'no_frames' }]);
    expect(spans.take(8_700)).toEqual([]);
  });

  test('leave out the usual time to a first frame', () => {
    const spans = new MissingSpans<MissingVideoReason>();
    spans.observe(awaited(100), 900);
    expect(spans.take(1_000)).toEqual([]);
    spans.observe(null, 1_050);
    expect(spans.take(1_500)).toEqual([]);
  });

  test('are reported while they last, with the same start, also where the request is repeated for another reason', () => {
    const spans = new MissingSpans<MissingVideoReason>();
    spans.observe({ sinceMs: 2_000, reason: 'black' }, 2_100);
    expect(spans.take(3_500)).toEqual([{ startMs: 2_000, endMs: 3_500, reason: 'black' }]);
    spans.observe(awaited(3_600), 3_700);
    expect(spans.take(4_000)).toEqual([{ startMs: 2_000, endMs: 4_000, reason: 'black' }]);
  });

  test('are one where the observation was interrupted without a frame, and do not reach beyond what is recorded', () => {
    const spans = new MissingSpans<MissingVideoReason>();
    spans.observe(awaited(0), 2_000);
    spans.observe(null, 2_000);
    spans.take(2_000);
    spans.observe(awaited(1_500), 2_500);
    expect(spans.take(4_000)).toEqual([{ startMs: 0, endMs: 4_000, reason: 'no_frames' }]);
    spans.observe(null, 4_000);
    spans.take(4_000);
    // Requested in a pause: media time does not advance.
    spans.observe(awaited(9_000), 5_000);
    expect(spans.take(5_000)).toEqual([]);
  });
});

import { describe, expect, test } from '@jest/globals';
import { StreamTime } from './stream-time.ts';

describe('the time of streamed audio', () => {
  test('is that of the clock and of the recording, which stops in pauses and continues over lost pages', () => {
    const time = new StreamTime();
    for (let block = 0; block < 10; block += 1) time.add(50_000 + block * 100, 100);
    time.paused();
    time.add(70_000, 100);
    time.add(70_100, 100);
    // A page was lost for three seconds.
    time.add(73_200, 100);
    expect(time.positionMs).toBe(1_300);
    expect(time.at(450)).toEqual({ epochMs: 50_450, mediaMs: 450 });
    expect(time.at(1_050)).toEqual({ epochMs: 70_050, mediaMs: 1_050 });
    expect(time.at(1_250)).toEqual({ epochMs: 73_250, mediaMs: 4_250 });
  });

  test('does not follow the jitter of single blocks', () => {
    const time = new StreamTime();
    for (const startMs of [0, 130, 190, 310]) time.add(startMs, 100);
    expect(time.at(350)).toEqual({ epochMs: 350, mediaMs: 350 });
  });
});

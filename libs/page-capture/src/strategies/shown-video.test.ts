import { describe, expect, test } from '@jest/globals';
import { Degradation } from '../load/degradation.page.ts';
import { MediaTime } from '../media-time.page.ts';
import { ShownVideo } from './shown-video.page.ts';

const beginsMs = 1_000_000;
const size = { width: 640, height: 360 };

interface FakeFrame {
  readonly name: string;
  open: boolean;
}

/** A frame of the recording's own size, for a media time. */
function frameOf(name: string, mediaMs: number): VideoFrame & FakeFrame {
  const frame = {
    name,
    open: true,
    timestamp: mediaMs * 1_000,
    displayWidth: size.width,
    displayHeight: size.height,
    format: null,
    visibleRect: null,
    close: () => void (frame.open = false),
    clone: () => frameOf(`${name} looked at`, mediaMs),
  };
  return frame as unknown as VideoFrame & FakeFrame;
}

interface Source {
  readonly frames: ReadableStream<VideoFrame>;
  /** A frame is handed out at its time. */
  give(name: string, mediaMs: number): Promise<VideoFrame & FakeFrame>;
  end(): Promise<void>;
  readonly cancelled: boolean;
}

function opened(framesPerSecondMax = 30) {
  let nowMs = beginsMs;
  const taken: string[] = [];
  const reported: string[] = [];
  const encoder = {
    take: (frame: VideoFrame | null, mediaMs: number | null) => {
      const name = (frame as unknown as FakeFrame | null)?.name ?? 'black';
      taken.push(mediaMs === null ? name : `${name} ${Math.round(mediaMs)}`);
      frame?.close();
      return true;
    },
    wantKeyAtSwitch: () => void taken.push('key'),
  };
  const ports = {
    now: () => nowMs,
    limits: () => new Degradation().limits,
    report: (error: unknown) => void reported.push(String(error)),
    ended: () => void reported.push('ended'),
  };
  const shown = new ShownVideo(ports, new MediaTime(beginsMs), encoder, { ...size, framesPerSecondMax });
  const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
  const source = (): Source => {
    let controller: ReadableStreamDefaultController<VideoFrame> | null = null;
    const state = { cancelled: false };
    const frames = new ReadableStream<VideoFrame>({
      start: (given) => void (controller = given),
      cancel: () => void (state.cancelled = true),
    });
    return {
      frames,
      give: async (name, mediaMs) => {
        nowMs = Math.max(nowMs, beginsMs + mediaMs);
        const frame = frameOf(name, mediaMs);
        controller?.enqueue(frame);
        await settle();
        return frame;
      },
      end: async () => {
        controller?.close();
        await settle();
      },
      get cancelled() {
        return state.cancelled;
      },
    };
  };
  const pass = async (ms: number): Promise<void> => {
    nowMs += ms;
    shown.tick();
    await settle();
  };
  return { shown, taken, reported, source, pass, settle };
}

describe('the one picture that is shown', () => {
  test('goes on until the next stream gives something, so that a switch costs no picture', async () => {
    const { shown, taken, source } = opened();
    const [anna, boris] = [source(), source()];
    shown.show(anna.frames);
    await anna.give('a1', 0);
    await anna.give('a2', 40);
    shown.show(boris.frames);
    expect([shown.shownFrames, shown.missingSinceMs]).toEqual([0, beginsMs + 40]);
    await anna.give('a3', 80);
    const first = await boris.give('b1', 100);
    expect(shown.missingSinceMs).toBeNull();
    await anna.give('a4', 120);
    expect(taken).toEqual(['key', 'a1 0', 'a2 40', 'a3 80', 'a4 120']);
    // The first of the new ones has the time of an existing frame.
    await boris.give('b2', 140);
    await boris.give('b3', 180);
    expect(taken.slice(5)).toEqual(['key', 'b2 140', 'b3 180']);
    expect([first.open, shown.shownFrames, anna.cancelled]).toEqual([false, 3, true]);
  });

  test('takes a single picture of a stream that gives no other, as screens do', async () => {
    const { shown, taken, source, pass } = opened();
    const [anna, screen] = [source(), source()];
    shown.show(anna.frames);
    await anna.give('a1', 0);
    await anna.give('a2', 40);
    shown.show(screen.frames);
    await screen.give('s1', 60);
    await anna.give('a3', 80);
    await pass(200);
    expect(taken.slice(3)).toEqual(['a3 80']);
    await pass(100);
    expect(taken.slice(4, 5)).toEqual(['key']);
    // After the last frame of the stream shown meanwhile.
    expect(taken[5]).toMatch(/^s1 (?:8[1-9]|9\d|1\d\d)$/);
    expect(anna.cancelled).toBe(true);
  });

  test('keeps the frame where the next one is older than the shown one', async () => {
    const { shown, taken, source } = opened();
    const [anna, tab] = [source(), source()];
    shown.show(anna.frames);
    await anna.give('a1', 0);
    await anna.give('a2', 40);
    shown.stand();
    shown.show(tab.frames);
    await tab.give('t1', 200);
    await tab.give('t2', 240);
    expect([taken, anna.cancelled]).toEqual([['key', 'a1 0', 'a2 40', 'key', 't1 200', 't2 240'], true]);
  });

  test('is black at once without a participant to show, and no delayed frame follows', async () => {
    const { shown, taken, source, pass } = opened();
    const anna = source();
    shown.show(anna.frames);
    const first = await anna.give('a1', 0);
    shown.show(null);
    await pass(1_000);
    expect([taken, first.open, shown.shownFrameAtMs, anna.cancelled]).toEqual([['black'], false, null, true]);
    expect(shown.missingSinceMs).toBeNull();
  });

  test('reports the end of the stream to be shown, and of no other', async () => {
    const { shown, reported, source } = opened();
    const [anna, boris] = [source(), source()];
    shown.show(anna.frames);
    await anna.give('a1', 0);
    await anna.give('a2', 40);
    shown.show(boris.frames);
    await anna.end();
    expect(reported).toEqual([]);
    await boris.end();
    expect(reported).toEqual(['ended']);
  });

  test('loses none of thirty frames a second that jitter, and every other one of sixty after a second of them', async () => {
    const jitteryMs = [0, 12, -9, 5, -12, 10, 0, -6, 12, -3];
    for (const [rate, least, most] of [
      [30, 120, 120],
      [60, 88, 92],
    ] as const) {
      const { shown, taken, source } = opened();
      const anna = source();
      shown.show(anna.frames);
      for (let number = 0; number < 120; number += 1)
        await anna.give(`a${number}`, 20 + (number * 1_000) / rate + (jitteryMs[number % 10] ?? 0) * (30 / rate));
      const videoFrames = taken.filter((name) => name !== 'key').length;
      expect(videoFrames).toBeGreaterThanOrEqual(least);
      expect(videoFrames).toBeLessThanOrEqual(most);
      expect(shown.counts.skippedByRateLimit).toBe(120 - videoFrames);
    }
  });
});

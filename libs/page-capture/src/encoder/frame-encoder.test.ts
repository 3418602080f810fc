import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MediaTime } from '../media-time.page.ts';
import type { CaptureConfig } from '../messages.ts';
import { FrameEncoder } from './frame-encoder.page.ts';

const beginsMs = 1_000_000;
const config = { width: 640, height: 360, framesPerSecondMax: 30, fragmentMs: 2_000, videoSize: 'fixed' } as const;

/** What the browser's encoder was given. */
let given: string[] = [];
let sizes: string[] = [];

/** The part of a VideoFrame that the recorder uses: a frame made of another is the same video at another time. */
class FakeFrame {
  readonly name: string;
  readonly timestamp: number;

  constructor(from: unknown, { timestamp }: { timestamp: number }) {
    this.name = from instanceof FakeFrame ? from.name : 'black';
    this.timestamp = timestamp;
  }

  static named(name: string): VideoFrame {
    return Object.assign(new FakeFrame(null, { timestamp: 0 }), { name }) as unknown as VideoFrame;
  }

  close(): void {}
}

class FakeEncoder {
  state = 'configured';
  readonly encodeQueueSize = 0;

  configure({ width, height }: { width: number; height: number }): void {
    sizes.push(`${width}x${height}`);
  }

  encode({ name, timestamp }: FakeFrame, { keyFrame }: { keyFrame: boolean }): void {
    given.push(`${name} ${Math.round(timestamp / 1_000)}${keyFrame ? ' key' : ''}`);
  }

  async flush(): Promise<void> {}

  close(): void {
    this.state = 'closed';
  }
}

const browser = globalThis as Record<string, unknown>;
const native = { VideoFrame: browser['VideoFrame'], VideoEncoder: browser['VideoEncoder'] };
beforeAll(() => void Object.assign(browser, { VideoFrame: FakeFrame, VideoEncoder: FakeEncoder }));
afterAll(() => void Object.assign(browser, native));

function opened() {
  given = [];
  sizes = [];
  let nowMs = beginsMs - 100;
  const page = { congested: false, frameSize: 1 };
  const time = new MediaTime(beginsMs);
  const encoder = new FrameEncoder(
    {
      now: () => nowMs,
      congested: () => page.congested,
      limits: () => ({ frameRate: 1, frameSize: page.frameSize }),
      deliver: () => undefined,
      describe: () => undefined,
      report: (error) => void given.push(String(error)),
    },
    time,
    config as unknown as CaptureConfig,
  );
  encoder.begin();
  /** Ten ticks a second until a media time, nothing else. */
  const tickUntil = (mediaMs: number): void => {
    for (; nowMs < beginsMs + mediaMs; nowMs += 100) encoder.tick();
    nowMs = beginsMs + mediaMs;
  };
  const take = (name: string, mediaMs: number | null): boolean => encoder.take(FakeFrame.named(name), mediaMs);
  return { encoder, time, take, tickUntil, page, now: () => nowMs };
}

describe('the picture that is recorded', () => {
  test('begins the recording where it was on the screen before', () => {
    const { take, tickUntil } = opened();
    take('a', null);
    tickUntil(30);
    take('b', 25);
    take('c', 65);
    expect(given).toEqual(['a 0 key', 'b 25', 'c 65']);
  });

  test('is as large as permitted, from a key frame on', () => {
    const { take, tickUntil, page } = opened();
    tickUntil(30);
    for (const [index, share] of [1, 1 / 2, 1 / 2, 1].entries()) {
      page.frameSize = share;
      take('a', 100 + index * 40);
    }
    expect(sizes).toEqual(['640x360', '320x180', '640x360']);
    expect(given).toEqual(['a 0 key', 'a 140 key', 'a 180', 'a 220 key']);
  });

  test('begins the recording where it came a moment later', () => {
    const { take, tickUntil } = opened();
    tickUntil(210);
    take('a', 190);
    take('b', 230);
    expect(given).toEqual(['a 0 key', 'b 230']);
  });

  test('is black before a picture that came much later, which keeps its time', () => {
    const { take, tickUntil } = opened();
    tickUntil(330);
    take('a', 310);
    take('b', 350);
    expect(given).toEqual(['black 0 key', 'a 310', 'b 350']);
  });

  test('is black from the beginning while there is none', () => {
    const { tickUntil } = opened();
    tickUntil(3_000);
    expect(given).toEqual(['black 0 key', 'black 850', 'black 1650 key', 'black 2450']);
  });

  test('has a key frame where a fragment should end, whatever key frames came since it began', () => {
    const { encoder, take, tickUntil, now } = opened();
    const keys: number[] = [];
    for (let mediaMs = 0; mediaMs < 6_000; mediaMs += 100) {
      tickUntil(mediaMs);
      if (mediaMs === 1_000 || mediaMs === 3_300) encoder.wantKey();
      take('a', now() - beginsMs);
    }
    for (const line of given) if (line.endsWith(' key')) keys.push(Number(line.split(' ')[1]));
    // The one at 3.3 s is late enough to end a fragment.
    expect(keys).toEqual([0, 1_000, 1_700, 3_300, 5_000]);
  });

  test('goes on with a key frame after frames that were given up', () => {
    const { encoder, take, tickUntil, page } = opened();
    take('a', null);
    tickUntil(30);
    take('b', 25);
    page.congested = true;
    expect(take('given up', 65)).toBe(false);
    page.congested = false;
    take('c', 100);
    take('d', 140);
    expect(given).toEqual(['a 0 key', 'b 25', 'c 100 key', 'd 140']);
    expect(encoder.counts.dropped).toBe(1);
  });

  test('is repeated while the video stalls, never where a late frame still has its place', () => {
    const { take, tickUntil } = opened();
    take('a', null);
    tickUntil(100);
    take('b', 20);
    tickUntil(400);
    // A busy machine: they arrive all at once, each with its own time.
    for (const mediaMs of [160, 200, 240]) take(`late ${mediaMs}`, mediaMs);
    expect(given.slice(2)).toEqual(['late 160 160', 'late 200 200', 'late 240 240']);
    tickUntil(1_000);
    expect(given.slice(5)).toEqual(['late 240 450', 'late 240 650']);
  });

  test('goes on after a pause with what is on the screen then', () => {
    const { encoder, time, take, tickUntil } = opened();
    take('a', null);
    tickUntil(300);
    take('b', 290);
    time.pause(beginsMs + 300);
    tickUntil(5_000);
    take('in the pause', null);
    expect(given).toEqual(['a 0 key', 'b 290']);
    time.resume(beginsMs + 5_300);
    tickUntil(5_300);
    encoder.resume();
    tickUntil(5_340);
    take('c', time.at(beginsMs + 5_330));
    expect(given.slice(2)).toEqual(['in the pause 301 key', 'c 330']);
  });

  test('ends with what was on the screen last', async () => {
    const { encoder, take, tickUntil } = opened();
    take('a', null);
    tickUntil(100);
    await encoder.finish(100);
    expect(given).toEqual(['a 0 key']);
    const later = opened();
    later.take('a', null);
    later.tickUntil(500);
    await later.encoder.finish(500);
    expect(given).toEqual(['a 0 key', 'a 499']);
  });
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Degradation } from '../load/degradation.page.ts';
import { MediaTime } from '../media-time.page.ts';
import type { CaptureConfig } from '../messages.ts';
import { GalleryVideo } from './gallery-video.page.ts';

class FakeFrame {
  close(): void {}
}

const browser = globalThis as Record<string, unknown>;
const native = browser['VideoFrame'];
beforeAll(() => void Object.assign(browser, { VideoFrame: FakeFrame }));
afterAll(() => void Object.assign(browser, { VideoFrame: native }));

const config = { width: 640, height: 360, framesPerSecondMax: 30, fragmentMs: 2_000, videoSize: 'fixed' } as const;
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

function opened() {
  let nowMs = 1_000;
  const none = (): void => undefined;
  const limits = () => new Degradation().limits;
  const ports = {
    now: () => nowMs,
    congested: () => false,
    limits,
    deliver: none,
    describe: none,
    report: none,
    ended: none,
  };
  // Nothing is recorded yet, so nothing is painted.
  const gallery = new GalleryVideo(ports, new MediaTime(1_000_000), config as unknown as CaptureConfig);
  gallery.begin();
  const show = (id: string, atMs: number) => {
    nowMs = atMs;
    let controller: ReadableStreamDefaultController<VideoFrame> | null = null;
    gallery.show(id, new ReadableStream({ start: (given) => void (controller = given) }));
    return async (): Promise<void> => {
      controller?.enqueue(new FakeFrame() as unknown as VideoFrame);
      await settled();
    };
  };
  return { gallery, show };
}

describe('the gallery', () => {
  test('awaits a frame of each video that is requested, the first one first', async () => {
    const { gallery, show } = opened();
    expect(gallery.missingSinceMs).toBeNull();
    const anna = show('anna', 2_000);
    const screen = show('screen', 3_000);
    expect(gallery.missingSinceMs).toBe(2_000);
    await anna();
    expect(gallery.missingSinceMs).toBe(3_000);
    await screen();
    expect(gallery.missingSinceMs).toBeNull();
    gallery.leave();
  });

  test('awaits none of a participant whose camera is off, or when the view is left', async () => {
    const { gallery, show } = opened();
    show('anna', 2_000);
    gallery.show('anna', null);
    expect(gallery.missingSinceMs).toBeNull();
    show('boris', 3_000);
    gallery.leave();
    expect(gallery.missingSinceMs).toBeNull();
  });
});

import { PaintedVideos } from '../zoom/page-videos.page.ts';

/** A page with a canvas that is painted once. `globalThis.firstFrame` reads a frame of its track, as a new capture does. */
export function install(): void {
  const videos = new PaintedVideos();
  const canvas = document.createElement('canvas');
  document.body.append(canvas);
  const firstFrame = async (still: boolean): Promise<boolean> => {
    const track = videos.trackOf(canvas, still);
    if (track === null) return false;
    const { MediaStreamTrackProcessor } = globalThis as unknown as ChromiumGlobal;
    const reader = new MediaStreamTrackProcessor({ track }).readable.getReader();
    const frame = reader.read().then(({ value }) => {
      value?.close();
      return value !== undefined;
    });
    canvas.dataset['painted'] ??= String(canvas.getContext('2d')?.fillRect(0, 0, 9, 9));
    const none = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), noFrameMs));
    const found = await Promise.race([frame, none]);
    await reader.cancel();
    return found;
  };
  Object.assign(globalThis, { firstFrame });
}

const noFrameMs = 1_000;

interface ChromiumGlobal {
  readonly MediaStreamTrackProcessor: new (init: { track: MediaStreamTrack }) => {
    readonly readable: ReadableStream<VideoFrame>;
  };
}

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { GalleryPainter } from './gallery-painter.page.ts';
import type { GallerySeat } from './gallery-seats.page.ts';

const size = { width: 640, height: 360 };
const page = globalThis as { VideoFrame?: unknown };

/** Keeps the bytes for the encoder. */
class FakeVideoFrame {
  readonly bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.bytes = Uint8Array.from(bytes);
  }
}
beforeAll(() => {
  page.VideoFrame = FakeVideoFrame;
});
afterAll(() => {
  delete page.VideoFrame;
});

/** A frame of one brightness, of another size than its place. */
const plain = (width: number, height: number, level: number): VideoFrame =>
  ({
    format: 'I420',
    displayWidth: width,
    displayHeight: height,
    visibleRect: { x: 0, y: 0, width, height },
    allocationSize: () => (width * height * 3) / 2,
    copyTo: async (into: Uint8Array) => {
      into.fill(level);
      const [luma, color] = [width * height, (width * height) / 4];
      return [
        { offset: 0, stride: width },
        { offset: luma, stride: width / 2 },
        { offset: luma + color, stride: width / 2 },
      ];
    },
  }) as unknown as VideoFrame;
const unreadable = (): VideoFrame =>
  Object.assign(plain(160, 90, 0), {
    copyTo: async () => {
      throw new Error('It cannot be read.');
    },
  });

const seat = (id: string, more: Partial<GallerySeat> = {}): GallerySeat => ({
  id,
  kind: 'camera',
  name: null,
  speaking: false,
  ...more,
});

function painting(...seats: GallerySeat[]) {
  const errors: unknown[] = [];
  const painter = new GalleryPainter(size, (error) => errors.push(error));
  painter.arrange({ seats, leftOut: 0 });
  const frames = new Map<string, VideoFrame>();
  const frameOf = (id: string): VideoFrame | null => frames.get(id) ?? null;
  /** Brightness at a point. */
  const at = (x: number, y: number): number =>
    (painter.toFrame() as unknown as FakeVideoFrame).bytes[y * size.width + x] ?? -1;
  return { painter, frames, frameOf, at, errors };
}

describe('painting a gallery', () => {
  test('shows pictures in their places, and a ground with nothing on it where there is none', async () => {
    const { painter, frames, frameOf, at } = painting(seat('a'), seat('b'));
    frames.set('a', plain(160, 90, 200));
    await painter.paintAll(frameOf);
    expect([at(160, 180), at(480, 180), at(320, 20)]).toEqual([200, expect.any(Number), 36]);
    expect(at(480, 180)).toBeLessThan(80);
  });

  test('repaints only the given places', async () => {
    const { painter, frames, frameOf, at } = painting(seat('a'), seat('b'));
    frames.set('a', plain(160, 90, 200)).set('b', plain(160, 90, 100));
    await painter.paintAll(frameOf);
    frames.set('a', plain(160, 90, 50)).set('b', plain(160, 90, 60));
    await painter.paintSome(new Set(['b']), frameOf);
    expect([at(160, 180), at(480, 180)]).toEqual([200, 60]);
  });

  test('follows a picture that changes its shape, with bars and without anything left of the old one', async () => {
    const { painter, frames, frameOf, at } = painting(seat('a'));
    const [middle, side, top] = [
      [320, 180],
      [40, 180],
      [320, 20],
    ] as const;
    const levels = async (video: VideoFrame): Promise<number[]> => {
      frames.set('a', video);
      await painter.paintSome(new Set(['a']), frameOf);
      return [at(...middle), at(...side), at(...top)];
    };
    expect(await levels(plain(320, 180, 200))).toEqual([200, 200, 200]);
    const [upright, bar, above] = await levels(plain(180, 320, 150));
    expect([upright, above]).toEqual([150, 150]);
    expect(bar).toBeLessThan(40);
    const [wide, beside, over] = await levels(plain(800, 200, 180));
    expect([wide, beside]).toEqual([180, 180]);
    expect(over).toBeLessThan(40);
  });

  test('gives a rotated frame the place of what it shows', async () => {
    const { painter, frames, frameOf } = painting(seat('a'));
    const drawn: number[][] = [];
    const context = {
      canvas: { width: size.width, height: size.height },
      drawImage: (_frame: unknown, ...place: number[]) => drawn.push(place),
      getImageData: (_x: number, _y: number, width: number, height: number) => ({
        data: new Uint8ClampedArray(width * height * 4),
      }),
    };
    Object.assign(globalThis, {
      OffscreenCanvas: class {
        getContext = () => context;
      },
    });
    try {
      frames.set('a', Object.assign(plain(720, 1280, 100), { rotation: 90 }));
      await painter.paintAll(frameOf);
    } finally {
      Reflect.deleteProperty(globalThis, 'OffscreenCanvas');
    }
    const [, , width = 0, height = 0] = drawn[0] ?? [];
    expect(width / height).toBeCloseTo(720 / 1280, 1);
  });

  test('frames the speaker, and removes the frame again', async () => {
    const { painter, frameOf, at } = painting(seat('a', { speaking: true }));
    await painter.paintAll(frameOf);
    const framed = at(7, 180);
    painter.arrange({ seats: [seat('a')], leftOut: 0 });
    await painter.paintAll(frameOf);
    expect(framed).toBeGreaterThan(100);
    expect(at(7, 180)).toBe(36);
  });

  test('goes on without letters where none can be drawn, and without a picture that cannot be read', async () => {
    const { painter, frames, frameOf, at, errors } = painting(seat('a', { name: 'Alice' }), seat('b'));
    frames.set('a', unreadable()).set('b', plain(160, 90, 100));
    await painter.paintAll(frameOf);
    expect(at(480, 180)).toBe(100);
    expect(at(160, 180)).toBeLessThan(80);
    expect(errors.map(String)).toContain('Error: It cannot be read.');
    // Node has no canvas to draw them on.
    expect(errors.map(String)).toContainEqual(expect.stringMatching(/OffscreenCanvas/));
  });
});

import { describe, expect, test } from '@jest/globals';
import { drawFrame } from './draw-frame.page.ts';
import { FramePlanes, planeColorOf } from './frame-planes.page.ts';

interface Copied {
  readonly rect?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  readonly layout?: readonly { readonly offset: number; readonly stride: number }[];
}

/** A frame in Chromium's form: luma grows from left to right, chroma is constant. */
function frameOf(width: number, height: number, format: 'I420' | 'I420A' = 'I420'): VideoFrame & { copies: Copied[] } {
  const halves = format === 'I420' ? [1, 2, 2] : [1, 2, 2, 1];
  const levelAt = (plane: number, x: number): number => (plane === 0 ? x % 256 : plane === 3 ? 255 : 50 * plane);
  const copies: Copied[] = [];
  const frame = {
    format,
    displayWidth: width,
    displayHeight: height,
    visibleRect: { x: 0, y: 0, width, height },
    copies,
    allocationSize: () => halves.reduce((sum, half) => sum + (width / half) * (height / half), 0),
    copyTo: async (into: Uint8Array, options: Copied = {}) => {
      copies.push(options);
      const { rect = frame.visibleRect } = options;
      let next = 0;
      const layout = halves.map((half, plane) => {
        const given = options.layout?.[plane];
        const place = given ?? { offset: next, stride: rect.width / half };
        next += (rect.width / half) * (rect.height / half);
        for (let y = 0; y < rect.height / half; y += 1)
          for (let x = 0; x < rect.width / half; x += 1)
            into[place.offset + y * place.stride + x] = levelAt(plane, x + rect.x / half);
        return place;
      });
      expect(layout).toHaveLength(options.layout?.length ?? halves.length);
      return layout;
    },
  };
  return frame as unknown as VideoFrame & { copies: Copied[] };
}

const size = { width: 320, height: 180 };
const place = { left: 40, top: 20, width: 160, height: 90 };

function painted(planes: FramePlanes): { lines: number[][]; colors: number[] } {
  const [luma, u, v] = planes.parts(place);
  const lines = [0, place.height - 1].map((line) => {
    const start = luma.offset + line * luma.stride;
    return [...luma.data.subarray(start - 1, start + luma.width + 1)];
  });
  return { lines, colors: [u.data[u.offset] ?? 0, v.data[v.offset] ?? 0] };
}

async function draw(frame: VideoFrame, mayLoseEdge: boolean): Promise<ReturnType<typeof painted>> {
  const planes = new FramePlanes(size);
  planes.fill({ left: 0, top: 0, ...size }, planeColorOf('#000000'));
  await drawFrame(planes, frame, place, mayLoseEdge);
  return painted(planes);
}

describe('drawing a frame into its place', () => {
  test.each([
    ['BGRA', [10, 20, 30]],
    ['RGBX', [30, 20, 10]],
  ] as const)('turns %s of the same size into planes', async (format, [first, second, third]) => {
    const frame = {
      format,
      visibleRect: { x: 0, y: 0, width: 160, height: 90 },
      copyTo: async (into: Uint8Array) => {
        for (let at = 0; at < 160 * 90; at += 1) into.set([first, second, third, 255], at * 4);
        return [];
      },
    };
    const { lines, colors } = await draw(frame as unknown as VideoFrame, true);
    const { y, u, v } = planeColorOf('#1e140a');
    for (const line of lines) expect(new Set(line.slice(1, -1))).toEqual(new Set([y]));
    for (const [index, level] of [u, v].entries())
      expect(Math.abs((colors[index] ?? 0) - level)).toBeLessThanOrEqual(1);
  });

  test.each(['I420', 'I420A'] as const)('copies the planes of one of the same size (%s)', async (format) => {
    const frame = frameOf(160, 90, format);
    const { lines, colors } = await draw(frame, false);
    for (const line of lines) {
      expect(line.slice(1, -1)).toEqual(Array.from({ length: 160 }, (_none, x) => x));
      expect([line[0], line.at(-1)]).toEqual([16, 16]);
    }
    expect(colors).toEqual([50, 100]);
    expect(frame.copies[0]?.rect).toEqual({ x: 0, y: 0, width: 160, height: 90 });
  });

  test('cuts a little off the edges of a camera that is a little larger, and of no screen', async () => {
    const camera = frameOf(164, 92);
    expect((await draw(camera, true)).lines[0]?.slice(1, 4)).toEqual([2, 3, 4]);
    expect(camera.copies[0]?.rect).toEqual({ x: 2, y: 0, width: 160, height: 90 });
    const screen = frameOf(164, 92);
    const { lines } = await draw(screen, false);
    expect(screen.copies[0]?.rect).toBeUndefined();
    expect(lines[0]?.slice(1, 3)).toEqual([0, 1]);
    expect(lines[0]?.at(-2)).toBe(163);
  });

  test.each([
    [80, 46],
    [240, 136],
    [320, 180],
    [1_280, 720],
  ])('scales one of %d x %d into it, and touches nothing beside it', async (width, height) => {
    const { lines, colors } = await draw(frameOf(width, height, 'I420A'), true);
    for (const line of lines) expect([line[0], line.at(-1)]).toEqual([16, 16]);
    expect(colors).toEqual([50, 100]);
    if (width > 256) return;
    const [first] = lines;
    for (const [x, level] of (first ?? []).slice(1, -1).entries())
      expect(Math.abs(level - ((x + 0.5) * width) / 160 + 0.5)).toBeLessThanOrEqual(1);
  });
});

import type { RotatedFrame } from '../chromium-media.ts';
import type { Rectangle } from './gallery-layout.page.ts';
import type { FramePlanes } from './frame-planes.page.ts';
import { scalePlane } from './scale-plane.page.ts';

/** A camera's video that is larger than its place by this little is cropped instead of scaled: half the work. */
const edgeShareMost = 0.04;

/** The formats of captured canvases. */
const pixelFormats: readonly string[] = ['RGBA', 'RGBX', 'BGRA', 'BGRX'];

let frameBytes = new Uint8Array(0);
let turningSurface: OffscreenCanvasRenderingContext2D | null = null;

/**
 * Draws a frame into a part of a frame: by copying its planes where the sizes agree, by scaling them where they do
 * not, by a canvas where it is rotated or comes in another pixel format.
 * @throws DOMException for a frame that cannot be read
 */
export async function drawFrame(
  onto: FramePlanes,
  frame: VideoFrame,
  place: Rectangle,
  mayLoseEdge: boolean,
): Promise<void> {
  const visible = frame.visibleRect;
  const rotated = ((frame as RotatedFrame).rotation ?? 0) !== 0;
  const inPlanes = frame.format === 'I420' || frame.format === 'I420A';
  const rect = rotated || visible === null ? null : partOfItsSize(visible, place, mayLoseEdge);
  if (rect && frame.format !== null && !inPlanes && pixelFormats.includes(frame.format)) {
    const bytes = rect.width * rect.height * 4;
    if (frameBytes.length < bytes) frameBytes = new Uint8Array(bytes);
    await frame.copyTo(frameBytes, { rect });
    const blueFirst = frame.format.startsWith('B');
    onto.put({ data: frameBytes, width: rect.width, height: rect.height, blueFirst }, place.left, place.top);
    return;
  }
  if (rotated || visible === null || !inPlanes) {
    drawByCanvas(onto, frame, place);
    return;
  }
  const parts = onto.parts(place);
  if (rect) {
    const layout = parts.map(({ offset, stride }) => ({ offset, stride }));
    if (frame.format === 'I420A') layout.push({ offset: onto.spare, stride: onto.width });
    await frame.copyTo(onto.data, { rect, layout });
    return;
  }
  const bytes = frame.allocationSize();
  if (frameBytes.length < bytes) frameBytes = new Uint8Array(bytes);
  const layout = await frame.copyTo(frameBytes);
  for (const [index, to] of parts.entries()) {
    const plane = layout[index];
    if (!plane) continue;
    const half = index === 0 ? 1 : 2;
    const [width, height] = [Math.ceil(visible.width / half), Math.ceil(visible.height / half)];
    scalePlane({ data: frameBytes, offset: plane.offset, stride: plane.stride, width, height }, to);
  }
}

/** The part of a frame that can be copied unscaled; null where it has to be scaled. */
function partOfItsSize(
  visible: DOMRectReadOnly,
  place: Rectangle,
  mayLoseEdge: boolean,
): { x: number; y: number; width: number; height: number } | null {
  const edge = mayLoseEdge ? edgeShareMost : 0;
  const fits = (given: number, wanted: number): boolean => given >= wanted && given <= wanted * (1 + edge);
  const { width, height } = place;
  if (visible.x % 2 !== 0 || visible.y % 2 !== 0) return null;
  if (!fits(visible.width, width) || !fits(visible.height, height)) return null;
  const middle = (given: number, wanted: number): number => Math.floor((given - wanted) / 4) * 2;
  return { x: visible.x + middle(visible.width, width), y: visible.y + middle(visible.height, height), width, height };
}

function drawByCanvas(onto: FramePlanes, frame: VideoFrame, place: Rectangle): void {
  const { width, height } = place;
  turningSurface ??= new OffscreenCanvas(width, height).getContext('2d', { alpha: false, willReadFrequently: true });
  if (!turningSurface) throw new Error('The page gave no canvas to turn a frame on.');
  if (turningSurface.canvas.width < width) turningSurface.canvas.width = width;
  if (turningSurface.canvas.height < height) turningSurface.canvas.height = height;
  turningSurface.drawImage(frame, 0, 0, width, height);
  const { data } = turningSurface.getImageData(0, 0, width, height);
  onto.put({ data, width, height, blueFirst: false }, place.left, place.top);
}

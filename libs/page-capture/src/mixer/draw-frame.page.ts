import type { RotatedFrame } from '../chromium-media.ts';
import type { Rectangle } from './gallery-layout.page.ts';
import type { FramePlanes, PlanePart } from './frame-planes.page.ts';

/** For each point of a line: the point of the source at or before it, and how far it is from there to the next, of 256. */
interface Steps {
  readonly at: Uint16Array;
  readonly towards: Uint16Array;
}

const longestLine = 8_192;
const stepsKept = 64;
const knownSteps = new Map<number, Steps>();
/** One interpolated line of the source; a spare point follows the last. */
const betweenLines = new Uint16Array(longestLine + 1);

/**
 * Scales a plane into another without allocating: between neighbours where the two are of like size, by the mean of
 * all points that fall together where it becomes less than half, so that fine print does not flicker.
 */
export function scalePlane(from: PlanePart, to: PlanePart): void {
  if (from.width > longestLine || from.height > longestLine || from.width === 0 || from.height === 0) return;
  if (from.width >= 2 * to.width && from.height >= 2 * to.height) shrink(from, to);
  else interpolate(from, to);
}

function interpolate(from: PlanePart, to: PlanePart): void {
  const across = stepsFor(from.width, to.width);
  const down = stepsFor(from.height, to.height);
  const { data: source } = from;
  const { data: target } = to;
  const { at, towards } = across;
  for (let line = 0; line < to.height; line += 1) {
    const above = from.offset + down.at[line]! * from.stride;
    const below = down.at[line]! + 1 < from.height ? above + from.stride : above;
    const weight = down.towards[line]!;
    for (let x = 0; x < from.width; x += 1) {
      const upper = source[above + x]!;
      betweenLines[x] = (upper << 8) + (source[below + x]! - upper) * weight;
    }
    betweenLines[from.width] = betweenLines[from.width - 1]!;
    const start = to.offset + line * to.stride;
    for (let x = 0; x < to.width; x += 1) {
      const step = at[x]!;
      const left = betweenLines[step]!;
      target[start + x] = ((left << 8) + (betweenLines[step + 1]! - left) * towards[x]! + 0x80_00) >> 16;
    }
  }
}

function shrink(from: PlanePart, to: PlanePart): void {
  const { data: source } = from;
  const { data: target } = to;
  for (let line = 0; line < to.height; line += 1) {
    const top = Math.floor((line * from.height) / to.height);
    const bottom = Math.floor(((line + 1) * from.height) / to.height);
    const start = to.offset + line * to.stride;
    let left = 0;
    for (let x = 0; x < to.width; x += 1) {
      const right = Math.floor(((x + 1) * from.width) / to.width);
      let sum = 0;
      for (let y = top; y < bottom; y += 1) {
        const begin = from.offset + y * from.stride;
        for (let point = begin + left; point < begin + right; point += 1) sum += source[point]!;
      }
      target[start + x] = sum / ((bottom - top) * (right - left)) + 0.5;
      left = right;
    }
  }
}

function stepsFor(from: number, to: number): Steps {
  const key = from * longestLine * 2 + to;
  const found = knownSteps.get(key);
  if (found) return found;
  const steps = { at: new Uint16Array(to), towards: new Uint16Array(to) };
  for (let index = 0; index < to; index += 1) {
    const place = Math.min(from - 1, Math.max(0, ((index + 0.5) * from) / to - 0.5));
    steps.at[index] = Math.floor(place);
    steps.towards[index] = Math.round((place - Math.floor(place)) * 256);
  }
  if (knownSteps.size >= stepsKept) knownSteps.clear();
  knownSteps.set(key, steps);
  return steps;
}

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

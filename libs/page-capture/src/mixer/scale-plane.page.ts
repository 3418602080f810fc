import type { PlanePart } from './frame-planes.page.ts';

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

import type { GrayFrame, FrameArea } from './marker.ts';
import { runProgram } from '@rapporteur/process-identity';

/** A text as rendered, cut to its letters. */
export interface NameFrame extends GrayFrame {
  readonly name: string;
}

/** Letters are drawn at this size, and compared at their size in the video. */
const drawnPixels = 64;
const canvas = { width: 2_400, height: 160 };
const ink = 110;
const lettersBrightness = 130;
const brightShare = 0.5;

/** Draws a name as a recording would, in the default font of this machine. */
export async function drawName(name: string, options: { ffmpegPath: string; deadlineMs: number }): Promise<NameFrame> {
  const text = name.replace(/[\\':%]/g, (letter) => `\\${letter}`);
  const { width, height } = canvas;
  const { output } = await runProgram({
    program: options.ffmpegPath,
    arguments: [
      ...'-nostdin -v error -f lavfi -i'.split(' '),
      `color=black:s=${width}x${height},format=gray,drawtext=font=DejaVu Sans:text='${text}':fontsize=${drawnPixels}:fontcolor=white:x=40:y=40`,
      ...'-frames:v 1 -f rawvideo -pix_fmt gray pipe:1'.split(' '),
    ],
    deadlineMs: options.deadlineMs,
  });
  return { name, ...cutToInk({ width, height, pixels: output }) };
}

/**
 * Likeness of a name to the bright letters in an area: -1 to 1, and -1 where there are none.
 * @param frame mean luma over some time, which removes movement behind the letters
 */
export function likeness(frame: GrayFrame, area: FrameArea, name: NameFrame): number {
  const box = lettersIn(frame, area);
  if (box === null) return -1;
  let best = -1;
  for (const [wider, higher] of pairs([-1, 0, 1])) {
    const letters = scaled(name, Math.max(2, box.width + wider), Math.max(2, box.height + higher));
    for (const [x, y] of pairs([-1, 0, 1])) {
      const [left, top] = [box.left + x, box.top + y];
      if (left < 0 || top < 0 || left + letters.width > frame.width || top + letters.height > frame.height) continue;
      best = Math.max(best, correlation(frame, letters, { left, top }));
    }
  }
  return best;
}

function pairs(values: readonly number[]): [number, number][] {
  return values.flatMap((one) => values.map((other): [number, number] => [one, other]));
}

/** The smallest area that contains everything bright. */
function lettersIn(frame: GrayFrame, area: FrameArea): FrameArea | null {
  const level = (x: number, y: number): number => frame.pixels[y * frame.width + x] ?? 0;
  const [left, top] = [Math.floor(area.left), Math.floor(area.top)];
  const [endX, endY] = [Math.floor(area.left + area.width), Math.floor(area.top + area.height)];
  let brightest = 0;
  for (let y = top; y < endY; y += 1) for (let x = left; x < endX; x += 1) brightest = Math.max(brightest, level(x, y));
  if (brightest < lettersBrightness) return null;
  let box: { left: number; right: number; top: number; bottom: number } | null = null;
  for (let y = top; y < endY; y += 1) {
    for (let x = left; x < endX; x += 1) {
      if (level(x, y) < brightest * brightShare) continue;
      box ??= { left: x, right: x + 1, top: y, bottom: y + 1 };
      box = {
        left: Math.min(box.left, x),
        right: Math.max(box.right, x + 1),
        top: box.top,
        bottom: y + 1,
      };
    }
  }
  return box && { left: box.left, top: box.top, width: box.right - box.left, height: box.bottom - box.top };
}

function cutToInk({ width, height, pixels }: GrayFrame): GrayFrame {
  let [left, right, top, bottom] = [width, 0, height, 0];
  for (let at = 0; at < pixels.length; at += 1) {
    if ((pixels[at] ?? 0) < ink) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x + 1), Math.min(top, y), Math.max(bottom, y + 1)];
  }
  if (right <= left) throw new Error('The name was drawn without letters.');
  const cut = new Uint8Array((right - left) * (bottom - top));
  for (let y = top; y < bottom; y += 1)
    cut.set(pixels.subarray(y * width + left, y * width + right), (y - top) * (right - left));
  return { width: right - left, height: bottom - top, pixels: cut };
}

function scaled(from: GrayFrame, width: number, height: number): GrayFrame {
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      let [sum, count] = [0, 0];
      for (let sy = Math.floor((y * from.height) / height); sy < ((y + 1) * from.height) / height; sy += 1)
        for (let sx = Math.floor((x * from.width) / width); sx < ((x + 1) * from.width) / width; sx += 1) {
          sum += from.pixels[sy * from.width + sx] ?? 0;
          count += 1;
        }
      pixels[y * width + x] = sum / Math.max(1, count);
    }
  }
  return { width, height, pixels };
}

function correlation(frame: GrayFrame, letters: GrayFrame, place: { left: number; top: number }): number {
  let [sumOne, sumOther, squaresOne, squaresOther, products] = [0, 0, 0, 0, 0];
  for (let y = 0; y < letters.height; y += 1) {
    const line = (place.top + y) * frame.width + place.left;
    for (let x = 0; x < letters.width; x += 1) {
      const one = frame.pixels[line + x] ?? 0;
      const other = letters.pixels[y * letters.width + x] ?? 0;
      sumOne += one;
      sumOther += other;
      squaresOne += one * one;
      squaresOther += other * other;
      products += one * other;
    }
  }
  const count = letters.width * letters.height;
  const spread = Math.sqrt((squaresOne - (sumOne * sumOne) / count) * (squaresOther - (sumOther * sumOther) / count));
  return spread === 0 ? 0 : (products - (sumOne * sumOther) / count) / spread;
}

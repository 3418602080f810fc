import type { VideoSize } from './gallery-layout.page.ts';
import type { Stamp } from './frame-planes.page.ts';
import { stampOf } from './frame-planes.page.ts';

const fontFamily = '"Noto Sans", "DejaVu Sans", "Liberation Sans", Arial, sans-serif';
const labelColor = 'rgba(12, 14, 18, 0.72)';
const letterColor = '#ffffff';

/** Text on a dark rounded ground, shortened where it does not fit. @param width the most it may take */
export function drawLabel(text: string, width: number, fontPixels: number): Stamp | null {
  const font = `500 ${fontPixels}px ${fontFamily}`;
  const padding = Math.round(fontPixels * 0.6);
  const measured = letteringSurface({ width: 2, height: 2 });
  measured.font = font;
  const shown = shortened(text, width - 2 * padding, (part) => measured.measureText(part).width);
  if (shown === '') return null;
  const size = {
    width: evenAround(Math.min(width, measured.measureText(shown).width + 2 * padding)),
    height: evenAround(fontPixels * 1.65),
  };
  const surface = letteringSurface(size);
  surface.fillStyle = labelColor;
  surface.beginPath();
  surface.roundRect(0, 0, size.width, size.height, Math.round(size.height * 0.3));
  surface.fill();
  surface.font = font;
  surface.fillStyle = letterColor;
  surface.textBaseline = 'middle';
  surface.fillText(shown, padding, size.height / 2 + fontPixels * 0.06);
  return stampOf(surface.getImageData(0, 0, size.width, size.height));
}

/** A disc with the initials of a participant without video. */
export function drawInitials(text: string, diameter: number, color: string): Stamp {
  const size = { width: evenAround(diameter), height: evenAround(diameter) };
  const surface = letteringSurface(size);
  surface.fillStyle = color;
  surface.beginPath();
  surface.arc(size.width / 2, size.height / 2, size.width / 2, 0, 2 * Math.PI);
  surface.fill();
  surface.font = `500 ${Math.round(diameter * 0.4)}px ${fontFamily}`;
  surface.fillStyle = letterColor;
  surface.textAlign = 'center';
  surface.textBaseline = 'middle';
  surface.fillText(text, size.width / 2, size.height / 2 + diameter * 0.02);
  return stampOf(surface.getImageData(0, 0, size.width, size.height));
}

/** Of the first and the last word; a question mark for a participant without a name. */
export function initialsOf(name: string | null): string {
  const words = (name ?? '').split(/[\s(),._/|-]+/u).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words;
  const initials = letters.map((word) => signsOf(word ?? '')[0] ?? '').join('');
  return initials === '' ? '?' : initials.toLocaleUpperCase();
}

/** The text, or as much of its beginning as fits with a sign that more follows; empty where nothing does. */
export function shortened(text: string, width: number, widthOf: (part: string) => number): string {
  const whole = text.trim();
  if (whole === '' || widthOf(whole) <= width) return whole;
  const letters = signsOf(whole);
  let [fits, tooMuch] = [0, letters.length];
  const cut = (count: number): string => `${letters.slice(0, count).join('').trimEnd()}…`;
  while (tooMuch - fits > 1) {
    const middle = Math.floor((fits + tooMuch) / 2);
    if (widthOf(cut(middle)) <= width) fits = middle;
    else tooMuch = middle;
  }
  return fits === 0 ? '' : cut(fits);
}

/** Grapheme clusters. */
function signsOf(text: string): string[] {
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
}

function letteringSurface({ width, height }: VideoSize): OffscreenCanvasRenderingContext2D {
  const surface = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (!surface) throw new Error('The page gave no canvas to write names on.');
  return surface;
}

function evenAround(value: number): number {
  return Math.max(2, Math.ceil(value / 2) * 2);
}

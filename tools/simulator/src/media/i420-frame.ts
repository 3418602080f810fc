/** Limited-range luma: what a decoder shows as black and white. */
export const BLACK_LUMA = 16;
export const WHITE_LUMA = 235;

/** Counter strip geometry, as fractions of the frame's width and height. */
export const STRIP = { left: 0.1, right: 0.9, top: 0.7, bottom: 0.76, cells: 24 } as const;
export const FLASH = { left: 0.02, right: 0.12, top: 0.04, bottom: 0.2, lengthMs: 100 } as const;
const LEVEL_BAR = { left: 0.1, right: 0.9, top: 0.84, bottom: 0.92 } as const;
const NAME_TOP = 0.22;

export type I420Frame = { width: number; height: number; planes: Buffer };
export type GrayBitmap = { width: number; height: number; luma: Buffer };
type Area = { left: number; right: number; top: number; bottom: number };

/** Background colours (Y, U, V) that distinguish participants. */
const BACKGROUNDS: readonly (readonly [number, number, number])[] = [
  [62, 150, 108],
  [70, 108, 150],
  [66, 112, 112],
  [58, 140, 140],
  [74, 120, 136],
  [60, 128, 104],
  [68, 160, 128],
  [56, 104, 124],
];

/** A frame of one colour; `planes` is Y, then U, then V, 4:2:0. Width and height must be even. */
export function createFrame(width: number, height: number, colour: number): I420Frame {
  const planes = Buffer.alloc((width * height * 3) / 2);
  const [y, u, v] = BACKGROUNDS[colour % BACKGROUNDS.length] ?? [64, 128, 128];
  planes.fill(y, 0, width * height);
  planes.fill(u, width * height, (width * height * 5) / 4);
  planes.fill(v, (width * height * 5) / 4);
  return { width, height, planes };
}

/**
 * The 24 cells of the counter strip: bits 0..15 the frame counter (lowest first, modulo 65536), 16..19 the participant's
 * index, 20..23 the XOR of the five nibbles before.
 */
export function counterBits(frameCounter: number, participantIndex: number): boolean[] {
  const value = (frameCounter & 0xffff) | ((participantIndex & 0xf) << 16);
  let checksum = 0;
  for (let nibble = 0; nibble < 5; nibble += 1) checksum ^= (value >>> (nibble * 4)) & 0xf;
  const word = value | (checksum << 20);
  return Array.from({ length: STRIP.cells }, (_, bit) => ((word >>> bit) & 1) === 1);
}

/** Writes the grey drawing of the name into the upper half. */
export function drawName(video: I420Frame, bitmap: GrayBitmap): void {
  const top = Math.round(NAME_TOP * video.height);
  const rows = Math.min(bitmap.height, video.height / 2 - top);
  for (let row = 0; row < rows; row += 1) {
    const target = (top + row) * video.width;
    for (let column = 0; column < Math.min(bitmap.width, video.width); column += 1) {
      const shade = bitmap.luma[row * bitmap.width + column] ?? 0;
      const luma = BLACK_LUMA + Math.round((shade / 255) * (WHITE_LUMA - BLACK_LUMA));
      if (luma > (video.planes[target + column] ?? 0)) video.planes[target + column] = luma;
    }
  }
}

/** Draws the parts that change from frame to frame: counter strip, flash square, speaking bar (`level` 0..1). */
export function drawMarkers(
  video: I420Frame,
  frame: { frameIndex: number; framesPerSecond: number; participantIndex: number; level: number },
): void {
  const cellWidth = (STRIP.right - STRIP.left) / STRIP.cells;
  counterBits(frame.frameIndex, frame.participantIndex).forEach((white, cell) => {
    const left = STRIP.left + cell * cellWidth;
    const area = { left, right: left + cellWidth, top: STRIP.top, bottom: STRIP.bottom };
    fillArea(video, area, white ? WHITE_LUMA : BLACK_LUMA);
  });
  const intoSecondMs = ((frame.frameIndex * 1000) / frame.framesPerSecond) % 1000;
  fillArea(video, FLASH, intoSecondMs < FLASH.lengthMs ? WHITE_LUMA : BLACK_LUMA);
  fillArea(video, LEVEL_BAR, 40);
  const right = LEVEL_BAR.left + (LEVEL_BAR.right - LEVEL_BAR.left) * Math.min(1, Math.max(0, frame.level));
  fillArea(video, { ...LEVEL_BAR, right }, 150);
}

function fillArea(video: I420Frame, area: Area, luma: number): void {
  const left = Math.round(area.left * video.width);
  const right = Math.round(area.right * video.width);
  const chromaStart = video.width * video.height;
  const quarter = chromaStart / 4;
  for (let row = Math.round(area.top * video.height); row < Math.round(area.bottom * video.height); row += 1) {
    video.planes.fill(luma, row * video.width + left, row * video.width + right);
    const start = chromaStart + (row >> 1) * (video.width / 2);
    for (const plane of [start, start + quarter])
      video.planes.fill(128, plane + (left >> 1), plane + ((right + 1) >> 1));
  }
}

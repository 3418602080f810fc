/**
 * The marker that the simulator draws into every frame: a flash square in the first 100 ms of every second of the
 * room's clock, and 24 cells with the frame counter, the participant and a checksum. Positions are fractions of the
 * video.
 */
export interface FrameArea {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface MarkerReading {
  /** Modulo 65536; null when the checksum is invalid. */
  readonly counter: number | null;
  readonly participant: number | null;
  readonly flash: boolean;
}

export interface GrayFrame {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** Edges as fractions of the video. */
interface Part {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const cells = 24;
const strip = { left: 0.1, right: 0.9, top: 0.7, bottom: 0.76 };
const flashSquare = { left: 0.02, right: 0.12, top: 0.04, bottom: 0.2 };
/** Cells blur into each other and into their surroundings: only their middle is read. */
const middle = 0.25;

/** The largest 16:9 area in the middle of a frame: the video between black borders. */
export function frameArea(width: number, height: number): FrameArea {
  const fitted = Math.min(width / 16, height / 9);
  return { left: (width - fitted * 16) / 2, top: (height - fitted * 9) / 2, width: fitted * 16, height: fitted * 9 };
}

export function readMarker(frame: GrayFrame, area: FrameArea): MarkerReading {
  const levels: number[] = [];
  const cellWidth = (strip.right - strip.left) / cells;
  for (let cell = 0; cell < cells; cell += 1) {
    const left = strip.left + (cell + middle) * cellWidth;
    const inset = (strip.bottom - strip.top) * middle;
    const right = left + cellWidth * (1 - 2 * middle);
    levels.push(mean(frame, area, { left, right, top: strip.top + inset, bottom: strip.bottom - inset }));
  }
  const flash = mean(frame, area, {
    left: flashSquare.left + 0.02,
    right: flashSquare.right - 0.02,
    top: flashSquare.top + 0.03,
    bottom: flashSquare.bottom - 0.03,
  });
  return { ...readCells(levels), flash: flash > 128 };
}

function readCells(levels: readonly number[]): { counter: number | null; participant: number | null } {
  const low = Math.min(...levels);
  const high = Math.max(...levels);
  const nothing = { counter: null, participant: null };
  // A plain video of any brightness would read as zeros with a valid checksum.
  if (high - low < 80) return nothing;
  const threshold = (low + high) / 2;
  const bits = levels.map((level) => (level > threshold ? 1 : 0));
  const nibbles: number[] = [];
  for (let at = 0; at < cells; at += 4) {
    nibbles.push(bits.slice(at, at + 4).reduce<number>((sum, bit, index) => sum | (bit << index), 0));
  }
  const [a = 0, b = 0, c = 0, d = 0, participant = 0, checksum = 0] = nibbles;
  const counter = a | (b << 4) | (c << 8) | (d << 12);
  if ((a ^ b ^ c ^ d ^ participant) !== checksum) return nothing;
  return { counter, participant };
}

function mean(frame: GrayFrame, area: FrameArea, part: Part): number {
  const x0 = Math.round(area.left + part.left * area.width);
  const x1 = Math.max(x0 + 1, Math.round(area.left + part.right * area.width));
  const y0 = Math.round(area.top + part.top * area.height);
  const y1 = Math.max(y0 + 1, Math.round(area.top + part.bottom * area.height));
  let sum = 0;
  for (let y = y0; y < y1; y += 1) {
    const line = y * frame.width;
    for (let x = x0; x < x1; x += 1) sum += frame.pixels[line + x] ?? 0;
  }
  return sum / ((x1 - x0) * (y1 - y0));
}

/** The 24 cells of a frame, true for white, for tests. */
export function markerCells(counter: number, participant: number): boolean[] {
  const nibbles = [counter & 15, (counter >> 4) & 15, (counter >> 8) & 15, (counter >> 12) & 15, participant & 15];
  const checksum = nibbles.reduce((sum, nibble) => sum ^ nibble, 0);
  return [...nibbles, checksum].flatMap((nibble) => [0, 1, 2, 3].map((bit) => ((nibble >> bit) & 1) === 1));
}

/** A gray video with its marker, as a room would draw it. */
export function drawMarker(
  size: { width: number; height: number },
  marker: { counter: number; participant: number; flash: boolean },
): GrayFrame {
  const { width, height } = size;
  const pixels = new Uint8Array(width * height).fill(90);
  const fill = (level: number, { left, right, top, bottom }: Part): void => {
    for (let y = Math.round(top * height); y < Math.round(bottom * height); y += 1) {
      pixels.fill(level, y * width + Math.round(left * width), y * width + Math.round(right * width));
    }
  };
  fill(marker.flash ? 255 : 0, flashSquare);
  const cellWidth = (strip.right - strip.left) / cells;
  markerCells(marker.counter, marker.participant).forEach((white, cell) => {
    const left = strip.left + cell * cellWidth;
    fill(white ? 255 : 0, { ...strip, left, right: left + cellWidth });
  });
  return { width, height, pixels };
}

/** Samples per second of everything in this folder: signed 16 bit little-endian mono. */
export const sampleRateHz = 16_000;
const bytesPerMs = (sampleRateHz * 2) / 1_000;

/** A stretch of audio that is recognized by itself. */
export interface SpeechWindow {
  readonly startMs: number;
  readonly endMs: number;
}

const frameMs = 20;
/** Silence of this length ends a window, wherever it is. */
const pauseMs = 400;
/** Kept before and after speech. */
const marginMs = 200;
/** A longer window is cut at its quietest frame. */
const longestMs = 20_000;
const searchMs = 5_000;
/** Root mean square of 16 bit samples; about -50 dB. */
const quietest = 100;

/** The parts of audio in which something is heard, none longer than 20 s. */
export function findWindows(pcm: Buffer): SpeechWindow[] {
  const levels = levelsOf(pcm);
  const threshold = Math.max(quietest, 3 * noiseOf(levels));
  const spans: { start: number; end: number }[] = [];
  for (const [frame, level] of levels.entries()) {
    if (level < threshold) continue;
    const last = spans.at(-1);
    if (last !== undefined && (frame - last.end) * frameMs <= pauseMs) last.end = frame;
    else spans.push({ start: frame, end: frame });
  }
  const totalMs = Math.floor(pcm.byteLength / bytesPerMs);
  return spans
    .flatMap(({ start, end }) => cutLong(levels, start, end))
    .map(({ start, end }) => ({
      startMs: Math.max(0, start * frameMs - marginMs),
      endMs: Math.min(totalMs, (end + 1) * frameMs + marginMs),
    }));
}

function levelsOf(pcm: Buffer): number[] {
  const frameBytes = frameMs * bytesPerMs;
  const levels: number[] = [];
  for (let at = 0; at + frameBytes <= pcm.byteLength; at += frameBytes) {
    let sum = 0;
    for (let index = at; index < at + frameBytes; index += 2) sum += pcm.readInt16LE(index) ** 2;
    levels.push(Math.sqrt(sum / (frameBytes / 2)));
  }
  return levels;
}

/** What a tenth of the frames stays below. */
function noiseOf(levels: readonly number[]): number {
  const sorted = levels.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 10)] ?? 0;
}

function cutLong(levels: readonly number[], start: number, end: number): { start: number; end: number }[] {
  const parts: { start: number; end: number }[] = [];
  let from = start;
  while ((end - from) * frameMs > longestMs) {
    const until = from + longestMs / frameMs;
    let cut = until;
    for (let frame = until - searchMs / frameMs; frame < until; frame += 1) {
      if ((levels[frame] ?? 0) < (levels[cut] ?? 0)) cut = frame;
    }
    parts.push({ start: from, end: cut });
    from = cut + 1;
  }
  return [...parts, { start: from, end }];
}

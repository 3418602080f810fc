import { open } from 'node:fs/promises';
import { initSegment, videoTrack, mediaFragment, syncFlags, parameterSetBytes } from '@rapporteur/media-container';
import type { TrackRun, FrameDescription } from '@rapporteur/media-container';
import { readBytes } from '../fragments/fragment-file.ts';
import { writeSpans } from '../span-files.ts';
import { runFfmpeg } from '../run-ffmpeg.ts';

/** A frame that can be decoded alone. */
export interface KeyFrame {
  readonly path: string;
  readonly start: number;
  readonly size: number;
  /** Media time of the recording. */
  readonly atMs: number;
  /** The decoder configuration, where it differs from the recording's init segment. */
  readonly otherAvcC: Uint8Array | null;
}

const keptMost = 4;
/** Closer frames are too similar. */
const apartMs = 10_000;

/**
 * Keeps the frames with the most likely content: the more detail, the more bytes an encoder needs, and black needs
 * almost none. The selection depends on the fragments alone, not on the time of evaluation.
 */
export class PosterChoice {
  #best: KeyFrame[] = [];

  /** Largest first. */
  get best(): readonly KeyFrame[] {
    return this.#best;
  }

  consider(video: KeyFrame): void {
    const near = this.#best.filter(({ atMs }) => Math.abs(atMs - video.atMs) < apartMs);
    if (near.some(({ size }) => size >= video.size)) return;
    const others = this.#best.filter((one) => !near.includes(one));
    this.#best = [...others, video].sort((one, other) => other.size - one.size).slice(0, keptMost);
  }
}

/** The key frames of a fragment; its attempt begins at `offsetMs`. */
export function keyFramesIn(
  fragment: { readonly path: string; readonly run: TrackRun },
  { offsetMs, otherAvcC }: { readonly offsetMs: number; readonly otherAvcC: Uint8Array | null },
): KeyFrame[] {
  const { path, run } = fragment;
  const keys: KeyFrame[] = [];
  let start = run.dataAt;
  let ticks = run.startTicks;
  for (const { flags, size, ticks: lasting } of run.entries) {
    const atMs = offsetMs + (ticks * 1_000) / videoTrack.timescale;
    if (flags === syncFlags) keys.push({ path, start, size, atMs, otherAvcC });
    start += size;
    ticks += lasting;
  }
  return keys;
}

const deadlineMs = 10_000;
const widthMost = 1_280;
/** The size at which a frame is evaluated, in gray. */
const judged = { width: 32, height: 18 };
/** Standard deviation of its gray, of 255; black, blank and evenly coloured frames are far below. */
const spreadLeast = 8;

export interface PosterOptions {
  readonly video: FrameDescription;
  readonly ffmpegPath: string;
  readonly path: string;
  /** Called with the CPU time of every run. */
  onCpu(cpuMs: number): void;
}

/**
 * Writes a JPEG of the first of these frames with content.
 * @returns false when there is none
 * @throws Error when ffmpeg fails
 */
export async function makePoster(frames: readonly KeyFrame[], options: PosterOptions): Promise<boolean> {
  for (const video of frames) {
    const { jpeg, gray } = await decode(video, options);
    if (jpeg.length === 0 || spreadOf(gray) < spreadLeast) continue;
    await writeSpans(options.path, [{ bytes: jpeg }]);
    return true;
  }
  return false;
}

async function decode(key: KeyFrame, { video, ffmpegPath, onCpu }: PosterOptions) {
  const { outputs, cpuMs } = await runFfmpeg({
    ffmpegPath,
    deadlineMs,
    niceness: 0,
    input: Buffer.concat([
      initSegment({ video: video, audio: { channels: 1, preSkip: 0 } }),
      mediaFragment({
        sequence: 1,
        video: [{ timeUs: 0, key: true, bytes: await bytesOf(key) }],
        audio: [],
        endUs: 40_000,
      }),
    ]),
    outputs: 2,
    arguments: [
      ...'-threads 1 -f mp4 -i pipe:0 -filter_complex'.split(' '),
      `[0:v:0]split[one][two];[one]scale=w='min(${widthMost},iw)':h=-2:out_range=full,format=yuvj420p[large];` +
        `[two]scale=${judged.width}:${judged.height},format=gray[small]`,
      ...'-map [large] -frames:v 1 -c:v mjpeg -q:v 4 -threads 1 -flags:v +bitexact -f image2pipe pipe:3'.split(' '),
      ...'-map [small] -frames:v 1 -f rawvideo pipe:4'.split(' '),
    ],
  });
  onCpu(cpuMs);
  const [jpeg = Buffer.alloc(0), gray = Buffer.alloc(0)] = outputs;
  return { jpeg, gray };
}

async function bytesOf({ path, start, size, otherAvcC }: KeyFrame): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const bytes = await readBytes(file, start, size);
    return otherAvcC === null ? bytes : Buffer.concat([parameterSetBytes(otherAvcC), bytes]);
  } finally {
    await file.close();
  }
}

function spreadOf(gray: Uint8Array): number {
  if (gray.length === 0) return 0;
  const mean = gray.reduce((sum, value) => sum + value, 0) / gray.length;
  return Math.sqrt(gray.reduce((sum, value) => sum + (value - mean) ** 2, 0) / gray.length);
}

import { frameArea, readMarker } from './marker.ts';
import type { GrayFrame, MarkerReading, FrameArea } from './marker.ts';
import { runProgram } from '@rapporteur/process-identity';

export interface FrameReading extends MarkerReading {
  readonly timeMs: number;
  /** Mean brightness 0..255. */
  readonly brightness: number;
  /** Mean difference from the frame before, 0..255; 255 for the first. */
  readonly change: number;
}

export interface VideoReading {
  readonly width: number;
  readonly height: number;
  readonly frames: readonly FrameReading[];
  readonly errors: readonly string[];
}

export interface DecodeOptions {
  readonly ffmpegPath: string;
  readonly deadlineMs: number;
  /** More than one where the video moves: a frame is read where its marker is, first where the frame before had it. */
  readonly frameArea?: FrameArea | readonly FrameArea[];
}

const errorsKept = 20;
/** Sampling every so many pixels is enough to detect a black or frozen frame. */
const sampleStep = 37;

/** Decodes every frame of a file with its time. @param size of the file's video, in pixels */
export async function decodeVideo(
  path: string,
  size: { width: number; height: number },
  options: DecodeOptions,
): Promise<VideoReading> {
  const areas = [options.frameArea ?? frameArea(size.width, size.height)].flat();
  const readings: Omit<FrameReading, 'timeMs'>[] = [];
  const { times, errors } = await decodeFrames(path, size, {
    ...options,
    take: (pixels, previous) => readings.push({ ...readIn({ ...size, pixels }, areas), ...light(pixels, previous) }),
  });
  return { ...size, frames: readings.map((reading, index) => ({ ...reading, timeMs: times[index] ?? 0 })), errors };
}

/**
 * Passes on the luma of every frame of a file, and of the frame before it, which is null for the first.
 * @returns the time of each frame in ms, and the errors of the decoder
 */
export async function decodeFrames(
  path: string,
  size: { width: number; height: number },
  options: Pick<DecodeOptions, 'ffmpegPath' | 'deadlineMs'> & {
    take(pixels: Uint8Array, previous: Uint8Array | null): void;
  },
): Promise<{ times: readonly number[]; errors: readonly string[] }> {
  const frameBytes = size.width * size.height;
  const times: number[] = [];
  const errors: string[] = [];
  let count = 0;
  let previous: Uint8Array | null = null;
  let pending = Buffer.alloc(frameBytes);
  let filled = 0;
  const finish = (): void => {
    options.take(pending, previous);
    count += 1;
    [previous, pending] = [pending, Buffer.alloc(frameBytes)];
    filled = 0;
  };
  await runProgram({
    program: options.ffmpegPath,
    arguments: [
      ...'-nostdin -hide_banner -nostats -loglevel level+info -copyts -i'.split(' '),
      path,
      // Frames of another size than the file's are shown in that size.
      ...`-map 0:v:0 -fps_mode passthrough -vf showinfo=checksum=0,scale=${size.width}:${size.height}`.split(' '),
      ...'-enc_time_base -1'.split(' '),
      ...'-f rawvideo -pix_fmt gray pipe:1'.split(' '),
    ],
    deadlineMs: options.deadlineMs,
    onOutput: (bytes) => {
      for (let at = 0; at < bytes.length;) {
        const count = Math.min(bytes.length - at, frameBytes - filled);
        bytes.copy(pending, filled, at, at + count);
        filled += count;
        at += count;
        if (filled === frameBytes) finish();
      }
    },
    onErrorLine: (line) => {
      const time = /\bn: *\d+ pts: *-?\d+ +pts_time:(-?[\d.]+)/.exec(line);
      if (time) times.push(Number(time[1]) * 1_000);
      else if (/\[(error|fatal)\]/.test(line) && errors.length < errorsKept) errors.push(line);
    },
  });
  if (times.length !== count) {
    throw new Error(`${path}: ${count} frames were decoded but ${times.length} times read.`);
  }
  return { times, errors };
}

/** The area with the marker is tried first from then on. */
function readIn(frame: GrayFrame, areas: FrameArea[]): MarkerReading {
  const readings = areas.map((area) => readMarker(frame, area));
  const found = Math.max(
    0,
    readings.findIndex(({ counter }) => counter !== null),
  );
  areas.unshift(...areas.splice(found, 1));
  return readings[found] ?? { counter: null, participant: null, flash: false };
}

function light(pixels: Uint8Array, previous: Uint8Array | null): { brightness: number; change: number } {
  let sum = 0;
  let change = 0;
  let count = 0;
  for (let at = 0; at < pixels.length; at += sampleStep) {
    const level = pixels[at] ?? 0;
    sum += level;
    change += previous ? Math.abs(level - (previous[at] ?? 0)) : 255;
    count += 1;
  }
  return { brightness: sum / count, change: change / count };
}

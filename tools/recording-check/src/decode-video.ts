import { pictureArea, readMarker } from './marker.ts';
import type { MarkerReading, PictureArea } from './marker.ts';
import { runDecoder } from './run-decoder.ts';

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
  readonly pictureArea?: PictureArea;
}

const errorsKept = 20;
/** Every so many pixels is enough to see whether a picture is black or stands still. */
const sampleStep = 37;

/** Decodes every picture of a file with its time. @param size of the file's video, in pixels */
export async function decodeVideo(
  path: string,
  size: { width: number; height: number },
  options: DecodeOptions,
): Promise<VideoReading> {
  const area = options.pictureArea ?? pictureArea(size.width, size.height);
  const frameBytes = size.width * size.height;
  const times: number[] = [];
  const errors: string[] = [];
  const readings: Omit<FrameReading, 'timeMs'>[] = [];
  let previous: Uint8Array | null = null;
  let pending = Buffer.alloc(frameBytes);
  let filled = 0;
  const finish = (): void => {
    readings.push({
      ...readMarker({ ...size, pixels: pending }, area),
      ...light(pending, previous),
    });
    [previous, pending] = [pending, Buffer.alloc(frameBytes)];
    filled = 0;
  };
  await runDecoder({
    program: options.ffmpegPath,
    arguments: [
      ...'-nostdin -hide_banner -nostats -loglevel level+info -copyts -i'.split(' '),
      path,
      ...'-map 0:v:0 -fps_mode passthrough -vf showinfo=checksum=0 -enc_time_base -1'.split(' '),
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
    onLine: (line) => {
      const time = /\bn: *\d+ pts: *-?\d+ +pts_time:(-?[\d.]+)/.exec(line);
      if (time) times.push(Number(time[1]) * 1_000);
      else if (/\[(error|fatal)\]/.test(line) && errors.length < errorsKept) errors.push(line);
    },
  });
  if (times.length !== readings.length) {
    throw new Error(`${path}: ${readings.length} pictures were decoded but ${times.length} times read.`);
  }
  return { ...size, frames: readings.map((reading, index) => ({ ...reading, timeMs: times[index] ?? 0 })), errors };
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

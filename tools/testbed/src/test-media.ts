import { execFileSync } from 'node:child_process';

const ffmpegQuiet = ['-hide_banner', '-loglevel', 'error'];
const longestOutputBytes = 64 * 1024 * 1024;

export interface Colour {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

/** An image file of vertical bars of equal width, each in an ffmpeg colour: `red`, `0x00ff00`. */
export function barsImage(colours: readonly string[], format: 'png' | 'webp' | 'mjpeg', size = '320x180'): Buffer {
  const [width, height] = size.split('x').map(Number) as [number, number];
  const bars = colours.map((colour) => `color=${colour}:s=${Math.round(width / colours.length)}x${height}:d=1`);
  const inputs = bars.flatMap((bar) => ['-f', 'lavfi', '-i', bar]);
  const joined = colours.length === 1 ? [] : ['-filter_complex', `hstack=inputs=${colours.length}`];
  return ffmpeg([...inputs, ...joined, '-frames:v', '1', '-c:v', codecs[format], '-f', 'image2pipe', 'pipe:1']);
}

const codecs = { png: 'png', webp: 'libwebp', mjpeg: 'mjpeg' } as const;

/** The mean colours of an image's parts, row by row. */
export function meanColours(image: Buffer, columns: number, rows: number): Colour[] {
  const scaled = `scale=${columns}:${rows}:flags=area`;
  const raw = ffmpeg(
    ['-i', 'pipe:0', '-frames:v', '1', '-vf', scaled, '-pix_fmt', 'rgb24', '-f', 'rawvideo', 'pipe:1'],
    image,
  );
  return Array.from({ length: columns * rows }, (_, index) => {
    const [red = 0, green = 0, blue = 0] = raw.subarray(index * 3, index * 3 + 3);
    return { red, green, blue };
  });
}

/** Samples of a WAV file of 16 bit mono, -1..1. */
export function readWav(file: Buffer): Float64Array {
  // Data written to a pipe has no length in its header.
  const start = file.indexOf('data') + 8;
  const samples = Math.floor((file.length - start) / 2);
  return Float64Array.from({ length: samples }, (_, index) => file.readInt16LE(start + index * 2) / 32_768);
}

/** 16 bit mono of a sine, a third of full scale. */
export function tone(hertz: number, milliseconds: number, rateHz: number): Buffer {
  const pcm = Buffer.alloc(2 * Math.round((milliseconds * rateHz) / 1_000));
  for (let index = 0; index < pcm.length / 2; index += 1) {
    pcm.writeInt16LE(Math.round(11_000 * Math.sin((2 * Math.PI * hertz * index) / rateHz)), index * 2);
  }
  return pcm;
}

export interface MeasuredTone {
  readonly hertz: number;
  readonly startMs: number;
  readonly lengthMs: number;
  /** The longest silent gap inside it. */
  readonly longestGapMs: number;
}

const blockMs = 5;
const audible = 0.02;

/** The audio from the first loud moment to the last; null: none. */
export function measureTone(samples: Float64Array, rateHz = 48_000): MeasuredTone | null {
  const blockSamples = (rateHz * blockMs) / 1_000;
  const loud = Array.from({ length: Math.floor(samples.length / blockSamples) }, (_, block) =>
    samples.subarray(block * blockSamples, (block + 1) * blockSamples).some((sample) => Math.abs(sample) > audible),
  );
  const first = loud.indexOf(true);
  if (first < 0) return null;
  const last = loud.lastIndexOf(true);
  let gap = 0;
  let longestGap = 0;
  for (let block = first; block <= last; block += 1) {
    gap = loud[block] === true ? 0 : gap + 1;
    longestGap = Math.max(longestGap, gap);
  }
  return {
    hertz: pitchOf(samples.subarray(first * blockSamples, (last + 1) * blockSamples), rateHz),
    startMs: first * blockMs,
    lengthMs: (last + 1 - first) * blockMs,
    longestGapMs: longestGap * blockMs,
  };
}

/** From rise to rise, without the edges, where a codec rings. Inaudible rises do not count. */
function pitchOf(samples: Float64Array, rateHz: number): number {
  const edge = Math.round(rateHz * 0.05);
  const rises: number[] = [];
  let below = false;
  for (let index = edge; index < samples.length - edge; index += 1) {
    const sample = samples[index]!;
    if (below && sample > audible) rises.push(index);
    if (Math.abs(sample) > audible) below = sample < 0;
  }
  const [first = 0] = rises;
  return rises.length < 2 ? 0 : ((rises.length - 1) * rateHz) / (rises.at(-1)! - first);
}

function ffmpeg(arguments_: readonly string[], input?: Buffer): Buffer {
  return execFileSync('ffmpeg', [...ffmpegQuiet, ...arguments_], {
    maxBuffer: longestOutputBytes,
    ...(input === undefined ? {} : { input }),
  });
}

import { existsSync } from 'node:fs';
import { writeFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { runProgram } from '../programs.ts';
import { h264Loop, videoSizes, vp8Loop } from './video-loop.ts';
import type { LoopFrame, VideoLoop, VideoSize } from './video-loop.ts';
import { PACKET_MS } from './pcm.ts';

export const VIDEO = videoSizes.usual;

const NAME_HEIGHT = 80;
const BOLD_FONT = '/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf';
const VP8_OPTIONS = '-c:v libvpx -deadline realtime -cpu-used 16 -b:v 500k -lag-in-frames 0 -auto-alt-ref 0';
/** Constrained baseline, one slice per frame, parameter sets in front of every key frame and no SEI of the encoder. */
const H264_OPTIONS =
  '-c:v libx264 -profile:v baseline -preset superfast -tune zerolatency -b:v 500k -maxrate 1M -bufsize 500k -bf 0 -sc_threshold 0 -bsf:v filter_units=remove_types=6';
/** Intervals of key frames without a request, as from senders in calls, and of those for joining. */
const H264_KEY_SECONDS = 10;
const H264_ENTRY_SECONDS = 0.5;
const DRAW_DEADLINE_MS = 30_000;
const ENCODE_DEADLINE_MS = 600_000;

export type VideoPlan = {
  name: string;
  participantIndex: number;
  framesPerSecond: number;
  loopSeconds: number;
  /** Speech level (RMS, 0..1) per 20 ms: moves the bar in the frame. */
  levels: readonly number[];
  size: VideoSize;
};

/** Draws the whole loop and encodes it as VP8 in IVF, with a key frame at every second. */
export async function encodeVp8(plan: VideoPlan): Promise<Buffer> {
  const rate = plan.framesPerSecond;
  const ivf = await encode(plan, `${VP8_OPTIONS} -g ${rate} -keyint_min ${rate} -threads 1 -f ivf`);
  checkFrames(vp8Loop(ivf).frames, plan, rate);
  return ivf;
}

/** The same as H.264 with start codes: few key frames, and once more with many. */
export async function encodeH264(plan: VideoPlan): Promise<{ stream: Buffer; entryStream: Buffer }> {
  const distance = (seconds: number): number => Math.max(1, Math.round(plan.framesPerSecond * seconds));
  const withKeys = (every: number) =>
    encode(plan, `${H264_OPTIONS} -g ${every} -keyint_min ${every} -threads 1 -f h264`);
  const [every, entryEvery] = [distance(H264_KEY_SECONDS), distance(H264_ENTRY_SECONDS)];
  const [stream, entryStream] = [await withKeys(every), await withKeys(entryEvery)];
  const loop: VideoLoop = h264Loop(stream, entryStream);
  checkFrames(loop.frames, plan, every);
  checkFrames(loop.entries, plan, entryEvery);
  return { stream, entryStream };
}

async function encode(plan: VideoPlan, options: string): Promise<Buffer> {
  const { width, height } = videoSizes[plan.size];
  const scale = plan.size === 'usual' ? '' : `-vf scale=${width}:${height} `;
  const input = `-f rawvideo -pix_fmt yuv420p -s ${VIDEO.width}x${VIDEO.height} -r ${plan.framesPerSecond} -i pipe:0`;
  return await runProgram({
    program: 'ffmpeg',
    arguments: `-v error ${input} ${scale}${options} pipe:1`.split(' '),
    deadlineMs: ENCODE_DEADLINE_MS,
    input: drawFrames(plan, await drawNameBitmap(plan.name)),
  });
}

function* drawFrames(plan: VideoPlan, name: GrayBitmap): Generator<Buffer> {
  const video = createFrame(VIDEO.width, VIDEO.height, plan.participantIndex);
  drawName(video, name);
  for (let frameIndex = 0; frameIndex < plan.loopSeconds * plan.framesPerSecond; frameIndex += 1) {
    const place = Math.floor((frameIndex * 1000) / plan.framesPerSecond / PACKET_MS);
    const { framesPerSecond, participantIndex } = plan;
    drawMarkers(video, { frameIndex, framesPerSecond, participantIndex, level: (plan.levels[place] ?? 0) * 3 });
    yield video.planes;
  }
}

function checkFrames(frames: readonly LoopFrame[], plan: VideoPlan, keyEvery: number): void {
  if (frames.length !== plan.loopSeconds * plan.framesPerSecond) {
    throw new Error(`ffmpeg gave ${frames.length} frames instead of ${plan.loopSeconds * plan.framesPerSecond}.`);
  }
  for (let index = 0; index < frames.length; index += keyEvery) {
    if (frames[index]?.key !== true) throw new Error(`Frame ${index} should be a key frame.`);
  }
}

/** The name in white on black, in the largest letters that fit. */
async function drawNameBitmap(name: string): Promise<GrayBitmap> {
  const textFile = join(tmpdir(), `simulator-name-${randomUUID()}.txt`);
  await writeFile(textFile, name);
  const size = Math.max(16, Math.min(64, Math.floor((VIDEO.width * 1.45) / Math.max(1, name.length))));
  const font = existsSync(BOLD_FONT) ? `fontfile=${BOLD_FONT}` : 'font=Sans';
  const text = `${font}:textfile=${textFile}:expansion=none:fontcolor=white:fontsize=${size}`;
  try {
    const luma = await runProgram({
      program: 'ffmpeg',
      arguments: [
        ...`-v error -f lavfi -i color=c=black:s=${VIDEO.width}x${NAME_HEIGHT} -vf`.split(' '),
        `drawtext=${text}:x=(w-text_w)/2:y=(h-text_h)/2,format=gray`,
        ...'-frames:v 1 -f rawvideo pipe:1'.split(' '),
      ],
      deadlineMs: DRAW_DEADLINE_MS,
    });
    return { width: VIDEO.width, height: NAME_HEIGHT, luma: stretchToFullRange(luma) };
  } finally {
    await rm(textFile, { force: true });
  }
}

function stretchToFullRange(luma: Buffer): Buffer {
  const darkest = luma.reduce((least, value) => Math.min(least, value), 255);
  const brightest = luma.reduce((most, value) => Math.max(most, value), 1);
  const range = Math.max(1, brightest - darkest);
  return Buffer.from(luma.map((value) => Math.round(((value - darkest) * 255) / range)));
}

/** Limited-range luma: what a decoder shows as black and white. */
export const BLACK_LUMA = 16;
export const WHITE_LUMA = 235;

/** Counter strip geometry, as fractions of the frame's width and height. */
const STRIP = { left: 0.1, right: 0.9, top: 0.7, bottom: 0.76, cells: 24 } as const;
const FLASH = { left: 0.02, right: 0.12, top: 0.04, bottom: 0.2, lengthMs: 100 } as const;
const LEVEL_BAR = { left: 0.1, right: 0.9, top: 0.84, bottom: 0.92 } as const;
const NAME_TOP = 0.22;

type I420Frame = { width: number; height: number; planes: Buffer };
type GrayBitmap = { width: number; height: number; luma: Buffer };
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
function drawName(video: I420Frame, bitmap: GrayBitmap): void {
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

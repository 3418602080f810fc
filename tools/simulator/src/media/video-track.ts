import { existsSync } from 'node:fs';
import { writeFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { createFrame, drawMarkers, drawName } from './i420-frame.ts';
import type { GrayBitmap } from './i420-frame.ts';
import { h264Loop, videoSizes, vp8Loop } from './video-loop.ts';
import type { LoopFrame, VideoLoop, VideoSize } from './video-loop.ts';
import { PACKET_MS } from './pcm.ts';
import { runProgram } from '../programs.ts';

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

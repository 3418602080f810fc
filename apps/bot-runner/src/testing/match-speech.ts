import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Room } from './simulated-meetings.ts';

const rate = 48_000;
const stepMs = 10;
/** -46 dB, over 10 ms. */
const audibleRms = 0.005;
/** Each second begins with a beep, which is sent by a participant who need not speak. */
const beepMs = 100;
const beepNearMs = 60;
/** Speech of other participants this near may still be in the audio. */
const aloneMs = 400;

export interface SpeechMatch {
  readonly seconds: number;
  /**
   * Over the time in which only this participant speaks: share of the mix's audible steps that are audible in the
   * participant's own file too. Both inputs share the delays and losses of a busy machine.
   */
  readonly audibleShare: number;
  /** Audio, in seconds, more than `nearMs` away from this participant's speech. */
  readonly strangeSeconds: number;
  /** Median offset of sentence begins and ends against the schedule. */
  readonly beginsOffMs: number;
  readonly endsOffMs: number;
  /** Media time of the last audible step. */
  readonly lastAudibleMs: number;
  /** Media time of this participant's last speech before a moment, epoch ms. */
  lastSpeechBefore(epochMs: number): number;
}

/** Audio of a file as f32 mono. */
export async function decodeAudio(bytes: Buffer, folder: string): Promise<Float32Array> {
  const file = join(folder, `${crypto.randomUUID()}.media`);
  await writeFile(file, bytes);
  const decode = ['-v', 'error', '-i', file, '-ac', '1', '-ar', String(rate), '-f', 'f32le', '-'];
  const options = { encoding: 'buffer', maxBuffer: 256 * 1024 * 1024 } as const;
  const { stdout } = await promisify(execFile)('ffmpeg', decode, options);
  return new Float32Array(stdout.buffer, stdout.byteOffset, Math.floor(stdout.length / 4));
}

/** For each 10 ms: whether it is audible. */
function audibleSteps(samples: Float32Array): boolean[] {
  const length = (rate * stepMs) / 1_000;
  return Array.from({ length: Math.floor(samples.length / length) }, (_, index) => {
    const step = samples.subarray(index * length, (index + 1) * length);
    return Math.sqrt(step.reduce((sum, sample) => sum + sample * sample, 0) / length) >= audibleRms;
  });
}

export interface MatchOptions {
  readonly room: Room;
  readonly name: string;
  /** Epoch ms of media time zero. */
  readonly startedAtMs: number;
  readonly loopMs: number;
  /** Delay of the audio at the bot. */
  readonly delayMs: number;
  readonly nearMs: number;
  /** The mix of all participants. */
  readonly mix: Float32Array;
}

/** Compares the audio of a participant's own file with their speech in the room's schedule. */
export function matchSpeech(samples: Float32Array, options: MatchOptions): SpeechMatch {
  const { room, name, startedAtMs, loopMs, delayMs, nearMs } = options;
  const steps = audibleSteps(samples);
  const mixed = audibleSteps(options.mix);
  const own = room.schedule.filter((entry) => entry.name === name);
  const others = room.schedule.filter((entry) => entry.name !== name);
  const speaksAt = (mediaMs: number, nearMs: number, who = own): boolean => {
    const inLoop = (((startedAtMs + mediaMs - delayMs - room.clockZero) % loopMs) + loopMs) % loopMs;
    return who.some(({ startMs, endMs }) =>
      [-loopMs, 0, loopMs].some((by) => inLoop + by >= startMs - nearMs && inLoop + by < endMs + nearMs),
    );
  };
  let [spoken, audible, strange] = [0, 0, 0];
  steps.forEach((isAudible, index) => {
    const mediaMs = index * stepMs;
    if (mixed[index] === true && speaksAt(mediaMs, 0) && !speaksAt(mediaMs, aloneMs, others)) {
      spoken += 1;
      if (isAudible) audible += 1;
    }
    const inSecond = (((startedAtMs + mediaMs - delayMs - room.clockZero) % 1_000) + 1_000 + beepNearMs) % 1_000;
    if (isAudible && inSecond > beepMs + 2 * beepNearMs && !speaksAt(mediaMs, nearMs)) strange += 1;
  });
  return {
    seconds: samples.length / rate,
    audibleShare: audible / spoken,
    strangeSeconds: (strange * stepMs) / 1_000,
    ...edgesOff(steps, speaksAt),
    lastAudibleMs: steps.lastIndexOf(true) * stepMs,
    lastSpeechBefore: (epochMs) => {
      let mediaMs = Math.floor((epochMs - startedAtMs) / stepMs) * stepMs;
      while (mediaMs > 0 && !speaksAt(mediaMs, 0)) mediaMs -= stepMs;
      return mediaMs;
    },
  };
}

/** Finds the first and the last audio of each sentence within half a second. */
function edgesOff(steps: readonly boolean[], sayingAt: (mediaMs: number, nearMs: number) => boolean) {
  const begins: number[] = [];
  const ends: number[] = [];
  const nearest = (from: number, step: 1 | -1): number | null => {
    for (let away = -50; away <= 50; away += 1) if (steps[from + away * step] === true) return away * stepMs;
    return null;
  };
  for (let index = 60; index + 60 < steps.length; index += 1) {
    const [before, now] = [sayingAt((index - 1) * stepMs, 0), sayingAt(index * stepMs, 0)];
    if (!before && now) begins.push(nearest(index, 1) ?? Infinity);
    if (before && !now) ends.push(-(nearest(index - 1, -1) ?? Infinity));
  }
  return { beginsOffMs: median(begins), endsOffMs: median(ends) };
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
}

import { runProgram } from '@rapporteur/process-identity';
import { decodeVideo } from './decode-video.ts';
import { findProblems } from './find-problems.ts';
import type { Expectations } from './find-problems.ts';
import { judgeFrames, roomAtZero } from './judge-frames.ts';
import { findSilences, judgeBeats, judgeOffset } from './judge-audio.ts';
import type { FrameArea } from './marker.ts';
import { probe } from './probe.ts';
import type { RecordingReport } from './recording-report.ts';

export interface CheckOptions {
  readonly ffmpegPath?: string;
  readonly ffprobePath?: string;
  readonly deadlineMs?: number;
  /**
   * The area of the room's video in the frame, in pixels; omitted: the largest 16:9 area in the middle. More than one
   * where it moves.
   */
  readonly frameArea?: FrameArea | readonly FrameArea[];
}

/**
 * Decodes a whole recording of a simulated room and checks its video and audio.
 * @returns the findings, and in `problems` one sentence for each deviation; empty: passed
 * @throws Error when the file cannot be opened at all
 */
export async function checkRecording(
  path: string,
  expectations: Expectations = {},
  options: CheckOptions = {},
): Promise<{ report: RecordingReport; problems: string[] }> {
  const ffmpegPath = options.ffmpegPath ?? 'ffmpeg';
  const deadlineMs = options.deadlineMs ?? 600_000;
  const file = await probe(path, options.ffprobePath ?? 'ffprobe', deadlineMs);
  const { frameArea } = options;
  const [video, audio] = await Promise.all([
    file.video && decodeVideo(path, file.video, { ffmpegPath, deadlineMs, ...(frameArea ? { frameArea } : {}) }),
    file.audio && decodeAudio(path, ffmpegPath, deadlineMs),
  ]);
  const clock = {
    framesPerSecond: expectations.framesPerSecond ?? 25,
    loopSeconds: expectations.loopSeconds ?? 60,
  };
  const { roomEndsAtMs = file.durationMs } = expectations;
  const endsAtMs =
    typeof roomEndsAtMs === 'number' ? roomEndsAtMs : roomEndsAtMs(roomAtZero(video?.frames ?? [], clock) ?? 0);
  const videoFacts = video ? judgeFrames(video.frames, file.durationMs, { ...clock, endsAtMs }) : null;
  const beepsMs = audio ? findBeeps(audio.samples, checkedRate) : [];
  const beatsUntilMs = Math.min(file.durationMs, endsAtMs);
  const audioMs = audio ? Math.round((audio.samples.length / checkedRate) * 1_000) : 0;
  const report: RecordingReport = {
    path,
    file,
    video: videoFacts,
    flashes: videoFacts ? judgeBeats(videoFacts.flashesMs, beatsUntilMs) : null,
    beeps: audio ? judgeBeats(beepsMs, Math.min(audioMs, beatsUntilMs)) : null,
    beepsMs,
    offset: judgeOffset(videoFacts?.flashesMs ?? [], beepsMs),
    silences: audio ? findSilences(audio.samples, checkedRate, expectations.silenceMs ?? 1_000) : [],
    audioMs,
    decodeErrors: [...(video?.errors ?? []), ...(audio?.errors ?? [])],
  };
  return { report, problems: findProblems(report, expectations) };
}

const checkedRate = 16_000;

interface AudioReading {
  /** Mono at 16 kHz; the first sample is at the file's time zero. */
  readonly samples: Float32Array;
  readonly errors: readonly string[];
}

/** Decodes the first audio track of a file, silence where it has none. */
async function decodeAudio(path: string, ffmpegPath: string, deadlineMs: number): Promise<AudioReading> {
  const parts: Buffer[] = [];
  const errors: string[] = [];
  await runProgram({
    program: ffmpegPath,
    arguments: [
      ...'-nostdin -hide_banner -nostats -loglevel level+warning -copyts -i'.split(' '),
      path,
      ...`-map 0:a:0 -af aresample=${checkedRate}:async=1:first_pts=0 -ac 1 -f f32le pipe:1`.split(' '),
    ],
    deadlineMs,
    onOutput: (bytes) => parts.push(bytes),
    onErrorLine: (line) => {
      if (/\[(error|fatal)\]/.test(line)) errors.push(line);
    },
  });
  const bytes = Buffer.concat(parts);
  const samples = new Float32Array(Math.floor(bytes.length / 4));
  for (let index = 0; index < samples.length; index += 1) samples[index] = bytes.readFloatLE(index * 4);
  return { samples, errors };
}

/** Finds the room's beeps (1000 Hz, 60 ms) among speech. */

const toneHz = 1_000;
const windowMs = 10;
const hopMs = 1;
const beepMs = 60;
const shortestMs = 40;
const longestMs = 90;
const quietest = 0.03;
/** Minimum share of the tone in the audio's power; speech rarely exceeds it. */
const purest = 0.4;

/** Times in ms at which beeps begin. @param samples mono */
function findBeeps(samples: Float32Array, sampleRate: number): number[] {
  const tone = toneEnvelope(samples, sampleRate);
  const beeps: number[] = [];
  for (let at = 0; at < tone.level.length; at += 1) {
    if ((tone.level[at] ?? 0) < quietest) continue;
    const rough = edge(tone.level, at, plateau(tone.level, at) / 2);
    const level = rough === null ? 0 : plateau(tone.level, rough);
    const begin = rough === null ? null : edge(tone.level, rough, level / 2);
    if (begin === null || level < quietest) continue;
    let end = begin;
    while ((tone.level[end] ?? 0) >= level / 2) end += 1;
    const lengthMs = (end - begin) * hopMs;
    const purity = mean(tone.purity, begin + windowMs, end - windowMs);
    if (lengthMs < shortestMs || lengthMs > longestMs || purity < purest) continue;
    beeps.push(begin * hopMs);
    at = end;
  }
  return beeps;
}

/** Level of the tone in the middle of a beep that begins at a step. */
function plateau(level: Float32Array, begin: number): number {
  return mean(level, begin + windowMs, begin + beepMs - windowMs);
}

/** First step at or after `from` where the level crosses `half` upwards, within one window's length. */
function edge(level: Float32Array, from: number, half: number): number | null {
  for (let at = from; at < from + windowMs * 2 && at < level.length; at += 1) {
    if ((level[at] ?? 0) >= half) return at;
  }
  return null;
}

/** Level of the tone, and its share of the power, in windows centred on every hop (Goertzel's algorithm). */
function toneEnvelope(samples: Float32Array, sampleRate: number): { level: Float32Array; purity: Float32Array } {
  const hop = (sampleRate * hopMs) / 1_000;
  const window = (sampleRate * windowMs) / 1_000;
  const count = Math.max(0, Math.floor(samples.length / hop));
  const level = new Float32Array(count);
  const purity = new Float32Array(count);
  const coefficient = 2 * Math.cos((2 * Math.PI * toneHz) / sampleRate);
  for (let index = 0; index < count; index += 1) {
    const start = index * hop - window / 2;
    let one = 0;
    let two = 0;
    let power = 0;
    for (let at = 0; at < window; at += 1) {
      const sample = samples[start + at] ?? 0;
      const next = sample + coefficient * one - two;
      two = one;
      one = next;
      power += sample * sample;
    }
    const tonePower = one * one + two * two - coefficient * one * two;
    const amplitude = (2 * Math.sqrt(Math.max(0, tonePower))) / window;
    level[index] = amplitude;
    purity[index] = power > 0 ? (amplitude * amplitude * window) / 2 / power : 0;
  }
  return { level, purity };
}

function mean(values: Float32Array, from: number, to: number): number {
  let sum = 0;
  let count = 0;
  for (let at = Math.max(0, Math.round(from)); at < Math.min(values.length, to); at += 1) {
    sum += values[at] ?? 0;
    count += 1;
  }
  return count > 0 ? sum / count : 0;
}

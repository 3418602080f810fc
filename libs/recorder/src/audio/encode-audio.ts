import { setTimeout as sleep } from 'node:timers/promises';
import {
  initSegment,
  mediaFragment,
  splitAdts,
  splitFlac,
  contextFrames,
  decoderLeadSamples,
  fragmentFrames,
  frameSamples,
  jointFrames,
  audioRate,
} from '@rapporteur/media-container';
import type { EncodedAudio } from '@rapporteur/media-container';
import { runFfmpeg } from '../run-ffmpeg.ts';

/** One Opus packet. Times are in samples of the attempt. */
export interface AudioPacket {
  /** Position of its first decoded sample. */
  readonly start: number;
  readonly samples: number;
  readonly bytes: Uint8Array;
}

/** Frames of an attempt's audio. */
export interface AudioSpan {
  readonly firstFrame: number;
  /** End of the FLAC; the AAC ends with the frame that contains it. */
  readonly endSample: number;
}

export interface AudioEncoderOptions {
  readonly ffmpegPath: string;
  readonly deadlineMs: number;
  readonly niceness: number;
  /** Called with the CPU time of every run. */
  onCpu?(cpuMs: number): void;
}

const aacBitsPerSecond = 96_000;
/** ffmpeg's AAC encoder gives one frame before the first with audio. */
const aacLeadFrames = 1;
/** Smaller holes are rounding; packets are 20 ms. */
const holeSeconds = 0.01;

/** A run that can wait gets its input over about half of a fragment's length: see `paced`. */
const pacedChunks = 40;
const pacedEveryMs = 250;

/** The last frame of a span, plus one. */
export function endFrameOf(span: AudioSpan): number {
  return Math.ceil(span.endSample / frameSamples);
}

/**
 * Decodes the packets, places each at its position, with silence where there is none, and encodes the span to AAC and
 * FLAC in one run of ffmpeg. A pure function: audio outside the span and its context makes no difference.
 * @throws Error when ffmpeg fails or exceeds the deadline, which is for a fragment's length
 */
export async function encodeAudio(
  packets: readonly AudioPacket[],
  span: AudioSpan,
  options: AudioEncoderOptions,
): Promise<EncodedAudio> {
  const { input, filters } = prepare(packets, span);
  const fragments = Math.ceil((endFrameOf(span) - span.firstFrame) / fragmentFrames);
  const { outputs, cpuMs } = await runFfmpeg({
    ...options,
    deadlineMs: options.deadlineMs * fragments,
    inputs: input.bytes === null ? [] : [paced(input.bytes, options)],
    outputs: 2,
    arguments: [...input.arguments, '-filter_complex', filters, ...encoders],
  });
  options.onCpu?.(cpuMs);
  const [aac = Buffer.alloc(0), flac = Buffer.alloc(0)] = outputs;
  return cutOut(span, splitAdts(aac), splitFlac(flac));
}

function prepare(packets: readonly AudioPacket[], span: AudioSpan) {
  const { firstFrame, endSample } = span;
  const beginSample = (firstFrame - contextFrames) * frameSamples;
  const stopSample = (endFrameOf(span) + contextFrames) * frameSamples;
  // Decoding begins a little before, on a frame of its own, so that no time is below zero.
  const zeroSample = beginSample - 6 * frameSamples;
  // The packet before a hole lasts until the next one: it may begin long before.
  const used = packets.filter(
    ({ start, samples }) =>
      start + samples > beginSample - decoderLeadSamples && start >= zeroSample && start < stopSample,
  );
  const flacStart = firstFrame * frameSamples - zeroSample;
  return {
    input: used.length === 0 ? silentInput : opusInput(used, zeroSample),
    filters:
      `[0:a:0]aresample=${audioRate}:async=1:first_pts=0:min_hard_comp=${holeSeconds},aformat=channel_layouts=mono,` +
      `apad=whole_len=${stopSample - zeroSample},asplit=2[one][two];` +
      `[one]atrim=start_sample=${beginSample - zeroSample}:end_sample=${stopSample - zeroSample},asetpts=N/SR/TB[aac];` +
      `[two]atrim=start_sample=${flacStart}:end_sample=${endSample - zeroSample},asetpts=N/SR/TB[flac]`,
  };
}

const encoders: readonly string[] = (
  `-map [aac] -c:a aac -aac_coder fast -b:a ${aacBitsPerSecond} -flags:a +bitexact -threads 1 -f adts pipe:3 ` +
  `-map [flac] -c:a flac -compression_level 5 -frame_size ${frameSamples} -sample_fmt s16 -flags:a +bitexact ` +
  '-threads 1 -f flac pipe:4'
).split(' ');

/**
 * Slowly while the run is nice: at full speed it uses up the CPU quota of the whole bot for seconds, in which the
 * meeting's audio is lost.
 */
async function* paced(bytes: Uint8Array, options: Pick<AudioEncoderOptions, 'niceness'>): AsyncGenerator<Uint8Array> {
  const length = Math.ceil(bytes.length / pacedChunks);
  for (let at = 0; at < bytes.length; at += length) {
    yield bytes.subarray(at, at + length);
    if (options.niceness > 0) await sleep(pacedEveryMs);
  }
}

function cutOut(span: AudioSpan, aac: readonly Buffer[], flac: readonly Buffer[]): EncodedAudio {
  const { firstFrame } = span;
  const endFrame = endFrameOf(span);
  if (flac.length !== endFrame - firstFrame)
    throw new Error(`ffmpeg encoded ${flac.length} FLAC frames of ${span.endSample} samples.`);
  const firstEncoded = firstFrame - contextFrames - aacLeadFrames;
  const firstAacFrame = firstFrame - jointFrames;
  const wanted = aac.slice(firstAacFrame - firstEncoded, endFrame + jointFrames - firstEncoded);
  if (wanted.length !== endFrame - firstFrame + 2 * jointFrames)
    throw new Error(`ffmpeg encoded only ${aac.length} AAC frames.`);
  return { firstFrame, flac, aac: wanted, firstAacFrame };
}

interface Input {
  /** Null: the arguments are the input. */
  readonly bytes: Uint8Array | null;
  readonly arguments: readonly string[];
}

const silentInput: Input = {
  bytes: null,
  arguments: ['-f', 'lavfi', '-i', `anullsrc=r=${audioRate}:cl=mono,atrim=end_sample=${frameSamples}`],
};

function opusInput(packets: readonly AudioPacket[], zeroSample: number): Input {
  const timeUs = (sample: number): number => ((sample - zeroSample) * 1_000_000) / audioRate;
  const audio = packets.map(({ start, samples, bytes }) => ({
    timeUs: timeUs(start),
    durationUs: (samples * 1_000_000) / audioRate,
    bytes,
  }));
  return {
    bytes: Buffer.concat([
      initSegment({ audio: { channels: 1, preSkip: 0 } }),
      mediaFragment({ sequence: 1, video: [], audio, endUs: 0 }),
    ]),
    arguments: ['-copyts', '-f', 'mp4', '-i', 'pipe:5'],
  };
}

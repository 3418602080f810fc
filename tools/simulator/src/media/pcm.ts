import { endianness } from 'node:os';

/** Everything that is sent is 48 kHz mono in 20 ms packets. */
export const SAMPLE_RATE_HZ = 48_000;
export const PACKET_SAMPLES = 960;
export const PACKET_MS = 20;

const SPEECH_RMS = 10 ** (-18 / 20);
const LIMIT = 0.95;
const BEEP = { frequencyHz: 1000, lengthMs: 60, amplitude: 10 ** (-6 / 20) } as const;
/** Longest beep ramp that does not smear the beep's start. */
const BEEP_RAMP_SAMPLES = 48;
const FILTER_HALF_WIDTH = 12;
/**
 * Local copies: in a test's context each access to a global costs more than the arithmetic, and these run for every
 * sample.
 */
const { PI, cos, floor, max, min, round, sin } = Math;

/** 16-bit little-endian PCM to -1..1. */
export function decodePcm16(bytes: Buffer): Float32Array {
  const samples = new Float32Array(bytes.length >> 1);
  for (let index = 0; index < samples.length; index += 1) samples[index] = bytes.readInt16LE(index * 2) / 32_768;
  return samples;
}

/** -1..1 to 16-bit little-endian PCM, clipped. */
export function encodePcm16(samples: Float32Array): Buffer {
  const values = new Int16Array(samples.length);
  for (let index = 0; index < samples.length; index += 1) {
    values[index] = round(max(-1, min(1, samples[index] ?? 0)) * 32_767);
  }
  const bytes = Buffer.from(values.buffer);
  return endianness() === 'LE' ? bytes : bytes.swap16();
}

/** Windowed-sinc interpolation to 48 kHz; for whole rates below 48 kHz only. */
export function resampleTo48k(samples: Float32Array, rateHz: number): Float32Array {
  const rate = round(rateHz);
  const output = new Float32Array(floor((samples.length * SAMPLE_RATE_HZ) / rate));
  const weightsAt = new Map<number, Float64Array>();
  for (let index = 0; index < output.length; index += 1) {
    const phase = (index * rate) % SAMPLE_RATE_HZ;
    const first = (index * rate - phase) / SAMPLE_RATE_HZ - FILTER_HALF_WIDTH + 1;
    let weights = weightsAt.get(phase);
    if (weights === undefined) weightsAt.set(phase, (weights = weightsOf(phase / SAMPLE_RATE_HZ)));
    let sum = 0;
    for (let tap = 0; tap < 2 * FILTER_HALF_WIDTH; tap += 1) sum += (samples[first + tap] ?? 0) * (weights[tap] ?? 0);
    output[index] = sum;
  }
  return output;
}

/** For a position this fraction of a sample after one: weights of the samples around it, in order. */
function weightsOf(fraction: number): Float64Array {
  return Float64Array.from({ length: 2 * FILTER_HALF_WIDTH }, (_, tap) =>
    windowedSinc(fraction - (tap - FILTER_HALF_WIDTH + 1)),
  );
}

function windowedSinc(distance: number): number {
  if (distance === 0) return 1;
  const angle = PI * distance;
  return (sin(angle) / angle) * (0.5 + 0.5 * cos(angle / FILTER_HALF_WIDTH));
}

/** Brings the louder half of the speech to -18 dBFS RMS, so that pauses inside do not count. */
export function levelSpeech(samples: Float32Array): Float32Array {
  const loud = packetLevels(samples).filter((level) => level > 0.003);
  if (loud.length === 0) return samples;
  const power = loud.reduce((sum, level) => sum + level * level, 0) / loud.length;
  const gain = SPEECH_RMS / Math.sqrt(power);
  return samples.map((sample) => max(-LIMIT, min(LIMIT, sample * gain)));
}

/** RMS (0..1) of each 20 ms packet. */
export function packetLevels(samples: Float32Array): number[] {
  return Array.from({ length: Math.ceil(samples.length / PACKET_SAMPLES) }, (_, packet) => {
    const part = samples.subarray(packet * PACKET_SAMPLES, (packet + 1) * PACKET_SAMPLES);
    let power = 0;
    for (const sample of part) power += sample * sample;
    return Math.sqrt(power / PACKET_SAMPLES);
  });
}

/** RMS in the form of the ssrc-audio-level header extension: 0 (loudest) to 127 (silence), in -dBov. */
export function audioLevelDbov(level: number): number {
  if (level <= 0) return 127;
  return max(0, min(127, round(-20 * Math.log10(level))));
}

/** Adds `part` to `target` from `startMs` on, wrapping at the end of the loop. */
export function mixInto(target: Float32Array, part: Float32Array, startMs: number): void {
  const start = round((startMs * SAMPLE_RATE_HZ) / 1000);
  for (let index = 0; index < part.length; index += 1) {
    const place = (start + index) % target.length;
    target[place] = max(-1, min(1, (target[place] ?? 0) + (part[index] ?? 0)));
  }
}

/** The 1000 Hz, 60 ms, -6 dBFS beep that marks a whole second. */
export function createBeep(): Float32Array {
  const length = (BEEP.lengthMs * SAMPLE_RATE_HZ) / 1000;
  return Float32Array.from({ length }, (_, index) => {
    const ramp = min(1, (index + 1) / BEEP_RAMP_SAMPLES, (length - index) / BEEP_RAMP_SAMPLES);
    return sin((2 * PI * BEEP.frequencyHz * index) / SAMPLE_RATE_HZ) * BEEP.amplitude * ramp;
  });
}

/** Rotates the loop so that it begins `samples` later: undoes the encoder's fixed delay. */
export function rotate(loop: Float32Array, samples: number): Float32Array {
  const rotated = new Float32Array(loop.length);
  rotated.set(loop.subarray(samples), 0);
  rotated.set(loop.subarray(0, samples), loop.length - samples);
  return rotated;
}

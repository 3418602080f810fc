import type { ScheduledSentence } from '../participants/schedule.ts';
import type { SpeechTruth, TruthWord } from './speech-truth.ts';

/** One bin of an envelope. */
export const binMs = 40;
export const speechRateHz = 16_000;
const samplesPerBin = (speechRateHz * binMs) / 1_000;
/** About -46 dB. */
const audibleRms = 160;
const beepHz = 1_000;
const angles = Array.from({ length: samplesPerBin }, (_, index) => (2 * Math.PI * beepHz * index) / speechRateHz);
const sines = angles.map(Math.sin);
const cosines = angles.map(Math.cos);
/** Minimum share of a bin's energy at the beep's pitch for a beep. */
const beepShare = 0.6;
/** Below this the audio is not of the room. */
const leastScore = 0.6;
/** Minimum share of a word's bins with audio. */
const leastAudible = 0.3;
const longestAlignedBins = 120_000 / binMs;

/** The repeated speech of a room. */
export interface RoomSpeech {
  readonly loopMs: number;
  readonly schedule: readonly ScheduledSentence[];
}

/** For each bin of 16 kHz PCM: whether it has speech. The beeps of the simulated participants are no speech. */
export function envelopeOf(pcm: Buffer): boolean[] {
  return Array.from({ length: Math.floor(pcm.byteLength / 2 / samplesPerBin) }, (_, bin) => {
    let energy = 0;
    let [sine, cosine] = [0, 0];
    for (let index = 0; index < samplesPerBin; index += 1) {
      const sample = pcm.readInt16LE((bin * samplesPerBin + index) * 2);
      energy += sample * sample;
      sine += sample * (sines[index] ?? 0);
      cosine += sample * (cosines[index] ?? 0);
    }
    const rms = Math.sqrt(energy / samplesPerBin);
    const beepEnergy = (2 * (sine * sine + cosine * cosine)) / samplesPerBin;
    return rms >= audibleRms && beepEnergy < beepShare * energy;
  });
}

export interface Alignment {
  readonly speech: RoomSpeech;
  /** Loop time of the envelope's first bin. */
  readonly offsetMs: number;
  /** -1 to 1. */
  readonly score: number;
}

/** The loop of this audio and the position in it; null: none. */
export function alignEnvelope(envelope: readonly boolean[], rooms: readonly RoomSpeech[]): Alignment | null {
  const bins = envelope.slice(0, longestAlignedBins);
  if (!bins.includes(true)) return null;
  let best: Alignment | null = null;
  for (const speech of rooms) {
    const expected = expectedOf(speech);
    for (let offset = 0; offset < expected.length; offset += 1) {
      const score = scoreAt(bins, expected, offset);
      if (score > (best?.score ?? leastScore)) best = { speech, offsetMs: offset * binMs, score };
    }
  }
  return best;
}

function expectedOf({ loopMs, schedule }: RoomSpeech): boolean[] {
  const bins = Array.from({ length: Math.round(loopMs / binMs) }, () => false);
  for (const { words } of schedule) {
    for (const { startMs, endMs } of words) {
      for (let bin = Math.floor(startMs / binMs); bin * binMs < endMs; bin += 1) bins[bin % bins.length] = true;
    }
  }
  return bins;
}

function scoreAt(bins: readonly boolean[], expected: readonly boolean[], offset: number): number {
  let matches = 0;
  for (let bin = 0; bin < bins.length; bin += 1) {
    if (bins[bin] === expected[(bin + offset) % expected.length]) matches += 1;
  }
  return (2 * matches) / bins.length - 1;
}

/** The words of a room in an aligned envelope; times from the envelope's beginning. */
export function audibleWords(envelope: readonly boolean[], { speech, offsetMs }: Alignment): TruthWord[] {
  const durationMs = envelope.length * binMs;
  const words: TruthWord[] = [];
  for (let round = 0; round * speech.loopMs - offsetMs < durationMs; round += 1) {
    const shift = round * speech.loopMs - offsetMs;
    for (const { participantIndex, voice, language, words: said } of speech.schedule) {
      const speaker = `${participantIndex}/${voice}`;
      const spoken = language === undefined ? {} : { language };
      for (const { word, startMs, endMs } of said) {
        const placed = { text: word, startMs: startMs + shift, endMs: endMs + shift, speaker, ...spoken };
        if (placed.startMs >= 0 && placed.endMs <= durationMs && isAudible(envelope, placed)) words.push(placed);
      }
    }
  }
  return words.toSorted((one, other) => one.startMs - other.startMs);
}

function isAudible(envelope: readonly boolean[], { startMs, endMs }: TruthWord): boolean {
  const bins = envelope.slice(Math.floor(startMs / binMs), Math.ceil(endMs / binMs));
  return bins.filter(Boolean).length >= leastAudible * bins.length;
}

/** The words in 16 kHz PCM of a room; null: of no room. */
export function recognizeSpeech(pcm: Buffer, rooms: readonly RoomSpeech[]): SpeechTruth | null {
  const envelope = envelopeOf(pcm);
  const durationMs = Math.round((pcm.byteLength * 1_000) / (speechRateHz * 2));
  // Audio of a silent participant.
  if (!envelope.includes(true) && durationMs > 0) return { durationMs, words: [] };
  const found = alignEnvelope(envelope, rooms);
  return found === null ? null : { durationMs, words: audibleWords(envelope, found) };
}

import { createHash, randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodePcm16, encodePcm16, levelSpeech, resampleTo48k, SAMPLE_RATE_HZ } from '../media/pcm.ts';
import type { MediaCache } from '../media/media-cache.ts';
import { runProgram } from '../programs.ts';
import type { Voice } from './default-participants.ts';
import { alignWords, parsePhonesOfWords, parseSegments, PAUSE_PHONE } from './word-alignment.ts';
import type { SpokenWord } from './word-alignment.ts';

/** One spoken sentence: audio from the first word's start to the last word's end, words timed from that start. */
export type Utterance = { key: string; words: SpokenWord[]; durationMs: number };

const FORMAT_VERSION = 1;
const FLITE_RATE_HZ = 16_000;
const FLITE_DEADLINE_MS = 30_000;
const WAV_HEADER_BYTES = 44;

/**
 * Synthesizes a sentence with flite and stores audio and word times in the cache. The times are flite's own segment
 * times, so transcripts can be compared with them.
 */
export async function speak(cache: MediaCache, voice: Voice, sentence: string): Promise<Utterance> {
  const key = createHash('sha256')
    .update(JSON.stringify([FORMAT_VERSION, voice.flite, voice.pitch, sentence]))
    .digest('hex')
    .slice(0, 32);
  const known = await cache.read(`${key}.words.json`);
  if (known !== null) return JSON.parse(known.toString()) as Utterance;
  const [words, spoken] = await Promise.all([readWords(sentence), synthesise(voice, sentence)]);
  const aligned = alignWords(words, await phonesOfWords(words), spoken.segments);
  const scale = 1 / voice.pitch;
  const startMs = spoken.startMs * scale;
  const samples = cut(resampleTo48k(spoken.samples, FLITE_RATE_HZ * voice.pitch), startMs, spoken.endMs * scale);
  const utterance: Utterance = {
    key,
    durationMs: Math.round((samples.length * 1000) / SAMPLE_RATE_HZ),
    words: aligned.map((word) => ({
      word: word.word,
      startMs: Math.max(0, Math.round(word.startMs * scale - startMs)),
      endMs: Math.round(word.endMs * scale - startMs),
    })),
  };
  await cache.write(`${key}.pcm`, encodePcm16(levelSpeech(samples)));
  await cache.write(`${key}.words.json`, Buffer.from(JSON.stringify(utterance)));
  return utterance;
}

/** The 48 kHz audio of an utterance that `speak` gave. */
export async function readUtteranceAudio(cache: MediaCache, utterance: Utterance): Promise<Float32Array> {
  const bytes = await cache.read(`${utterance.key}.pcm`);
  if (bytes === null) throw new Error('The cached speech is gone while it was needed. Start the room again.');
  return decodePcm16(bytes);
}

async function synthesise(voice: Voice, sentence: string) {
  const { printed, wav } = await synthesiseWav(voice, sentence);
  const segments = parseSegments(printed);
  const audible = segments.filter((segment) => segment.phone !== PAUSE_PHONE);
  const first = audible[0];
  const last = audible.at(-1);
  if (first === undefined || last === undefined) throw new Error(`The sentence "${sentence}" has nothing to speak.`);
  return { segments, samples: decodePcm16(wav.subarray(WAV_HEADER_BYTES)), startMs: first.startMs, endMs: last.endMs };
}

/**
 * The audio and the times of its segments. flite seeks back to write the header's length, so it needs a real file: an
 * unlinked one, which is deleted with this process.
 */
async function synthesiseWav(voice: Voice, sentence: string): Promise<{ printed: string; wav: Buffer }> {
  const path = join(tmpdir(), `simulator-speech-${randomUUID()}.wav`);
  await using file = await open(path, 'wx+', 0o600);
  await rm(path);
  const printed = (await flite(voice.flite, ['-psdur'], sentence, `/proc/${process.pid}/fd/${file.fd}`)).toString();
  return { printed, wav: await file.readFile() };
}

/** The words as flite pronounces them: numbers spelled, punctuation gone, lower case. */
async function readWords(sentence: string): Promise<string[]> {
  const output = await flite('kal16', ['-pw'], sentence, 'none');
  return output.toString().trim().split(/\s+/);
}

async function phonesOfWords(words: readonly string[]): Promise<string[][]> {
  const together = parsePhonesOfWords((await flite('kal16', ['-ps'], `${words.join(', ')},`, 'none')).toString());
  if (together.length === words.length) return together;
  const apart: string[][] = [];
  for (const word of words) {
    apart.push(parsePhonesOfWords((await flite('kal16', ['-ps'], ` ${word} `, 'none')).toString()).flat());
  }
  return apart;
}

async function flite(voice: string, options: string[], text: string, output: string): Promise<Buffer> {
  return runProgram({
    program: 'flite',
    arguments: ['-voice', voice, ...options, '-t', text, '-o', output],
    deadlineMs: FLITE_DEADLINE_MS,
  });
}

function cut(samples: Float32Array, startMs: number, endMs: number): Float32Array {
  return samples.subarray(
    Math.round((startMs * SAMPLE_RATE_HZ) / 1000),
    Math.min(samples.length, Math.round((endMs * SAMPLE_RATE_HZ) / 1000)),
  );
}

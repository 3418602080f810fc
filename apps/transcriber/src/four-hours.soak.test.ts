import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { SpeechTruth } from '@rapporteur/simulator/speech-providers';
import {
  newRequest,
  putObject,
  startSurroundings,
  startTranscriberUnderTest,
} from './testing/transcriber-under-test.ts';
import type { Surroundings } from './testing/transcriber-under-test.ts';

// Encoding and decoding four hours of audio for each provider takes minutes.

const hours = 4;
const rateHz = 8_000;
const periodMs = 20_000;
const firstMs = 10_000;
const toneMs = 300;
const count = (hours * 3_600_000) / periodMs;
const base = 32;

/** Two tones for each word: the digits of its number. */
const frequencyOf = (digit: number): number => 500 + 50 * digit;
const wordOf = (number: number): string => `word${number}`;
const startOf = (number: number): number => firstMs + number * periodMs;

function ffmpeg(words: readonly string[], input?: Buffer): Buffer {
  const made = spawnSync('ffmpeg', ['-v', 'error', ...words, '-'], { input, maxBuffer: 1_000_000_000 });
  if (made.status !== 0) throw new Error(String(made.stderr));
  return made.stdout;
}

/** With noise, so that it has the size of a recording. */
function fourHours(): Buffer {
  const number = `floor((t-${firstMs / 1_000})/${periodMs / 1_000})`;
  const within = `mod(t-${firstMs / 1_000},${periodMs / 1_000})`;
  const tone = (digit: string, fromMs: number) =>
    `0.5*sin(2*PI*(500+50*${digit})*t)*between(${within},${fromMs / 1_000},${(fromMs + toneMs) / 1_000})*gte(t,${firstMs / 1_000})`;
  const audio = `${tone(`mod(${number},${base})`, 0)}+${tone(`floor(${number}/${base})`, 400)}+0.002*(random(0)-0.5)`;
  const source = `aevalsrc='${audio}':s=${rateHz}:d=${hours * 3_600}`;
  return ffmpeg(['-f', 'lavfi', '-i', source, '-sample_fmt', 's16', '-f', 'flac']);
}

/** The words whose tones are in this audio. */
async function recognize(audio: Buffer): Promise<SpeechTruth> {
  const pcm = ffmpeg(['-i', 'pipe:0', '-ac', '1', '-ar', String(rateHz), '-f', 's16le'], audio);
  const samples = new Int16Array(pcm.buffer, pcm.byteOffset, pcm.length / 2);
  const at = (ms: number): number => Math.round((ms * rateHz) / 1_000);
  const isLoud = (ms: number): boolean => samples.subarray(at(ms), at(ms + 10)).some((one) => Math.abs(one) > 3_000);
  const digitAt = (ms: number): number => {
    const middle = samples.subarray(at(ms + 50), at(ms + 250));
    const crossings = middle.filter((one, index) => index > 0 && one >= 0 !== (middle[index - 1] ?? 0) >= 0).length;
    return Math.round((crossings / 2 / 0.2 - frequencyOf(0)) / 50);
  };
  const words: SpeechTruth['words'] = [];
  const durationMs = Math.round((samples.length * 1_000) / rateHz);
  for (let ms = 0; ms + 800 < durationMs; ms += 10) {
    if (!isLoud(ms)) continue;
    const text = wordOf(digitAt(ms) + base * digitAt(ms + 400));
    words.push({ text, startMs: ms, endMs: ms + 700, speaker: 'Ann' });
    ms += 1_000;
  }
  return { durationMs, words };
}

let surroundings: Surroundings;
let transcriber: { stop(): Promise<boolean> };
let recording: Buffer;

beforeAll(async () => {
  recording = fourHours();
  surroundings = await startSurroundings(recognize);
  transcriber = await startTranscriberUnderTest(surroundings);
}, 600_000);

afterAll(async () => {
  await transcriber.stop();
  await surroundings.stop();
});

test.each(['gladia', 'deepgram', 'assemblyai', 'speechmatics', 'soniox', 'openai-compatible', 'local'])(
  'a recording of four hours is one transcript by %s, with its times right within a second',
  async (provider) => {
    const botId = randomUUID();
    const spoken = Array.from({ length: count }, (_, number) => startOf(number) / 1_000)
      .map((from) => JSON.stringify({ speaker: 'Ann', start_time: from, end_time: from + 0.7 }))
      .join('\n');
    const requestId = await surroundings.request({
      botId,
      durationMs: hours * 3_600_000,
      choice: { ...newRequest().choice, provider },
      artifacts: [
        putObject(surroundings, botId, {
          kind: 'audio',
          key: 'artifacts/audio.flac',
          content: recording,
          contentType: 'audio/flac',
        }),
        putObject(surroundings, botId, {
          kind: 'diarization',
          key: 'artifacts/diarization.jsonl',
          content: Buffer.from(spoken),
          contentType: 'application/x-ndjson',
        }),
      ],
    });
    expect(await surroundings.waitForEnd(requestId, 540_000)).toMatchObject({ outcome: 'completed', message: null });
    const stored = surroundings.objects.get(`${botId}/artifacts/transcripts/${requestId}/transcription.json`);
    const { result } = JSON.parse(String(stored)) as {
      result: { utterances: { words: { word: string; start: number }[] }[] };
    };
    const words = result.utterances.flatMap((utterance) => utterance.words);
    expect(words.map(({ word }) => word)).toEqual(Array.from({ length: count }, (_, number) => wordOf(number)));
    const errors = words.map(({ start }, number) => Math.abs(start - startOf(number) / 1_000));
    expect(Math.max(...errors)).toBeLessThan(1);
  },
  600_000,
);

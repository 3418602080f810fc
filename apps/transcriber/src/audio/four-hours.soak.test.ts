import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { flacHead, frameSamples, splitFlac } from '@rapporteur/media-container';
import type { SpeechTruth } from '@rapporteur/simulator/speech-providers';
import { serviceProcesses } from '@rapporteur/testbed';
import type { ServiceProcess } from '@rapporteur/testbed';
import { newRequest, putObject, startSurroundings } from '../testing/transcriber-under-test.ts';
import type { Surroundings } from '../testing/transcriber-under-test.ts';

// Encoding and decoding four hours of audio for each provider takes minutes.

const hours = 4;
const rateHz = 48_000;
const periodMs = 20_000;
const firstMs = 10_000;
const toneMs = 300;
const count = (hours * 3_600_000) / periodMs;
const base = 32;
const samplesOf = (ms: number): number => (ms * rateHz) / 1_000;

/** Two tones for each word: the digits of its number. */
const frequencyOf = (digit: number): number => 500 + 50 * digit;
const wordOf = (number: number): string => `word${number}`;
const startOf = (number: number): number => firstMs + number * periodMs;

async function ffmpeg(words: readonly string[], input: Iterable<Uint8Array>): Promise<Buffer> {
  const child = spawn('ffmpeg', ['-v', 'error', ...words, '-'], { stdio: ['pipe', 'pipe', 'inherit'] });
  Readable.from(input).pipe(child.stdin);
  return await buffer(child.stdout);
}

/** As the recorder writes it, and with noise, so that it has the size of a recording. */
async function fourHours(): Promise<Buffer> {
  const noise = new Int16Array(samplesOf(periodMs)).map((_, index) => ((index * 7_919) % 65) - 32);
  const tone = (digit: number, index: number): number =>
    16_000 * Math.sin((2 * Math.PI * frequencyOf(digit) * index) / rateHz);
  function* periods(): Generator<Uint8Array> {
    for (let number = 0; number < count; number += 1) {
      const pcm = noise.slice();
      for (const [at, digit] of [number % base, Math.floor(number / base)].entries())
        for (let index = 0; index < samplesOf(toneMs); index += 1)
          pcm[samplesOf(firstMs + at * 400) + index] = tone(digit, index);
      yield Buffer.from(pcm.buffer);
    }
  }
  const layout = `-frame_size ${frameSamples} -compression_level 0 -f flac`.split(' ');
  const frames = splitFlac(
    await ffmpeg(['-f', 's16le', '-ar', String(rateHz), '-ac', '1', '-i', 'pipe:0', ...layout], periods()),
  );
  const seekPoints: { sample: number; offset: number; samples: number }[] = [];
  let offset = 0;
  for (const [index, frame] of frames.entries()) {
    if (index % 469 === 0) seekPoints.push({ sample: index * frameSamples, offset, samples: frameSamples });
    offset += frame.length;
  }
  return Buffer.concat([flacHead({ samples: samplesOf(hours * 3_600_000), rate: rateHz, seekPoints }, 1), ...frames]);
}

const recognizeHz = 8_000;

/** The words whose tones are in this audio. */
async function recognize(audio: Buffer): Promise<SpeechTruth> {
  const pcm = await ffmpeg(['-i', 'pipe:0', '-ac', '1', '-ar', String(recognizeHz), '-f', 's16le'], [audio]);
  const samples = new Int16Array(pcm.buffer, pcm.byteOffset, pcm.length / 2);
  const at = (ms: number): number => Math.round((ms * recognizeHz) / 1_000);
  const isLoud = (ms: number): boolean => samples.subarray(at(ms), at(ms + 10)).some((one) => Math.abs(one) > 3_000);
  const digitAt = (ms: number): number => {
    const middle = samples.subarray(at(ms + 50), at(ms + 250));
    const crossings = middle.filter((one, index) => index > 0 && one >= 0 !== (middle[index - 1] ?? 0) >= 0).length;
    return Math.round((crossings / 2 / 0.2 - frequencyOf(0)) / 50);
  };
  const words: SpeechTruth['words'] = [];
  const durationMs = Math.round((samples.length * 1_000) / recognizeHz);
  for (let ms = 0; ms + 800 < durationMs; ms += 10) {
    if (!isLoud(ms)) continue;
    const text = wordOf(digitAt(ms) + base * digitAt(ms + 400));
    words.push({ text, startMs: ms, endMs: ms + 700, speaker: 'Ann' });
    ms += 1_000;
  }
  return { durationMs, words };
}

/** The recording has several hundred MB. */
const mostMb = 250;

let surroundings: Surroundings;
let transcriber: ServiceProcess;
let recording: Buffer;
const processes = serviceProcesses(join(import.meta.dirname, '..', 'main.ts'));

beforeAll(async () => {
  recording = await fourHours();
  surroundings = await startSurroundings(recognize);
  transcriber = await processes.start({ ...surroundings.environment, RAPPORTEUR_LOCAL_API_KEY: 'key' });
}, 600_000);

afterAll(async () => {
  await processes.killAll();
  await surroundings.stop();
});

/** Memory of the transcriber in MB: now, and at most since the last reset. */
function memory(): { readonly now: number; readonly most: number } {
  const status = readFileSync(`/proc/${transcriber.child.pid}/status`, 'utf8');
  const of = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024;
  return { now: of('VmRSS'), most: of('VmHWM') };
}
const resetMost = (): void => writeFileSync(`/proc/${transcriber.child.pid}/clear_refs`, '5');

// `local` has the adapter of `openai-compatible`.
test.each(['gladia', 'deepgram', 'assemblyai', 'speechmatics', 'soniox', 'openai-compatible'])(
  'a recording of four hours is one transcript by %s, with its times right within a second',
  async (provider) => {
    const botId = randomUUID();
    resetMost();
    const before = memory().now;
    const begunMs = performance.now();
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
    const seconds = (performance.now() - begunMs) / 1_000;
    const grownMb = memory().most - before;
    // oxlint-disable-next-line no-console
    console.info(
      `${provider}: ${recording.length} bytes, ${seconds.toFixed(1)} s, ${before.toFixed(0)} and ${grownMb.toFixed(0)} MB`,
    );
    expect(grownMb).toBeLessThan(mostMb);
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

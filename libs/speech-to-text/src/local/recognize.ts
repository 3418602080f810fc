import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { SpeechToTextFailure } from '../failure.ts';
import type { TranscriptWord } from '../transcript.ts';
import { sampleRateHz } from './find-windows.ts';
import type { SpeechWindow } from './find-windows.ts';

export interface LocalPrograms {
  /** `pocketsphinx_continuous` of Debian's package `pocketsphinx`. */
  readonly pocketsphinx: string;
  readonly ffmpeg: string;
}

export const defaultPrograms: LocalPrograms = { pocketsphinx: 'pocketsphinx_continuous', ffmpeg: 'ffmpeg' };

const bytesPerMs = (sampleRateHz * 2) / 1_000;
/** Silence between windows, by which the recognizer ends an utterance. */
const gapMs = 1_500;
const largestOutputBytes = 64 * 1024 * 1024;
/** The slowest that is waited for, as a multiple of the audio's length, on top of the start. */
const slowest = 20;
const startMs = 120_000;

/** Words of these windows, with times in the whole audio. Rejects with SpeechToTextFailure. */
export async function recognize(
  pcm: Buffer,
  windows: readonly SpeechWindow[],
  programs: LocalPrograms,
  signal?: AbortSignal,
): Promise<TranscriptWord[]> {
  if (windows.length === 0) return [];
  const layout = layOut(windows);
  const silence = Buffer.alloc(gapMs * bytesPerMs);
  const speechChunks = layout.flatMap(({ window }) => [
    pcm.subarray(window.startMs * bytesPerMs, window.endMs * bytesPerMs),
    silence,
  ]);
  const totalMs = layout.reduce((sum, { window }) => sum + window.endMs - window.startMs + gapMs, 0);
  const output = await withFile(Buffer.concat(speechChunks), (path) =>
    runProgram({
      program: programs.pocketsphinx,
      arguments: ['-infile', path, '-time', 'yes', '-logfn', '/dev/null'],
      input: null,
      deadlineMs: startMs + slowest * totalMs,
      ...(signal === undefined ? {} : { signal }),
    }),
  );
  return readWords(output.toString('utf8')).flatMap((word) => inWholeAudio(word, layout));
}

/** The recognizer opens its input by name, which it cannot do with the socket that Node gives a child. */
async function withFile<T>(content: Buffer, work: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'rapporteur-speech-'));
  try {
    const path = join(folder, 'audio.raw');
    await writeFile(path, content, { mode: 0o600 });
    return await work(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface LaidOut {
  readonly window: SpeechWindow;
  /** Where the window begins in what the recognizer is given. */
  readonly atMs: number;
}

function layOut(windows: readonly SpeechWindow[]): LaidOut[] {
  let atMs = 0;
  return windows.map((window) => {
    const laid = { window, atMs };
    atMs += window.endMs - window.startMs + gapMs;
    return laid;
  });
}

function inWholeAudio(word: TranscriptWord, layout: readonly LaidOut[]): TranscriptWord[] {
  const laid = layout.findLast(({ atMs }) => atMs <= word.startMs);
  if (laid === undefined) return [];
  const { window, atMs } = laid;
  const place = (ms: number): number => Math.min(window.endMs, Math.max(window.startMs, ms - atMs + window.startMs));
  return [{ ...word, startMs: place(word.startMs), endMs: place(word.endMs) }];
}

/** `word start end posterior`, in seconds; fillers stand in brackets, variants of a pronunciation have a number. */
const wordLine = /^([^\s<[+][^\s]*?)(?:\(\d+\))? (\d+\.\d+) (\d+\.\d+) (\d+\.\d+)$/;

export function readWords(output: string): TranscriptWord[] {
  return output.split('\n').flatMap((line) => {
    const [, text, start, end, posterior] = wordLine.exec(line.trim()) ?? [];
    if (text === undefined) return [];
    const [startAt, endAt] = [Math.round(Number(start) * 1_000), Math.round(Number(end) * 1_000)];
    return [{ text, startMs: startAt, endMs: endAt, confidence: Math.min(1, Number(posterior)) }];
  });
}

export interface ProgramRun {
  readonly program: string;
  readonly arguments: readonly string[];
  /** Null: it gets none. */
  readonly input: Buffer | null;
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
}

/** Runs a program to its end and returns its standard output. Rejects with SpeechToTextFailure. */
export async function runProgram(run: ProgramRun): Promise<Buffer> {
  const signals = [AbortSignal.timeout(run.deadlineMs), ...(run.signal === undefined ? [] : [run.signal])];
  const child = spawn(run.program, [...run.arguments], {
    stdio: ['pipe', 'pipe', 'ignore'],
    signal: AbortSignal.any(signals),
    killSignal: 'SIGKILL',
  });
  // A program that ends early makes writes fail; its exit code says why.
  child.stdin.on('error', () => undefined);
  child.stdin.end(run.input ?? undefined);
  try {
    const [output, [code]] = await Promise.all([
      collect(child.stdout),
      once(child, 'close') as Promise<[number | null]>,
    ]);
    if (code === 0) return output;
    throw new SpeechToTextFailure('failed', `The program ${run.program} ended with code ${code ?? 'none'}.`);
  } catch (error) {
    child.kill('SIGKILL');
    if (error instanceof SpeechToTextFailure) throw error;
    const isMissing = (error as { code?: unknown }).code === 'ENOENT';
    const why = isMissing ? 'is not installed' : 'was stopped before its end';
    throw new SpeechToTextFailure(isMissing ? 'rejected' : 'temporary', `The program ${run.program} ${why}.`, {
      cause: error,
    });
  }
}

async function collect(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > largestOutputBytes) throw new Error('The program wrote too much.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

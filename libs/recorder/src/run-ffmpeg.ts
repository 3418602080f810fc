import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import type { Readable, Writable } from 'node:stream';

export interface FfmpegRun {
  readonly ffmpegPath: string;
  readonly arguments: readonly string[];
  /** Given to it as `pipe:0`. */
  readonly input: Uint8Array;
  /** Number of outputs: `pipe:3`, `pipe:4`, ... Each is kept in memory. */
  readonly outputs: number;
  readonly deadlineMs: number;
  /** 0 to 19, as of `nice`. */
  readonly niceness: number;
}

export interface FfmpegResult {
  readonly outputs: readonly Buffer[];
  /** User and system time that it took. */
  readonly cpuMs: number;
}

const stderrKept = 4_000;
/** Maximum length of one output. */
const outputBytesMax = 64_000_000;

/**
 * Runs ffmpeg to its end. @throws Error with its last output when it fails, cannot be started or exceeds its deadline
 */
export async function runFfmpeg(run: FfmpegRun): Promise<FfmpegResult> {
  const pipes = Array.from({ length: run.outputs }, () => 'pipe' as const);
  const child = spawn(
    run.ffmpegPath,
    [...'-hide_banner -loglevel info -nostats -benchmark -y'.split(' '), ...run.arguments],
    { stdio: ['pipe', 'ignore', 'pipe', ...pipes] },
  );
  const stop = (): void => void child.kill('SIGKILL');
  const [input, , errors, ...outputs] = child.stdio as unknown as [Writable, null, Readable, ...Readable[]];
  standBack(child.pid, run.niceness);
  // It may exit before it has read everything; the exit status has the cause.
  input.on('error', () => undefined);
  input.end(run.input);
  const words = lastWords(errors);
  const kept = outputs.map((output) => keep(output, stop));
  await ended(child, { ...run, stop, words });
  return { outputs: kept.map(({ parts }) => Buffer.concat(parts)), cpuMs: cpuMsIn(words.text) };
}

function standBack(pid: number | undefined, niceness: number): void {
  if (pid === undefined || niceness === 0) return;
  try {
    setPriority(pid, niceness);
  } catch {
    // It has ended already, or this system does not allow it: the encoder then competes with other work.
  }
}

function lastWords(errors: Readable): { text: string } {
  const words = { text: '' };
  errors.setEncoding('utf8');
  errors.on('data', (text: string) => {
    words.text = (words.text + text).slice(-stderrKept);
  });
  return words;
}

function keep(output: Readable, stop: () => void): { parts: Buffer[] } {
  const kept = { parts: [] as Buffer[], bytes: 0 };
  output.on('data', (part: Buffer) => {
    kept.bytes += part.length;
    if (kept.bytes > outputBytesMax) stop();
    else kept.parts.push(part);
  });
  return kept;
}

interface Ending {
  readonly ffmpegPath: string;
  readonly deadlineMs: number;
  readonly words: { readonly text: string };
  stop(): void;
}

async function ended(child: ReturnType<typeof spawn>, ending: Ending): Promise<void> {
  const { ffmpegPath, deadlineMs, words, stop } = ending;
  await new Promise<void>((resolve, reject) => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      stop();
    }, deadlineMs);
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(new Error(`ffmpeg could not be started (${ffmpegPath}): ${error.message}`));
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      const said = words.text.trim();
      if (code === 0) resolve();
      else if (late) reject(new Error(`ffmpeg was not finished after ${deadlineMs} ms and was stopped. ${said}`));
      else reject(new Error(`ffmpeg ended with ${signal ?? `code ${code}`}: ${said}`));
    });
  });
}

function cpuMsIn(words: string): number {
  const [, user = '0', system = '0'] = /bench: utime=([\d.]+)s stime=([\d.]+)s/.exec(words) ?? [];
  return Math.round((Number(user) + Number(system)) * 1_000);
}

import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import type { Duplex, Readable, Writable } from 'node:stream';
import { describeExit, lastOutput } from './child-process.ts';

export interface ProgramRun {
  /** Name or path; the error names it. */
  readonly program: string;
  readonly arguments: readonly string[];
  readonly deadlineMs: number;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** For its standard input, which is closed at the end. Each chunk is written before the next is taken. */
  readonly input?: Iterable<Uint8Array>;
  /** Number of outputs beside the standard ones: `pipe:3`, `pipe:4`, ... Default 0. */
  readonly outputs?: number;
  /** Further inputs, after these outputs: with two outputs `pipe:5`, `pipe:6`, ... */
  readonly inputs?: readonly AsyncIterable<Uint8Array>[];
  /** Receives standard output in place of the result. */
  readonly onOutput?: (bytes: Buffer) => void;
  /** Receives each whole line of standard error. */
  readonly onErrorLine?: (line: string) => void;
  /** 0 to 19, as of `nice`. Default 0. */
  readonly niceness?: number;
}

export interface ProgramResult {
  readonly output: Buffer;
  readonly outputs: readonly Buffer[];
  /** The last 4,000 characters of standard error. */
  readonly errors: string;
}

const errorCharacters = 4_000;
const outputBytesMax = 64 * 1024 * 1024;

/**
 * Runs a program to its end and returns what it wrote; each output is at most 64 MiB.
 * @throws Error with its last output when it cannot be started, fails, exceeds its deadline or writes too much
 */
export async function runProgram(run: ProgramRun): Promise<ProgramResult> {
  const { program, deadlineMs, input = [], outputs = 0, inputs = [], env, cwd } = run;
  const child = spawn(program, run.arguments, {
    stdio: Array.from({ length: 3 + outputs + inputs.length }, () => 'pipe' as const),
    ...(env === undefined ? {} : { env }),
    ...(cwd === undefined ? {} : { cwd }),
  });
  const [stdin, stdout, stderr, ...others] = child.stdio as unknown as [Writable, Readable, Readable, ...Duplex[]];
  const more = others.slice(0, outputs);
  let stopped: string | undefined;
  const stop = (why: string): void => {
    stopped ??= why;
    child.kill('SIGKILL');
  };
  if (child.pid !== undefined && run.niceness) makeNice(child.pid, run.niceness);
  const errors = lastOutput([stderr], errorCharacters);
  if (run.onErrorLine !== undefined) readLines(stderr, run.onErrorLine);
  if (run.onOutput !== undefined) stdout.on('data', run.onOutput);
  const kept = (run.onOutput === undefined ? [stdout, ...more] : more).map((output) => keep(output, stop));
  const timer = setTimeout(() => stop(`was not finished after ${deadlineMs} ms and was stopped`), deadlineMs);
  const ended = new Promise<string>((resolve) => {
    child.once('error', ({ message }) => resolve(`could not be started: ${message}`));
    child.once('close', (code, signal) => {
      const how = stopped ?? (code === 0 ? '' : `ended with ${describeExit(code, signal)}`);
      resolve(how === '' ? '' : `${how}: ${errors()}`);
    });
  });
  const feeds = inputs.map((bytes, index) => feed(others[outputs + index] ?? stdin, bytes));
  await Promise.race([Promise.all([feed(stdin, input), ...feeds]), ended]);
  const problem = await ended;
  clearTimeout(timer);
  if (problem !== '') throw new Error(`${program} ${problem}`);
  const results = kept.map((parts) => Buffer.concat(parts));
  const output = run.onOutput === undefined ? (results.shift() ?? Buffer.alloc(0)) : Buffer.alloc(0);
  return { output, outputs: results, errors: errors() };
}

function makeNice(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness);
  } catch {
    // It has ended already, or this system does not allow it: the program then competes with other work.
  }
}

function keep(output: Readable, stop: (why: string) => void): Buffer[] {
  const parts: Buffer[] = [];
  let bytes = 0;
  output.on('data', (part: Buffer) => {
    bytes += part.length;
    if (bytes > outputBytesMax) stop(`wrote more than ${outputBytesMax} bytes and was stopped`);
    else parts.push(part);
  });
  return parts;
}

function readLines(stream: Readable, onLine: (line: string) => void): void {
  let rest = '';
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
}

async function feed(stdin: Writable, input: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void> {
  // A program that stops reading early makes writes fail; its end gives the reason.
  stdin.on('error', () => undefined);
  // The next chunk may reuse the buffer of this one.
  for await (const chunk of input) {
    const written = await new Promise<boolean>((resolve) => stdin.write(chunk, (error) => resolve(!error)));
    if (!written) return;
  }
  stdin.end();
}

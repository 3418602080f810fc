import { spawn } from 'node:child_process';

const LONGEST_OUTPUT_BYTES = 64 * 1024 * 1024;
const LONGEST_COMPLAINT = 600;

export type ProgramRun = {
  program: string;
  arguments: readonly string[];
  deadlineMs: number;
  /** Chunks for the program's standard input, which is closed at the end. */
  input?: Iterable<Buffer>;
};

/**
 * Runs a program to its end and returns its standard output. The image of the simulator holds no other workspace
 * package, so this is not `runProgram` of libs/process-identity. Throws with the program's last output when it is missing,
 * fails, exceeds the deadline or writes more than 64 MiB.
 */
export async function runProgram(run: ProgramRun): Promise<Buffer> {
  const child = spawn(run.program, [...run.arguments], { stdio: ['pipe', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  let outputBytes = 0;
  let complaint = '';
  child.stdout.on('data', (chunk: Buffer) => {
    outputBytes += chunk.length;
    if (outputBytes > LONGEST_OUTPUT_BYTES) child.kill('SIGKILL');
    else output.push(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-LONGEST_COMPLAINT);
  });
  // A program that stops reading early makes writes fail; its exit code gives the reason.
  child.stdin.on('error', () => undefined);
  const timer = setTimeout(() => child.kill('SIGKILL'), run.deadlineMs);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`cannot be started: ${error.message}`));
    child.once('close', (code, signal) =>
      resolve(code === 0 ? '' : `ended with ${signal ?? `code ${code}`}: ${complaint}`),
    );
  });
  try {
    await Promise.race([feed(child.stdin, run.input ?? []), ended]);
    const problem = await ended;
    if (problem !== '') throw new Error(`The program ${run.program} ${problem}`);
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(output);
}

async function feed(stdin: NodeJS.WritableStream, input: Iterable<Buffer>): Promise<void> {
  // The next chunk may reuse the buffer of this one, so the iterator continues only after this one was written.
  for (const chunk of input) {
    const written = await new Promise<boolean>((resolve) => stdin.write(chunk, (error) => resolve(!error)));
    if (!written) return;
  }
  stdin.end();
}

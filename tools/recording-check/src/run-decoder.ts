import { spawn } from 'node:child_process';

export interface DecoderRun {
  /** Program and arguments. */
  readonly program: string;
  readonly arguments: readonly string[];
  readonly deadlineMs: number;
  /** Called for each fragment of standard output. */
  onOutput(bytes: Buffer): void;
  /** Called for each whole line of standard error. */
  onLine(line: string): void;
}

/** Runs ffmpeg or ffprobe to its end. @throws Error when it cannot be started, fails or outlasts its deadline */
export async function runDecoder(run: DecoderRun): Promise<void> {
  const child = spawn(run.program, run.arguments, { stdio: ['ignore', 'pipe', 'pipe'] });
  const lastLines: string[] = [];
  let rest = '';
  child.stdout.on('data', (bytes: Buffer) => run.onOutput(bytes));
  child.stderr.setEncoding('utf8');
  child.stderr.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      run.onLine(line);
      lastLines.push(line);
      if (lastLines.length > 20) lastLines.shift();
    }
  });
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), run.deadlineMs);
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(new Error(`${run.program} could not be started: ${error.message}`));
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve();
      else reject(new Error(`${run.program} ended with ${signal ?? code}: ${lastLines.slice(-5).join(' | ')}`));
    });
  });
}

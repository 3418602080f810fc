import { spawn } from 'node:child_process';

const stderrKept = 4_000;

/** Runs ffmpeg to its end. @throws Error with its last words when it fails, cannot be started or outlasts its deadline */
export async function runFfmpeg(ffmpegPath: string, arguments_: readonly string[], deadlineMs: number): Promise<void> {
  const child = spawn(ffmpegPath, ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y', ...arguments_], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8');
  child.stderr.on('data', (text: string) => {
    stderr = (stderr + text).slice(-stderrKept);
  });
  await new Promise<void>((resolve, reject) => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill('SIGKILL');
    }, deadlineMs);
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(new Error(`ffmpeg could not be started (${ffmpegPath}): ${error.message}`));
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve();
      else if (late)
        reject(new Error(`ffmpeg was not finished after ${deadlineMs} ms and was stopped. ${stderr.trim()}`));
      else reject(new Error(`ffmpeg ended with ${signal ?? `code ${code}`}: ${stderr.trim()}`));
    });
  });
}

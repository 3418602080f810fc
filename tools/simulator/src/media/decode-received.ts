import { runProgram } from '../programs.ts';
import { writeIvf } from './ivf.ts';
import { writeOggOpus } from './ogg-opus-writer.ts';
import type { ReceivedMedia } from './received-media.ts';

const DEADLINE_MS = 20_000;
const QUIET = ['-hide_banner', '-loglevel', 'error'];

/** The newest frame, as PNG; null: none. */
export async function lastImage({ frames }: ReceivedMedia): Promise<Buffer | null> {
  if (frames.length === 0) return null;
  const last = `select=gte(n\\,${frames.length - 1})`;
  const output = ['-vf', last, '-frames:v', '1', '-f', 'image2pipe', '-c:v', 'png', 'pipe:1'];
  return await decode(writeIvf(frames), ['-f', 'ivf', '-i', 'pipe:0', ...output]);
}

/** The audio of the last 30 s, as WAV: 48 kHz, mono, 16 bits; null: none. */
export async function lastAudio({ packets }: ReceivedMedia): Promise<Buffer | null> {
  if (packets.length === 0) return null;
  const output = ['-ac', '1', '-ar', '48000', '-c:a', 'pcm_s16le', '-f', 'wav', 'pipe:1'];
  return await decode(writeOggOpus(packets), ['-f', 'ogg', '-i', 'pipe:0', ...output]);
}

async function decode(file: Buffer, arguments_: readonly string[]): Promise<Buffer> {
  return await runProgram({
    program: 'ffmpeg',
    arguments: [...QUIET, ...arguments_],
    deadlineMs: DEADLINE_MS,
    input: [file],
  });
}

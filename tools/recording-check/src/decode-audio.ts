import { runProgram } from '@rapporteur/process-identity';

export const checkedRate = 16_000;

export interface AudioReading {
  /** Mono at 16 kHz; the first sample is at the file's time zero. */
  readonly samples: Float32Array;
  readonly errors: readonly string[];
}

/** Decodes the first audio track of a file, silence where it has none. */
export async function decodeAudio(path: string, ffmpegPath: string, deadlineMs: number): Promise<AudioReading> {
  const parts: Buffer[] = [];
  const errors: string[] = [];
  await runProgram({
    program: ffmpegPath,
    arguments: [
      ...'-nostdin -hide_banner -nostats -loglevel level+warning -copyts -i'.split(' '),
      path,
      ...`-map 0:a:0 -af aresample=${checkedRate}:async=1:first_pts=0 -ac 1 -f f32le pipe:1`.split(' '),
    ],
    deadlineMs,
    onOutput: (bytes) => parts.push(bytes),
    onErrorLine: (line) => {
      if (/\[(error|fatal)\]/.test(line)) errors.push(line);
    },
  });
  const bytes = Buffer.concat(parts);
  const samples = new Float32Array(Math.floor(bytes.length / 4));
  for (let index = 0; index < samples.length; index += 1) samples[index] = bytes.readFloatLE(index * 4);
  return { samples, errors };
}

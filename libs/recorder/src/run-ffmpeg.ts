import { runProgram } from '@rapporteur/process-identity';

export interface FfmpegRun {
  readonly ffmpegPath: string;
  readonly arguments: readonly string[];
  /** Given to it as `pipe:0`. */
  readonly input?: Uint8Array;
  /** Number of outputs: `pipe:3`, `pipe:4`, ... Each is kept in memory. */
  readonly outputs: number;
  /** Given to it as the pipes after the outputs. */
  readonly inputs?: readonly AsyncIterable<Uint8Array>[];
  readonly deadlineMs: number;
  /** 0 to 19, as of `nice`. */
  readonly niceness: number;
}

export interface FfmpegResult {
  readonly outputs: readonly Buffer[];
  /** User and system time that it took. */
  readonly cpuMs: number;
}

/**
 * Runs ffmpeg to its end. @throws Error with its last output when it fails, cannot be started or exceeds its deadline
 */
export async function runFfmpeg({ ffmpegPath, input, ...run }: FfmpegRun): Promise<FfmpegResult> {
  const { outputs, errors } = await runProgram({
    ...run,
    program: ffmpegPath,
    arguments: [...'-hide_banner -loglevel info -nostats -benchmark -y'.split(' '), ...run.arguments],
    input: input === undefined ? [] : [input],
  });
  const [, user = '0', system = '0'] = /bench: utime=([\d.]+)s stime=([\d.]+)s/.exec(errors) ?? [];
  return { outputs, cpuMs: Math.round((Number(user) + Number(system)) * 1_000) };
}

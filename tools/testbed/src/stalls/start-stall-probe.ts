import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StallReading } from './stall-reading.ts';

/** In the folder of a run's evidence. */
export const readingsName = 'stall-readings.jsonl';
const startDeadlineMs = 30_000;

export interface StallProbe {
  /** Safe twice. */
  stop(): Promise<void>;
}

/** Starts the probe as a separate process, which ends with this one. */
export async function startStallProbe(evidenceFolder: string): Promise<StallProbe> {
  const child = fork(join(import.meta.dirname, 'stall-probe.ts'), [join(evidenceFolder, readingsName)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const ready = once(child, 'message', { signal: AbortSignal.timeout(startDeadlineMs) });
  await Promise.race([ready, ended]);
  child.unref();
  child.channel?.unref();
  return {
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.ref();
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** All readings of the run until now; empty where no probe runs. */
export function stallReadings(evidenceFolder: string): StallReading[] {
  const file = join(evidenceFolder, readingsName);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  // The last one may be incomplete.
  return lines.slice(0, -1).map((line) => JSON.parse(line) as StallReading);
}

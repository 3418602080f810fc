import type { Clock } from './clock.ts';
import { repeatUntilStopped } from './repeat.ts';
import type { Repetition, RepetitionOptions } from './repeat.ts';

export interface PeriodicTask extends RepetitionOptions {
  /** Prefix of its log lines. */
  readonly what: string;
  readonly everyMs: number;
  readonly work: () => Promise<unknown>;
}

export interface PeriodicTaskDependencies {
  readonly clock: Clock;
  readonly logger: Record<'info' | 'error', (fields: object, message: string) => void>;
}

/** Repeats the work. An error affects only its own round; the first of a row is logged, and so is the recovery. */
export function startPeriodicTask(
  { what, everyMs, work, ...options }: PeriodicTask,
  { clock, logger }: PeriodicTaskDependencies,
): Repetition {
  let failing = false;
  const round = async (): Promise<void> => {
    try {
      await work();
      if (failing) logger.info({ what }, `${what} works again.`);
      failing = false;
    } catch (error) {
      if (!failing) logger.error({ err: error, what }, `${what} failed; trying again every ${everyMs} ms.`);
      failing = true;
    }
  };
  return repeatUntilStopped(clock, everyMs, round, options);
}

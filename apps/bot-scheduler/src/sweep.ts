import { repeatUntilStopped } from '@rapporteur/service-runtime';
import type { Clock, Logger, Repetition, RepetitionOptions } from '@rapporteur/service-runtime';

export interface SweepOptions extends RepetitionOptions {
  readonly what: string;
  readonly everyMs: number;
  readonly work: () => Promise<unknown>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Work that is done again and again. An error costs nothing but the round it happened in, and is logged when it is the first. */
export function startSweep({ what, everyMs, work, clock, logger, ...options }: SweepOptions): Repetition {
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

import { startPeriodicTask } from '@rapporteur/async';
import type { Clock, Logger, Repetition } from '@rapporteur/service-runtime';

export interface SweepingDependencies {
  /** Deletes a batch of expired rows and returns how many. */
  readonly sweep: () => Promise<number>;
  readonly clock: Clock;
  readonly logger: Logger;
}

const everyMs = 60_000;
const roundsAtMost = 20;

/** Deletes expired rows at start and then every minute, on every replica. */
export function keepSwept({ sweep, clock, logger }: SweepingDependencies): Repetition {
  const work = async (): Promise<void> => {
    for (let round = 0; round < roundsAtMost; round += 1) if ((await sweep()) === 0) return;
  };
  return startPeriodicTask({ what: 'Removing expired rows', everyMs, work }, { clock, logger });
}

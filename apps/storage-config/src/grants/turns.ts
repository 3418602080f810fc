import { fail } from '@rapporteur/failures';
import type { Clock } from '@rapporteur/service-runtime';

export interface TurnLimits {
  readonly atOnce: number;
  /** One more is turned away at once. */
  readonly waitingAtMost: number;
  readonly waitAtMostMs: number;
}

/** Runs so many works at once; the others wait, in order. Throws UNAVAILABLE instead when that would take too long. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

export function createTurns(clock: Clock, { atOnce, waitingAtMost, waitAtMostMs }: TurnLimits): Turns {
  let running = 0;
  const waiting = new Set<AbortController>();

  const begin = async (): Promise<void> => {
    if (running < atOnce) {
      running += 1;
      return;
    }
    if (waiting.size >= waitingAtMost) throw tooManyWait();
    const turn = new AbortController();
    waiting.add(turn);
    await clock.sleep(waitAtMostMs, turn.signal).catch(() => undefined);
    // The signal alone says whose turn it is: it may come at the very moment in which the wait is over.
    if (turn.signal.aborted) return;
    waiting.delete(turn);
    throw tooManyWait();
  };
  const end = (): void => {
    const [next] = waiting;
    if (next === undefined) {
      running -= 1;
      return;
    }
    waiting.delete(next);
    next.abort();
  };
  return async (work) => {
    await begin();
    try {
      return await work();
    } finally {
      end();
    }
  };
}

function tooManyWait(): Error {
  return fail('UNAVAILABLE', { message: 'The object store is too slow for all that is to be stored. Try again soon.' });
}

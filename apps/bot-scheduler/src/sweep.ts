import type { Clock, Logger } from '@rapporteur/service-runtime';

/** Work that is done again and again: every `everyMs`, and when rung. */
export interface Sweep {
  /** Do it now, or soon once more when it was just begun. Never throws. */
  ring(): void;
  stop(): Promise<void>;
}

export interface SweepOptions {
  readonly what: string;
  readonly everyMs: number;
  /** Least time from the beginning of one round to the next, however often it is rung; default 0. */
  readonly restMs?: number;
  readonly work: () => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Starts the sweep. An error is logged and costs nothing but the round it happened in. */
export function startSweep({ what, everyMs, restMs = 0, work, clock, logger }: SweepOptions): Sweep {
  const stopping = new AbortController();
  let wake = new AbortController();
  let failing = false;

  const once = async (): Promise<void> => {
    try {
      await work();
      if (failing) logger.info({ what }, `${what} works again.`);
      failing = false;
    } catch (error) {
      if (!failing) logger.error({ err: error, what }, `${what} failed; trying again every ${everyMs} ms.`);
      failing = true;
    }
  };
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      wake = new AbortController();
      const waking = AbortSignal.any([wake.signal, stopping.signal]);
      const startedMs = clock.now();
      await once();
      await clock.sleep(everyMs, waking).catch(() => undefined);
      const restLeftMs = startedMs + restMs - clock.now();
      if (restLeftMs > 0) await clock.sleep(restLeftMs, stopping.signal).catch(() => undefined);
    }
  };
  const running = loop();
  return {
    ring: () => wake.abort(),
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}

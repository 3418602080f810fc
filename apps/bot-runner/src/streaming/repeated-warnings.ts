import type { Clock, Logger } from '@rapporteur/service-runtime/process';

const againAfterMs = 60_000;

/** Logs a recurring warning at most once a minute, with its number of occurrences. */
export class RepeatedWarnings {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #reported = new Map<string, { times: number; reportedAtMs: number }>();

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /** @param what the warning: one of a fixed set, because each is kept in memory */
  add(what: string): void {
    const nowMs = this.#clock.now();
    const known = this.#reported.get(what) ?? { times: 0, reportedAtMs: -Infinity };
    known.times += 1;
    this.#reported.set(what, known);
    if (nowMs - known.reportedAtMs < againAfterMs) return;
    this.#logger.warn({ times: known.times }, what);
    known.times = 0;
    known.reportedAtMs = nowMs;
  }
}

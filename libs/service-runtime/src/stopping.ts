import { withDeadline } from '@rapporteur/async';
import type { Logger } from './logger.ts';

interface Stoppable {
  readonly what: string;
  readonly stop: () => Promise<void> | void;
  readonly deadlineMs: number;
}

/** Stops what was registered in reverse order, each within its deadline. Idempotent. */
export class StopList {
  readonly #entries: Stoppable[] = [];
  readonly #logger: Logger;
  #stopping: Promise<boolean> | undefined;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  add(what: string, stop: () => Promise<void> | void, deadlineMs = 10_000): void {
    this.#entries.push({ what, stop, deadlineMs });
  }

  /** Resolves to true when everything stopped cleanly. Never rejects. */
  stopAll(): Promise<boolean> {
    this.#stopping ??= this.#run();
    return this.#stopping;
  }

  async #run(): Promise<boolean> {
    let clean = true;
    for (const { what, stop, deadlineMs } of this.#entries.toReversed()) {
      try {
        await withDeadline(Promise.resolve(stop()), deadlineMs, `Stopping ${what}`);
      } catch (error) {
        clean = false;
        this.#logger.error({ err: error, what }, `${what} did not stop cleanly; going on with the rest.`);
      }
    }
    return clean;
  }
}

import type { Clock, Logger } from '@rapporteur/service-runtime';

const everyMs = 60_000;
const roundsAtMost = 20;

/** Removes expired rows now and then, on every replica: who comes second finds nothing left. */
export class Sweeping {
  readonly #sweep: () => Promise<number>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #stopping = new AbortController();
  #loop: Promise<void> | null = null;

  constructor(parts: { readonly sweep: () => Promise<number>; readonly clock: Clock; readonly logger: Logger }) {
    this.#sweep = parts.sweep;
    this.#clock = parts.clock;
    this.#logger = parts.logger;
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await this.#clock.sleep(everyMs, this.#stopping.signal).catch(() => undefined);
      if (!this.#stopping.signal.aborted) await this.#sweepAll();
    }
  }

  async #sweepAll(): Promise<void> {
    try {
      for (let round = 0; round < roundsAtMost; round += 1) if ((await this.#sweep()) === 0) return;
    } catch (error) {
      this.#logger.warn({ err: error }, 'Expired idempotency keys could not be removed; trying again later.');
    }
  }
}

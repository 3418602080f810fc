import type { Clock, Logger } from '@rapporteur/service-runtime';

const flushEveryMs = 10_000;
const limit = 10_000;

/** Remembers which keys were used and writes it now and then: nobody needs that time to the second. */
export class LastUsed {
  readonly #write: (usedAtMs: ReadonlyMap<string, number>) => Promise<void>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #stopping = new AbortController();
  #usedAtMs = new Map<string, number>();
  #loop: Promise<void> | null = null;

  constructor(parts: {
    readonly write: (usedAtMs: ReadonlyMap<string, number>) => Promise<void>;
    readonly clock: Clock;
    readonly logger: Logger;
  }) {
    this.#write = parts.write;
    this.#clock = parts.clock;
    this.#logger = parts.logger;
  }

  note(keyId: string): void {
    if (this.#usedAtMs.size < limit || this.#usedAtMs.has(keyId)) this.#usedAtMs.set(keyId, this.#clock.now());
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** Writes what is still in memory. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loop;
    await this.#flush();
  }

  async #run(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await this.#clock.sleep(flushEveryMs, this.#stopping.signal).catch(() => undefined);
      await this.#flush();
    }
  }

  async #flush(): Promise<void> {
    const used = this.#usedAtMs;
    this.#usedAtMs = new Map();
    try {
      await this.#write(used);
    } catch (error) {
      this.#logger.warn(
        { err: error, keys: used.size },
        'When keys were last used could not be written; the next use will be.',
      );
    }
  }
}

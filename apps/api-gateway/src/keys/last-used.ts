import { repeatUntilStopped } from '@rapporteur/service-runtime';
import type { Clock, Logger, Repetition } from '@rapporteur/service-runtime';

const flushEveryMs = 10_000;
const limit = 10_000;

/** Buffers the last use of keys and writes it periodically: second precision is not needed. */
export class LastUsed {
  readonly #write: (usedAtMs: ReadonlyMap<string, number>) => Promise<void>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #usedAtMs = new Map<string, number>();
  #writing: Repetition | null = null;

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
    this.#writing ??= repeatUntilStopped(this.#clock, flushEveryMs, () => this.#flush());
  }

  /** Writes the buffered times. */
  async stop(): Promise<void> {
    await this.#writing?.stop();
    await this.#flush();
  }

  async #flush(): Promise<void> {
    const used = this.#usedAtMs;
    if (used.size === 0) return;
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

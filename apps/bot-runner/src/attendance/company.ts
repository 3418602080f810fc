import { withDeadline } from '@rapporteur/service-runtime/process';
import type { Logger } from '@rapporteur/service-runtime/process';
import type { Companion } from './companion.ts';
import type { CodedEnd } from './end-codes.ts';

const dismissTimeoutMs = 1_500;

/** All that goes along with one attendance; what fails in it is never the attendance's affair. */
export class Company {
  readonly #companions: readonly Companion[];
  readonly #logger: Logger;

  constructor(companions: readonly Companion[], logger: Logger) {
    this.#companions = companions;
    this.#logger = logger;
  }

  get isEmpty(): boolean {
    return this.#companions.length === 0;
  }

  /** The end that keeps the bot from joining; null when all are ready. */
  async ready(signal: AbortSignal): Promise<CodedEnd | null> {
    const answers = await Promise.all(this.#companions.map(async (one) => (await one.ready?.(signal)) ?? null));
    return answers.find((answer) => answer !== null) ?? null;
  }

  tell(tell: (companion: Companion) => void): void {
    for (const companion of this.#companions) {
      try {
        tell(companion);
      } catch (error) {
        this.#logger.error({ err: error }, 'Something that goes along with the meeting failed; the meeting goes on.');
      }
    }
  }

  /** Never rejects, and holds nothing up for long. */
  async dismiss(): Promise<void> {
    const leaving = Promise.allSettled(this.#companions.map(async (companion) => companion.over?.()));
    await withDeadline(leaving, dismissTimeoutMs, 'Ending what goes along with the meeting').catch((error: unknown) =>
      this.#logger.warn({ err: error }, 'Something that goes along with the meeting did not end.'),
    );
  }
}

import { withDeadline } from '@rapporteur/service-runtime/process';
import type { Logger } from '@rapporteur/service-runtime/process';
import type { AttendanceListener } from './attendance-listener.ts';
import type { CodedEnd } from './end-codes.ts';

const dismissTimeoutMs = 1_500;

/** The listeners of one attendance. Their failures never fail the attendance. */
export class AttendanceListeners {
  readonly #listeners: readonly AttendanceListener[];
  readonly #logger: Logger;

  constructor(listeners: readonly AttendanceListener[], logger: Logger) {
    this.#listeners = listeners;
    this.#logger = logger;
  }

  get isEmpty(): boolean {
    return this.#listeners.length === 0;
  }

  /** The end that keeps the bot from joining; null when all are ready. */
  async ready(signal: AbortSignal): Promise<CodedEnd | null> {
    const responses = await Promise.all(this.#listeners.map(async (one) => (await one.ready?.(signal)) ?? null));
    return responses.find((response) => response !== null) ?? null;
  }

  notify(notify: (listener: AttendanceListener) => void): void {
    for (const listener of this.#listeners) {
      try {
        notify(listener);
      } catch (error) {
        this.#logger.error({ err: error }, 'A listener of the attendance failed; the attendance continues.');
      }
    }
  }

  /** Never rejects and returns within a limited time. */
  async dismiss(): Promise<void> {
    const leaving = Promise.allSettled(this.#listeners.map(async (listener) => listener.over?.()));
    await withDeadline(leaving, dismissTimeoutMs, 'Ending the listeners of the attendance').catch((error: unknown) =>
      this.#logger.warn({ err: error }, 'A listener of the attendance did not end.'),
    );
  }
}

import type { Clock } from '@rapporteur/service-runtime/process';

/** Limit of leaving, saving and uploading. */
export const drainLimitMs = 24_500;
/** Margin until the process is killed. */
const marginMs = 500;
/** How long a drain waits for a displacement: the scheduler sees a node's removal as soon as the cluster does. */
const noticeMs = 2_500;
const renewEveryMs = 500;

/** Termination of this process: on a signal, at once or after it was replaced in its meeting. */
export class Termination {
  readonly #requested = new AbortController();
  readonly #drain = new AbortController();
  readonly #stayMs: number;
  readonly #clock: Clock;
  #mayStay = false;

  /** @param graceMs from the signal until the process is killed */
  constructor(graceMs: number, clock: Clock) {
    this.#clock = clock;
    this.#stayMs = graceMs - drainLimitMs - marginMs;
  }

  /** Aborts with the signal. */
  get requested(): AbortSignal {
    return this.#requested.signal;
  }

  /** Aborts when the meeting must be left and everything saved. */
  get drain(): AbortSignal {
    return this.#drain.signal;
  }

  /** From now on a request drains only on `drainNow`, or when only the time to save is left. */
  allowStay(): void {
    this.#mayStay = this.#stayMs > 0;
  }

  request(): void {
    if (this.#requested.signal.aborted) return;
    this.#requested.abort();
    if (!this.#mayStay) return this.drainNow();
    void this.#clock.sleep(this.#stayMs, this.drain).then(
      () => this.drainNow(),
      () => undefined,
    );
  }

  drainNow(): void {
    this.#drain.abort();
  }
}

export interface StayDependencies {
  /** Aborts when another run is to replace this one. */
  readonly displaced: AbortSignal;
  /** Requests the lease now. */
  readonly renewNow: () => void;
  readonly clock: Clock;
}

/**
 * A displaced run stays in its meeting as long as its grace period allows; any other drains as soon as that is decided.
 */
export function stayWhileDisplaced(termination: Termination, { displaced, renewNow, clock }: StayDependencies): void {
  const decide = async (): Promise<void> => {
    for (let waitedMs = 0; waitedMs < noticeMs && !displaced.aborted; waitedMs += renewEveryMs) {
      renewNow();
      await clock.sleep(renewEveryMs, displaced).catch(() => undefined);
    }
    if (!displaced.aborted) termination.drainNow();
  };
  termination.allowStay();
  if (termination.requested.aborted) void decide();
  else termination.requested.addEventListener('abort', () => void decide(), { once: true });
}

import { randomUUID } from 'node:crypto';
import type { Clock } from './clock.ts';

export interface RenewalLease {
  /** Identifies the holder. */
  readonly renewal: string;
  readonly at: Date;
  readonly until: Date;
}

/** The renewal of something by what it uses up, such as a refresh token. */
export interface Renewal<Row, Granted, Result> {
  /** Leases the row; null while another process has it, and where there is no row. */
  claim(lease: RenewalLease): Promise<Row | null>;
  find(): Promise<Row | null>;
  /** Null: it has to be renewed. */
  usable(row: Row | null): Result | null;
  request(row: Row): Promise<Granted>;
  /** Stores what was granted, and ends the lease. */
  keep(row: Row, granted: Granted, renewal: string): Promise<Result>;
  /** Ends the lease without a change. */
  release(renewal: string): Promise<unknown>;
  /** The error where another process has the lease all the time. */
  busy(): Error;
}

const pollMs = 100;

/**
 * Renews each key once at a time: in this process by sharing the renewal in progress, among processes by a lease of its
 * row. Nothing is locked while the other side responds.
 */
export class LeasedRenewals<Result> {
  readonly #clock: Pick<Clock, 'now' | 'monotonic' | 'sleep'>;
  readonly #leaseMs: number;
  readonly #inProgress = new Map<string, Promise<Result>>();

  /** @param leaseMs longer than a request and the storage of its result */
  constructor(clock: Pick<Clock, 'now' | 'monotonic' | 'sleep'>, leaseMs: number) {
    this.#clock = clock;
    this.#leaseMs = leaseMs;
  }

  async renew<Row, Granted>(key: string, renewal: Renewal<Row, Granted, Result>): Promise<Result> {
    const running = this.#inProgress.get(key);
    if (running !== undefined) return await running;
    const renewing = this.#underLease(renewal).finally(() => this.#inProgress.delete(key));
    this.#inProgress.set(key, renewing);
    return await renewing;
  }

  async #underLease<Row, Granted>(of: Renewal<Row, Granted, Result>): Promise<Result> {
    const clock = this.#clock;
    const renewal = randomUUID();
    for (const endMs = clock.monotonic() + this.#leaseMs; clock.monotonic() < endMs; await clock.sleep(pollMs)) {
      const at = clock.now();
      const row = await of.claim({ renewal, at: new Date(at), until: new Date(at + this.#leaseMs) });
      // Another process may have renewed it in the meantime.
      const usable = of.usable(row ?? (await of.find()));
      if (row !== null && usable === null) return await this.#requested(of, row, renewal);
      if (row !== null) await of.release(renewal);
      if (usable !== null) return usable;
    }
    throw of.busy();
  }

  async #requested<Row, Granted>(of: Renewal<Row, Granted, Result>, row: Row, renewal: string): Promise<Result> {
    let granted: Granted;
    try {
      granted = await of.request(row);
    } catch (error) {
      await of.release(renewal);
      throw error;
    }
    return await of.keep(row, granted, renewal);
  }
}

import { repeatUntilStopped, systemClock } from '@rapporteur/async';
import type { Repetition } from '@rapporteur/async';
import type { Database } from '@rapporteur/database';
import { busMetrics } from './metrics.ts';
import type { BusLogger, BusMeasurements, BusMetrics, Stoppable } from './ports.ts';

export interface OutboxMaintenanceOptions {
  readonly database: Database;
  readonly service: string;
  readonly logger: BusLogger;
  readonly metrics?: BusMetrics | undefined;
  /** Age of an unsettled event at which an alarm is raised. */
  readonly alarmAfterMs: number;
  readonly everyMs: number;
}

interface OldestRow {
  readonly id: string;
  readonly type: string;
  readonly missing: string[];
  readonly unsettled: string;
  readonly age_seconds: string;
}

const keepSettledMs = 24 * 3600 * 1000;
const rowsRemovedAtOnce = 5_000;

/** Logs events that stay unsettled for too long, and removes settled ones after a day. */
export class OutboxMaintenance implements Stoppable {
  readonly #options: OutboxMaintenanceOptions;
  readonly #sweeps: Repetition;
  readonly #measurements: BusMeasurements | undefined;

  constructor(options: OutboxMaintenanceOptions) {
    this.#options = options;
    this.#measurements = options.metrics?.declare(busMetrics);
    this.#sweeps = repeatUntilStopped(systemClock, options.everyMs, () => this.#sweep());
  }

  async #sweep(): Promise<void> {
    const { service, logger } = this.#options;
    try {
      await this.#watchAge();
      await this.#removeSettled();
    } catch (error) {
      logger.warn({ err: error, service }, 'The outbox could not be looked after; trying again later.');
    }
  }

  async #watchAge(): Promise<void> {
    const { database, service, logger, alarmAfterMs } = this.#options;
    const [oldest] = await database.query<OldestRow>(
      `select id, type, array(select unnest(consumers) except select unnest(settled_by)) as missing,
              count(*) over () as unsettled, extract(epoch from clock_timestamp() - occurred_at) as age_seconds
         from outbox where settled_at is null order by occurred_at limit 1`,
    );
    const ageSeconds = Number(oldest?.age_seconds ?? 0);
    this.#measurements?.unsettled.set({}, Number(oldest?.unsettled ?? 0));
    this.#measurements?.oldestUnsettled.set({}, ageSeconds);
    if (oldest === undefined || ageSeconds * 1_000 < alarmAfterMs) return;
    const { id, type, missing, unsettled } = oldest;
    logger.error(
      { service, eventId: id, type, missing, unsettled: Number(unsettled), ageSeconds: Math.round(ageSeconds) },
      `Events of ${service} are not settled: the oldest waits for ${missing.join(', ')} since ${Math.round(ageSeconds)} s. Check that this service runs and what its log says.`,
    );
  }

  async #removeSettled(): Promise<void> {
    await this.#options.database.query(
      `delete from outbox where id in (select id from outbox
         where settled_at < now() - $1 * interval '1 millisecond' limit $2)`,
      [keepSettledMs, rowsRemovedAtOnce],
    );
  }

  stop(): Promise<void> {
    return this.#sweeps.stop();
  }
}

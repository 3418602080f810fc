import { randomUUID } from 'node:crypto';
import type { EventDefinition } from '@rapporteur/contracts';
import type { Database, Executor } from '@rapporteur/database';
import { repeatUntilStopped, systemClock } from '@rapporteur/async';
import type { Repetition } from '@rapporteur/async';
import type { Bus } from './bus.ts';
import { inSpan, traceFromText } from './message-trace.ts';
import { insertOutboxRowsSql, outboxRow } from './outbox-row.ts';
import { busMetrics } from './metrics.ts';
import type { BusLogger, BusMeasurements, BusMetrics, Stoppable } from './ports.ts';
import { SettlementListener } from './settlement.ts';
import { unsynced } from './unsynced.ts';

interface OutboxMaintenanceOptions {
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
class OutboxMaintenance implements Stoppable {
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
      logger.warn({ err: error, service }, 'The maintenance of the outbox failed; trying again later.');
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

/** Further ones are left to the sweep: memory stays bounded while the bus is unreachable. */
const most = 10_000;

/**
 * Events that this instance wrote and has not published yet. Only the table shows whether their transactions committed.
 */
class FreshEvents {
  /** When each event was noted, by its id. */
  readonly #notedAtMs = new Map<string, number>();
  readonly #keptMs: number;

  /** @param keptMs after this time an event that was not found is left to the sweep, or was rolled back */
  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  note(ids: readonly string[]): void {
    const nowMs = performance.now();
    for (const id of ids) {
      if (this.#notedAtMs.size >= most) return;
      if (!this.#notedAtMs.has(id)) this.#notedAtMs.set(id, nowMs);
    }
  }

  /** All noted ids, in their order, in lists of at most `size`. */
  batches(size: number): string[][] {
    const oldest = performance.now() - this.#keptMs;
    for (const [id, notedAtMs] of this.#notedAtMs) {
      if (notedAtMs >= oldest) break;
      this.#notedAtMs.delete(id);
    }
    const ids = [...this.#notedAtMs.keys()];
    return Array.from({ length: Math.ceil(ids.length / size) }, (_, at) => ids.slice(at * size, (at + 1) * size));
  }

  remove(ids: readonly string[]): void {
    for (const id of ids) this.#notedAtMs.delete(id);
  }
}

export interface OutboxOptions {
  readonly database: Database;
  readonly bus: Bus;
  /** Owner of the table; consumers confirm events to it. */
  readonly service: string;
  readonly logger: BusLogger;
  readonly metrics?: BusMetrics;
  /** Pause between two polls for due rows; default 1 000. */
  readonly sweepEveryMs?: number;
  /**
   * First pause before an unsettled row is published again, doubling up to 60 s; default 5 000. Also the delay of an
   * event whose publisher failed between its commit and its notification.
   */
  readonly firstNotificationPauseMs?: number;
  /** Age of an unsettled event at which an error is logged, once a minute; default 600 000. */
  readonly alarmAfterMs?: number;
}

export interface Outbox {
  /**
   * Writes the event inside the caller's transaction; it exists if and only if that commits. Returns the event's id.
   * Throws when the data does not fit the definition, and a unique violation when an event with this `id` exists.
   */
  add<T>(transaction: Executor, definition: EventDefinition<T>, data: T, id?: string): Promise<string>;
  /**
   * Publishes committed events that were added here; call after a commit. `ids` are events that another statement wrote
   * (`insertOutboxRowsSql`). Never throws: on failure the sweep publishes them.
   */
  notify(ids?: readonly string[]): void;
  start(): void;
  /** Idempotent. */
  stop(): Promise<void>;
}

interface DueRow {
  readonly id: string;
  readonly position: string;
  readonly type: string;
  readonly data: unknown;
  readonly occurred_at: Date;
  readonly trace: string | null;
  readonly consumers: string[];
  readonly notifications: number;
}

const batchSize = 100;
/** Events of transactions that commit within this time are read with one statement. */
const notifyBatchMs = 10;
const longestNotificationPauseMs = 60_000;
const defaults = { sweepEveryMs: 1_000, firstNotificationPauseMs: 5_000, alarmAfterMs: 600_000 } as const;
const maintenanceEveryMs = 60_000;
/** One log line per this many failed rounds of an outage. */
const roundsPerWarning = 60;

/**
 * Times are PostgreSQL's: every instance of a service finds the same due rows, whatever its clock. Events are published
 * in the order they were added, except across instances, across overlapping transactions, and after a repeated
 * notification.
 */
export function createOutbox(options: OutboxOptions): Outbox {
  return new TableOutbox(options);
}

class TableOutbox implements Outbox {
  readonly #options: OutboxOptions & typeof defaults;
  #parts: Stoppable[] = [];
  readonly #fresh: FreshEvents;
  readonly #measurements: BusMeasurements | undefined;
  #sweepTimer: NodeJS.Timeout | undefined;
  #notifyTimer: NodeJS.Timeout | undefined;
  #pumping: Promise<void> | undefined;
  #again = false;
  #pollDue = false;
  #failedRounds = 0;
  #stopping: Promise<void> | undefined;

  constructor(options: OutboxOptions) {
    this.#options = { ...defaults, ...options } as OutboxOptions & typeof defaults;
    this.#fresh = new FreshEvents(this.#options.firstNotificationPauseMs);
    this.#measurements = options.metrics?.declare(busMetrics);
  }

  async add<T>(
    transaction: Executor,
    definition: EventDefinition<T>,
    data: T,
    id: string = randomUUID(),
  ): Promise<string> {
    const row = outboxRow(definition, data, id);
    const { firstNotificationPauseMs } = this.#options;
    await transaction.query(insertOutboxRowsSql('$1::jsonb', `now() + $2 * interval '1 millisecond'`), [
      JSON.stringify([row]),
      firstNotificationPauseMs,
    ]);
    this.#fresh.note([id]);
    return id;
  }

  start(): void {
    const { bus, sweepEveryMs, alarmAfterMs } = this.#options;
    this.#parts = [
      new SettlementListener(this.#options),
      new OutboxMaintenance({ ...this.#options, everyMs: Math.min(maintenanceEveryMs, alarmAfterMs) }),
      bus.onReconnect(() => void this.#notifyAllAgain()),
    ];
    this.#sweepTimer = setInterval(() => this.#sweep(), sweepEveryMs);
    this.#sweep();
  }

  notify(ids: readonly string[] = []): void {
    this.#fresh.note(ids);
    if (this.#stopping === undefined) this.#notifyTimer ??= setTimeout(() => this.#pump(), notifyBatchMs);
  }

  #sweep(): void {
    this.#pollDue = true;
    this.#pump();
  }

  #pump(): void {
    clearTimeout(this.#notifyTimer);
    this.#notifyTimer = undefined;
    // Without a connection rows are unchanged, and published after the reconnect.
    if (!this.#options.bus.healthy()) return;
    if (this.#pumping !== undefined) {
      this.#again = true;
      return;
    }
    this.#pumping = this.#notifyAll().finally(() => {
      this.#pumping = undefined;
      if (!this.#again) return;
      this.#again = false;
      if (this.#stopping === undefined) this.#pump();
    });
  }

  async #notifyAll(): Promise<void> {
    try {
      if (!(await this.#notifyFresh()) || !this.#pollDue) return;
      this.#pollDue = false;
      await this.#notifyDue();
    } catch (error) {
      this.#onFailedRound(error);
    }
  }

  /**
   * Events that were written here are read and published without an update of the table: no other instance publishes
   * them before their first pause is over. Events of open transactions are not visible yet and are kept for the
   * notification of their commit. False when an event could not be published.
   */
  async #notifyFresh(): Promise<boolean> {
    for (const ids of this.#fresh.batches(batchSize)) {
      const rows = await this.#options.database.query<DueRow>(
        `select id, position, type, data, occurred_at, trace, consumers, notifications from outbox
          where id = any($1::uuid[]) and notifications = 0 and settled_at is null order by position`,
        [ids],
      );
      this.#fresh.remove(rows.map((row) => row.id));
      if (!(await this.#publishAll(rows))) return false;
    }
    return true;
  }

  async #notifyDue(): Promise<void> {
    for (;;) {
      const rows = await this.#claimDue();
      const published = await this.#publishAll(rows);
      if (!published || rows.length < batchSize || this.#stopping !== undefined) return;
    }
  }

  /** The next notification is scheduled before this one is published: a crash in between costs delay only. */
  async #claimDue(): Promise<DueRow[]> {
    const { database, firstNotificationPauseMs } = this.#options;
    const rows = await database.query<DueRow>(
      `update outbox set notifications = notifications + 1,
              next_notification_at = now() + least($1, $2 * power(2, least(notifications + 1, 10))) * interval '1 millisecond'
         from ${unsynced}
        where id in (select id from outbox where settled_at is null and next_notification_at <= now()
                      order by position limit $3 for update skip locked)
        returning id, position, type, data, occurred_at, trace, consumers, notifications`,
      [longestNotificationPauseMs, firstNotificationPauseMs, batchSize],
    );
    return rows.sort((a, b) => Number(a.position) - Number(b.position));
  }

  /** False when an event could not be published; those rows are due again soon. */
  async #publishAll(rows: readonly DueRow[]): Promise<boolean> {
    const results = await Promise.allSettled(rows.map((row) => this.#publish(row)));
    const withoutConsumers = rows.filter((row, index) => row.consumers.length === 0 && isDone(results[index]));
    if (withoutConsumers.length > 0) await this.#settle(withoutConsumers);
    const failed = rows.filter((_row, index) => !isDone(results[index]));
    if (failed.length === 0) {
      this.#failedRounds = 0;
      return true;
    }
    const reason = results.find((result) => result.status === 'rejected')?.reason as unknown;
    this.#onFailedRound(reason);
    await this.#takeBack(failed);
    // A lost store has this symptom.
    await this.#options.bus.ensureStreams();
    return false;
  }

  #publish(row: DueRow): Promise<void> {
    const { bus, service } = this.#options;
    const envelope = { id: row.id, type: row.type, occurredAt: row.occurred_at.toISOString(), data: row.data };
    // A new id per notification: JetStream's deduplication must not drop an intentional repetition.
    const messageId = `${row.id}:${row.notifications}`;
    const published = inSpan(traceFromText(row.trace), row.type, 'publish', () =>
      bus.publish(row.type, envelope, { messageId, outbox: service }),
    );
    const count = (outcome: 'published' | 'failed') => () => {
      this.#measurements?.published.inc({ event: row.type, outcome });
    };
    published.then(count('published'), count('failed'));
    return published;
  }

  /** A failed attempt is not a notification: it does not lengthen the pauses, and keeps its message id. */
  async #takeBack(rows: readonly DueRow[]): Promise<void> {
    await this.#options.database.query(
      `update outbox set notifications = greatest(0, notifications - 1), next_notification_at = now() from ${unsynced}
        where id = any($1::uuid[]) and settled_at is null`,
      [rows.map((row) => row.id)],
    );
  }

  async #settle(rows: readonly DueRow[]): Promise<void> {
    await this.#options.database.query(
      `update outbox set settled_at = now() from ${unsynced} where id = any($1::uuid[])`,
      [rows.map((row) => row.id)],
    );
  }

  /**
   * After an outage the store may be empty: all unsettled events are published at once, without waiting for their
   * pause.
   */
  async #notifyAllAgain(): Promise<void> {
    const { database, bus } = this.#options;
    try {
      await bus.ensureStreams();
      await database.query(
        'update outbox set next_notification_at = now() where settled_at is null and next_notification_at > now()',
      );
      this.#sweep();
    } catch (error) {
      this.#onFailedRound(error);
    }
  }

  #onFailedRound(error: unknown): void {
    const { logger, service } = this.#options;
    if (this.#failedRounds % roundsPerWarning === 0) {
      logger.warn(
        { err: error, service },
        'Events could not be published; they are safe in the outbox and published later.',
      );
    }
    this.#failedRounds += 1;
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    clearInterval(this.#sweepTimer);
    await this.#pumping;
    if (this.#notifyTimer !== undefined) this.#pump();
    await this.#pumping;
    for (const part of this.#parts.toReversed()) await part.stop();
  }
}

function isDone(result: PromiseSettledResult<void> | undefined): boolean {
  return result?.status === 'fulfilled';
}

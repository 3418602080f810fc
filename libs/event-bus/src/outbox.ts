import { randomUUID } from 'node:crypto';
import type { EventDefinition } from '@rapporteur/contracts';
import type { Database, Executor } from '@rapporteur/database';
import type { Bus } from './bus.ts';
import { FreshEvents } from './fresh-events.ts';
import { inSpan, traceFromText } from './message-trace.ts';
import { OutboxMaintenance } from './outbox-maintenance.ts';
import { insertOutboxRowsSql, outboxRow } from './outbox-row.ts';
import { busMetrics } from './metrics.ts';
import type { BusLogger, BusMeasurements, BusMetrics, Stoppable } from './ports.ts';
import { SettlementListener } from './settlement.ts';
import { unsynced } from './unsynced.ts';

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

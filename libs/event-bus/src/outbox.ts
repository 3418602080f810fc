import { randomUUID } from 'node:crypto';
import { context, propagation } from '@opentelemetry/api';
import type { EventDefinition } from '@rapporteur/contracts';
import type { Database, Executor } from '@rapporteur/database';
import type { Bus } from './bus.ts';
import type { BusLogger } from './ports.ts';
import type { Stoppable } from './consumer.ts';

export interface OutboxOptions {
  readonly database: Database;
  readonly bus: Bus;
  /** Owner of the table; consumers tell it when they are done. */
  readonly service: string;
  readonly logger: BusLogger;
  /** Pause between two looks for rows that are due; default 1 000. */
  readonly sweepEveryMs?: number;
  /** First pause before an unsettled row is rung again, doubling up to 60 s; default 5 000. */
  readonly firstRingPauseMs?: number;
}

export interface Outbox {
  /**
   * Writes the event inside the caller's transaction; it exists if and only if that commits. Gives the event's id.
   * Throws when the data does not fit the definition.
   */
  add<T>(transaction: Executor, definition: EventDefinition<T>, data: T, id?: string): Promise<string>;
  /** Publishes what is due now; call after a commit. Never throws: the sweep does it otherwise. */
  ring(): void;
  start(): void;
  stop(): Promise<void>;
}

interface DueRow {
  readonly id: string;
  readonly type: string;
  readonly data: unknown;
  readonly occurred_at: Date;
  readonly trace: string | null;
  readonly consumers: string[];
  readonly rings: number;
}

const batchSize = 100;
const keepSettledMs = 24 * 3600 * 1000;
const settleTogetherMs = 20;

export function settledSubject(service: string): string {
  return `settled.v1.${service}`;
}

export function createOutbox(options: OutboxOptions): Outbox {
  return new TableOutbox(options);
}

class TableOutbox implements Outbox {
  readonly #options: Required<OutboxOptions>;
  readonly #settled = new Map<string, Set<string>>();
  #listening: Stoppable | undefined;
  #sweepTimer: NodeJS.Timeout | undefined;
  #cleanTimer: NodeJS.Timeout | undefined;
  #settleTimer: NodeJS.Timeout | undefined;
  #pumping: Promise<void> | undefined;
  #again = false;
  #stopped = false;

  constructor(options: OutboxOptions) {
    this.#options = { sweepEveryMs: 1_000, firstRingPauseMs: 5_000, ...options };
  }

  async add<T>(transaction: Executor, definition: EventDefinition<T>, data: T, id: string = randomUUID()): Promise<string> {
    const carrier: { traceparent?: string } = {};
    propagation.inject(context.active(), carrier);
    await transaction.query(
      `insert into outbox (id, type, data, occurred_at, trace, consumers) values ($1, $2, $3, now(), $4, $5)`,
      [id, definition.type, JSON.stringify(definition.data.parse(data)), carrier.traceparent ?? null, definition.consumers],
    );
    return id;
  }

  start(): void {
    const { bus, service, sweepEveryMs } = this.#options;
    this.#listening = bus.onRing(settledSubject(service), (body) => this.#onSettled(body), { shareAs: 'outbox' });
    this.#sweepTimer = setInterval(() => this.ring(), sweepEveryMs);
    this.#cleanTimer = setInterval(() => void this.#clean(), 600_000);
    this.ring();
  }

  ring(): void {
    if (this.#stopped) return;
    if (this.#pumping !== undefined) {
      this.#again = true;
      return;
    }
    this.#pumping = this.#pump().finally(() => {
      this.#pumping = undefined;
      if (this.#again) {
        this.#again = false;
        this.ring();
      }
    });
  }

  async #pump(): Promise<void> {
    try {
      for (;;) {
        const rows = await this.#claimDue();
        await Promise.all(rows.map((row) => this.#publish(row)));
        if (rows.length < batchSize || this.#stopped) return;
      }
    } catch (error) {
      this.#options.logger.warn({ err: error, service: this.#options.service }, 'Events could not be rung; they are safe in the outbox and rung later.');
    }
  }

  /** The next ring is planned before this one is published: a crash in between costs delay only. */
  #claimDue(): Promise<DueRow[]> {
    const { database, firstRingPauseMs } = this.#options;
    return database.query<DueRow>(
      `update outbox set rings = rings + 1,
              next_ring_at = now() + least(60000, $1 * power(2, least(rings, 10))) * interval '1 millisecond'
        where id in (select id from outbox where settled_at is null and next_ring_at <= now()
                      order by next_ring_at limit $2 for update skip locked)
        returning id, type, data, occurred_at, trace, consumers, rings`,
      [firstRingPauseMs, batchSize],
    );
  }

  async #publish(row: DueRow): Promise<void> {
    const { bus, service, logger, database } = this.#options;
    const envelope = { id: row.id, type: row.type, occurredAt: row.occurred_at.toISOString(), data: row.data };
    const trace = row.trace === null ? context.active() : propagation.extract(context.active(), { traceparent: row.trace });
    try {
      // A new id per ring: the store's own de-duplication must not swallow a ring that is meant to be heard.
      await context.with(trace, () => bus.publish(row.type, envelope, { messageId: `${row.id}:${row.rings}`, outbox: service }));
      if (row.consumers.length === 0) await database.query('update outbox set settled_at = now() where id = $1', [row.id]);
    } catch (error) {
      if (row.rings === 3) logger.warn({ err: error, eventId: row.id, type: row.type }, 'An event could not be published three times; trying again.');
      await bus.ensureStreams().catch(() => undefined);
    }
    if (row.rings === 12) logger.error({ eventId: row.id, type: row.type, consumers: row.consumers }, 'An event is not settled after ten minutes: a consumer is down or refuses it.');
  }

  #onSettled(body: unknown): void {
    const { id, consumer } = body as { id?: unknown; consumer?: unknown };
    if (typeof id !== 'string' || typeof consumer !== 'string') return;
    const ids = this.#settled.get(consumer) ?? new Set();
    this.#settled.set(consumer, ids.add(id));
    this.#settleTimer ??= setTimeout(() => void this.#writeSettled(), settleTogetherMs);
  }

  async #writeSettled(): Promise<void> {
    this.#settleTimer = undefined;
    const batch = [...this.#settled];
    this.#settled.clear();
    for (const [consumer, ids] of batch) {
      try {
        await this.#options.database.query(
          `update outbox set settled_by = array_append(settled_by, $1),
                  settled_at = case when consumers <@ array_append(settled_by, $1) then now() end
            where id = any($2::uuid[]) and settled_at is null and not ($1 = any(settled_by))`,
          [consumer, [...ids]],
        );
      } catch (error) {
        // Not written means rung again, and the consumer says so again.
        this.#options.logger.warn({ err: error }, 'Settled events could not be marked; they are rung once more.');
      }
    }
  }

  async #clean(): Promise<void> {
    const { database, logger } = this.#options;
    try {
      await database.query(`delete from outbox where settled_at < now() - $1 * interval '1 millisecond'`, [keepSettledMs]);
      // Longer than a message can live on the bus, so that a late one still finds its row.
      await database.query(`delete from inbox where handled_at < now() - interval '14 days'`);
    } catch (error) {
      logger.warn({ err: error }, 'Old outbox rows could not be removed; trying again later.');
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#sweepTimer);
    clearInterval(this.#cleanTimer);
    await this.#listening?.stop();
    await this.#pumping;
    clearTimeout(this.#settleTimer);
    await this.#writeSettled();
  }
}

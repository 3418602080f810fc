import { randomUUID } from 'node:crypto';
import type { EventDefinition } from '@rapporteur/contracts';
import { traceAsText } from './message-trace.ts';

/** A publisher's fields of one event; the table fills in the rest. */
export interface OutboxRow {
  readonly id: string;
  readonly type: string;
  readonly data: unknown;
  /** The trace the event belongs to; null outside one. */
  readonly trace: string | null;
  /** Services that must settle it. */
  readonly consumers: readonly string[];
}

/** Below NATS' limit of 1 MiB, which includes headers and envelope. */
export const largestEventBytes = 1_000_000;

/**
 * Makes the row of one event, for a statement that writes it with other data (`insertOutboxRowsSql`). Throws when the
 * data does not fit the definition or is too large for the bus.
 */
export function outboxRow<T>(definition: EventDefinition<T>, data: T, id: string = randomUUID()): OutboxRow {
  const { type, consumers } = definition;
  const parsed = definition.data.parse(data);
  const bytes = Buffer.byteLength(JSON.stringify(parsed));
  if (bytes > largestEventBytes) {
    throw new Error(`An event ${type} of ${bytes} bytes is too large for the bus (${largestEventBytes}).`);
  }
  return { id, type, data: parsed, trace: traceAsText(), consumers };
}

/**
 * SQL that adds rows to the outbox, in their order, in the transaction that it runs in. `rows` is an SQL expression for
 * a jsonb array of `OutboxRow`. Notify the outbox with their ids after the commit; otherwise the sweep publishes them
 * at `firstSweepAt`, an SQL expression (after five seconds when absent).
 */
export function insertOutboxRowsSql(rows: string, firstSweepAt?: string): string {
  const [column, value] = firstSweepAt === undefined ? ['', ''] : [', next_notification_at', `, ${firstSweepAt}`];
  return `insert into outbox (id, type, data, occurred_at, trace, consumers${column})
    select event.id, event.type, event.data, now(), event.trace, event.consumers${value}
    from jsonb_to_recordset(${rows}) as event(id uuid, type text, data jsonb, trace text, consumers text[])`;
}

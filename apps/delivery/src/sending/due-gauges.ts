import type { Database } from '@rapporteur/database';
import type { Handles } from '@rapporteur/service-runtime';
import type { deliveryMetrics } from '../metrics.ts';

/** However long the queue is, a scrape reads so many rows of an index at most. */
const mostCounted = 10_000;

/** Reads how much waits for an attempt. */
export async function readDueGauges(
  database: Database,
  { due, oldestDue }: Pick<Handles<typeof deliveryMetrics>, 'due' | 'oldestDue'>,
  now: Date,
): Promise<void> {
  for (const [to, table] of [
    ['endpoint', 'deliveries'],
    ['callback', 'calls'],
  ] as const) {
    const [row] = await database.query<{ due: number; oldest: Date | null }>(
      `select count(*)::int as due, min(next_attempt_at) as oldest from (
         select next_attempt_at from ${table}
          where state = 'pending' and lease_id is null and next_attempt_at <= $1
          order by next_attempt_at limit ${mostCounted}) as waiting`,
      [now],
    );
    due.set({ to }, row?.due ?? 0);
    oldestDue.set({ to }, row?.oldest == null ? 0 : (now.getTime() - row.oldest.getTime()) / 1_000);
  }
}

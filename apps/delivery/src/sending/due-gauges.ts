import type { Database } from '@rapporteur/database';
import type { Handles } from '@rapporteur/service-runtime';
import type { deliveryMetrics } from '../metrics.ts';

/** Limits the rows of an index that a scrape reads, for a queue of any length. */
const mostCounted = 10_000;

/** Counts deliveries that wait for an attempt. */
export async function readDueGauges(
  database: Database,
  { due, oldestDue }: Pick<Handles<typeof deliveryMetrics>, 'due' | 'oldestDue'>,
  now: Date,
): Promise<void> {
  const rows = await database.query<{ to: 'endpoint' | 'callback'; due: number; oldest: Date }>(
    `select case when e.owner_id is null then 'endpoint' else 'callback' end as to, count(*)::int as due,
            min(waiting.next_attempt_at) as oldest
       from (select endpoint_id, next_attempt_at from deliveries
              where state = 'pending' and lease_id is null and next_attempt_at <= $1
              order by next_attempt_at limit ${mostCounted}) as waiting
       join webhook_endpoints as e using (endpoint_id) group by 1`,
    [now],
  );
  for (const to of ['endpoint', 'callback'] as const) {
    const row = rows.find((one) => one.to === to);
    due.set({ to }, row?.due ?? 0);
    oldestDue.set({ to }, row === undefined ? 0 : (now.getTime() - row.oldest.getTime()) / 1_000);
  }
}

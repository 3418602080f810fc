import { defineMetrics } from '@rapporteur/service-runtime/metric-definitions';
import type { Database } from '@rapporteur/database';
import type { Handles } from '@rapporteur/service-runtime';

/** Limits the rows of an index that a scrape reads, for a queue of any length. */
const mostCounted = 10_000;

/** Metrics of this service, in addition to those of the runtime and the bus. */
export const deliveryMetrics = defineMetrics({
  attempts: {
    type: 'counter',
    name: 'rapporteur_webhook_attempts_total',
    unit: 'attempts',
    help: 'Attempts to deliver a message, by event, kind of receiver and outcome. not_sent: a failure of this service.',
    labels: {
      event: { boundedBy: 'event types of the public API', most: 60 },
      to: ['endpoint', 'callback', 'legacy'],
      outcome: ['succeeded', 'failed', 'cancelled', 'not_sent'],
    },
  },
  durations: {
    type: 'histogram',
    name: 'rapporteur_webhook_attempt_duration_seconds',
    unit: 'seconds',
    help: 'Time from opening a connection to a receiver to the end of its response.',
    labels: { outcome: ['succeeded', 'failed'] },
  },
  due: {
    type: 'gauge',
    name: 'rapporteur_deliveries_due',
    unit: 'deliveries',
    help: 'Deliveries whose next attempt is due, by kind of receiver. A count of the deployment, at most 10,000.',
    labels: { to: ['endpoint', 'callback'] },
  },
  oldestDue: {
    type: 'gauge',
    name: 'rapporteur_oldest_due_delivery_seconds',
    unit: 'seconds',
    help: 'Time for which the oldest due delivery has waited for its attempt; 0: none waits.',
    labels: { to: ['endpoint', 'callback'] },
  },
});

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

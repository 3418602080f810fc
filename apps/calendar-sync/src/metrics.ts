import { calendarProviderNames } from '@rapporteur/contracts';
import type { CalendarProviderName } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { defineMetrics } from '@rapporteur/service-runtime/metric-definitions';
import type { Handles } from '@rapporteur/service-runtime/metric-definitions';

/** Metrics of this service, in addition to those of the runtime, the bus and the providers. */
export const calendarMetrics = defineMetrics({
  syncs: {
    type: 'counter',
    name: 'rapporteur_calendar_syncs_total',
    unit: 'syncs',
    help: 'Syncs of calendars, by outcome.',
    labels: { outcome: ['synced', 'failed'] },
  },
  connections: {
    type: 'gauge',
    name: 'rapporteur_calendar_connections',
    unit: 'connections',
    help: 'Calendar connections, by provider and status. A count of the deployment.',
    labels: { provider: calendarProviderNames, status: ['active', 'error', 'revoked', 'permission_denied'] },
  },
  unreadableEvents: {
    type: 'gauge',
    name: 'rapporteur_calendar_unreadable_events',
    unit: 'events',
    help: 'Events of connected calendars that could not be read, by provider. A count of the deployment.',
    labels: { provider: calendarProviderNames },
  },
  overdueSync: {
    type: 'gauge',
    name: 'rapporteur_oldest_due_calendar_sync_seconds',
    unit: 'seconds',
    help: 'Time for which the oldest due sync has waited; 0: none waits.',
  },
  botsDue: {
    type: 'gauge',
    name: 'rapporteur_calendar_bots_due',
    unit: 'bots',
    help: 'Decisions on calendar bots that bot-scheduler has not taken over yet. A count of the deployment.',
  },
});

type CalendarGauges = Omit<Handles<typeof calendarMetrics>, 'syncs'>;

/** Reads the gauges of the deployment. */
export async function readCalendarGauges(database: Database, gauges: CalendarGauges, now: Date): Promise<void> {
  const counts = await database.query<{ platform: string; status: string; count: number }>(
    'select platform, status, count(*)::int as count from connections where deleted_at is null group by 1, 2',
  );
  const [row] = await database.query<{ oldest: Date | null; due: number }>(
    `select (select min(next_sync_at) from connections where next_sync_at <= $1 and deleted_at is null) as oldest,
       (select count(*)::int from wanted_bots where next_attempt_at <= $1) as due`,
    [now],
  );
  gauges.connections.reset();
  for (const { platform: provider, status, count } of counts) gauges.connections.set({ provider, status }, count);
  const unreadable = await database.query<{ provider: CalendarProviderName; count: number }>(
    `select platform as provider, count(*)::int as count from unreadable_events join connections using (calendar_id)
     where deleted_at is null group by 1`,
  );
  gauges.unreadableEvents.reset();
  for (const { provider, count } of unreadable) gauges.unreadableEvents.set({ provider }, count);
  gauges.overdueSync.set({}, row?.oldest == null ? 0 : (now.getTime() - row.oldest.getTime()) / 1_000);
  gauges.botsDue.set({}, row?.due ?? 0);
}

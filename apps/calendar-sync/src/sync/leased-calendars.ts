import { leasedRows } from '@rapporteur/work-queue';
import type { ConnectionRow } from '../schema/entities.ts';

/** Extended with every page; the lease of a dead process ends after this time. */
export const leaseMs = 60_000;

/** Only the holder of a calendar's lease syncs it. Notifications move its next sync while it is leased. */
export const leasedCalendars = leasedRows<ConnectionRow>({
  table: 'connections',
  key: ['calendar_id'],
  due: 'next_sync_at',
  until: 'sync_lease_until',
  lease: 'sync_lease',
});

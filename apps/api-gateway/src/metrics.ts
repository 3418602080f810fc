import { defineMetrics } from '@rapporteur/service-runtime/metric-definitions';

/** Metrics of this service beside those of its runtime. */
export const gatewayMetrics = defineMetrics({
  auditEntriesDropped: {
    type: 'counter',
    name: 'rapporteur_audit_entries_dropped_total',
    unit: 'entries',
    help: 'Entries of the audit log that were not stored: the database cannot store them, or too many waited for it.',
    labels: {},
  },
});

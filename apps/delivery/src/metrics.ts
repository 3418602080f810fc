import { defineMetrics } from '@rapporteur/service-runtime/metric-definitions';

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

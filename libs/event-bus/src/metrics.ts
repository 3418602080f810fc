/** Event metrics of every service; libs/service-runtime declares them. */
export const busMetrics = {
  handled: {
    type: 'histogram',
    name: 'rapporteur_event_handling_duration_seconds',
    unit: 'seconds',
    help: 'Time from the delivery of an event to the end of its handling, by outcome: handled, retried, dropped.',
    labels: {
      event: { boundedBy: 'subjects that the service consumes', most: 40 },
      outcome: ['handled', 'retried', 'dropped'],
    },
  },
  published: {
    type: 'counter',
    name: 'rapporteur_events_published_total',
    unit: 'events',
    help: 'Events of the outbox that were given to JetStream, by outcome: published, failed. A repetition counts again.',
    labels: {
      event: { boundedBy: 'event types of libs/contracts', most: 40 },
      outcome: ['published', 'failed'],
    },
  },
  unsettled: {
    type: 'gauge',
    name: 'rapporteur_outbox_unsettled_events',
    unit: 'events',
    help: 'Events in the outbox that not all of their consumers have settled.',
  },
  oldestUnsettled: {
    type: 'gauge',
    name: 'rapporteur_outbox_oldest_unsettled_seconds',
    unit: 'seconds',
    help: 'Age of the oldest event in the outbox that is not settled; 0: there is none.',
  },
} as const;

import { quantile } from './panel.ts';
import type { DashboardDescription } from './panel.ts';

export const controlPlane: DashboardDescription = {
  uid: 'rapporteur-control-plane',
  title: 'Rapporteur / Control plane',
  description: 'Rate, errors and duration of requests and events, the outbox, and the processes of all services.',
  rows: {
    Requests: [
      {
        title: 'Requests',
        description: 'Requests per second, by service.',
        unit: 'reqps',
        queries: {
          '{{component}}':
            'sum by (component) (rate(rapporteur_http_request_duration_seconds_count[$__rate_interval]))',
        },
      },
      {
        title: 'Errors',
        description: 'Share of responses with a status of 500 or more.',
        unit: 'percentunit',
        queries: {
          '{{component}}':
            'sum by (component) (rate(rapporteur_http_request_duration_seconds_count{status=~"5.."}[$__rate_interval])) / sum by (component) (rate(rapporteur_http_request_duration_seconds_count[$__rate_interval]))',
        },
      },
      {
        title: 'Duration',
        description: 'p50 and p99 by service.',
        unit: 's',
        queries: {
          'p50 {{component}}': quantile('rapporteur_http_request_duration_seconds', 0.5, ['service']),
          'p99 {{component}}': quantile('rapporteur_http_request_duration_seconds', 0.99, ['service']),
        },
      },
      {
        title: 'Slowest routes, p99',
        description: 'The ten slowest.',
        unit: 's',
        queries: {
          '{{method}} {{route}}': `topk(10, ${quantile('rapporteur_http_request_duration_seconds', 0.99, ['method', 'route'])})`,
        },
      },
      {
        title: 'Failures by code',
        description: 'Codes of the failure catalogue, per second.',
        unit: 'cps',
        queries: { '{{code}}': 'sum by (code) (rate(rapporteur_http_failures_total[$__rate_interval]))' },
      },
    ],
    Events: [
      {
        title: 'Handled events',
        description: 'Events per second, by outcome.',
        unit: 'cps',
        queries: {
          '{{outcome}}': 'sum by (outcome) (rate(rapporteur_event_handling_duration_seconds_count[$__rate_interval]))',
        },
      },
      {
        title: 'Published events',
        description: 'Events that were given to JetStream, per second.',
        unit: 'cps',
        queries: {
          '{{event}} {{outcome}}':
            'sum by (event, outcome) (rate(rapporteur_events_published_total[$__rate_interval]))',
        },
      },
      {
        title: 'Duration of handling, p99',
        description: 'By subject.',
        unit: 's',
        queries: { '{{event}}': quantile('rapporteur_event_handling_duration_seconds', 0.99, ['event']) },
      },
      {
        title: 'Outbox',
        description: 'Events that not all consumers have settled.',
        unit: 'short',
        queries: { '{{component}}': 'max by (component) (rapporteur_outbox_unsettled_events)' },
      },
      {
        title: 'Oldest unsettled event',
        description: 'Above ten minutes: runbook RapporteurOutboxStuck.',
        unit: 's',
        queries: { '{{component}}': 'max by (component) (rapporteur_outbox_oldest_unsettled_seconds)' },
      },
      {
        title: 'Reports of runners',
        description: 'By what became of them.',
        unit: 'cps',
        queries: { '{{outcome}}': 'sum by (outcome) (rate(rapporteur_runner_reports_total[$__rate_interval]))' },
      },
    ],
    Processes: [
      {
        title: 'Processor time',
        description: 'Cores in use by service.',
        unit: 'short',
        queries: { '{{component}}': 'sum by (component) (rate(process_cpu_seconds_total[$__rate_interval]))' },
      },
      {
        title: 'Resident memory',
        description: 'By service.',
        unit: 'bytes',
        queries: { '{{component}}': 'sum by (component) (process_resident_memory_bytes)' },
      },
      {
        title: 'Event loop lag, p99',
        description: 'Above 100 ms a process is overloaded.',
        unit: 's',
        queries: { '{{component}}': 'max by (component) (nodejs_eventloop_lag_p99_seconds)' },
      },
      {
        title: 'Gauges that could not be read',
        description: 'Reads of gauges from the database that failed.',
        unit: 'cps',
        queries: {
          '{{what}}': 'sum by (what) (rate(rapporteur_metrics_collection_failures_total[$__rate_interval]))',
        },
      },
    ],
  },
};

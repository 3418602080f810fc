import { quantile } from './panel.ts';
import type { DashboardDescription } from './panel.ts';

export const deliveries: DashboardDescription = {
  uid: 'rapporteur-deliveries',
  title: 'Rapporteur / Deliveries',
  description: 'Webhooks and callbacks to customers, and what comes before them.',
  rows: {
    Deliveries: [
      {
        title: 'Attempts by outcome',
        description: 'failed: the receiver did not accept. not_sent: a failure of this service.',
        unit: 'cps',
        queries: { '{{outcome}}': 'sum by (outcome) (rate(rapporteur_webhook_attempts_total[$__rate_interval]))' },
      },
      {
        title: 'Attempts by event',
        description: 'Attempts per second.',
        unit: 'cps',
        queries: { '{{event}}': 'sum by (event) (rate(rapporteur_webhook_attempts_total[$__rate_interval]))' },
      },
      {
        title: 'Latency of receivers',
        description: 'From opening the connection to the end of the response.',
        unit: 's',
        queries: {
          'p50 {{outcome}}': quantile('rapporteur_webhook_attempt_duration_seconds', 0.5, ['outcome']),
          'p99 {{outcome}}': quantile('rapporteur_webhook_attempt_duration_seconds', 0.99, ['outcome']),
        },
      },
      {
        title: 'Due deliveries',
        description: 'Deliveries whose next attempt is due.',
        unit: 'short',
        queries: { '{{to}}': 'max by (to) (rapporteur_deliveries_due)' },
      },
      {
        title: 'Oldest due delivery',
        description: 'Above ten minutes: runbook RapporteurDeliveriesDelayed.',
        unit: 's',
        queries: { '{{to}}': 'max by (to) (rapporteur_oldest_due_delivery_seconds)' },
      },
    ],
    Transcription: [
      {
        title: 'Transcriptions by outcome',
        description: 'Transcriptions that ended, per second.',
        unit: 'cps',
        queries: {
          '{{provider}} {{outcome}}':
            'sum by (provider, outcome) (rate(rapporteur_transcriptions_ended_total[$__rate_interval]))',
        },
      },
      {
        title: 'Open transcriptions',
        description: 'Transcriptions that have not ended.',
        unit: 'short',
        queries: { open: 'max(rapporteur_transcription_jobs)' },
      },
      {
        title: 'Oldest due transcription',
        description: 'Time that it has waited for a worker.',
        unit: 's',
        queries: { age: 'max(rapporteur_oldest_due_transcription_seconds)' },
      },
    ],
    Calendars: [
      {
        title: 'Syncs by outcome',
        description: 'Syncs of calendars per second.',
        unit: 'cps',
        queries: { '{{outcome}}': 'sum by (outcome) (rate(rapporteur_calendar_syncs_total[$__rate_interval]))' },
      },
      {
        title: 'Connections by status',
        description: 'A connection that is not active needs its owner.',
        unit: 'short',
        queries: { '{{provider}} {{status}}': 'max by (provider, status) (rapporteur_calendar_connections)' },
      },
      {
        title: 'Oldest due sync, and calendar bots that wait',
        description: 'Both are 0 when all is well.',
        unit: 'short',
        queries: {
          'oldest sync (s)': 'max(rapporteur_oldest_due_calendar_sync_seconds)',
          'waiting bots': 'max(rapporteur_calendar_bots_due)',
        },
      },
      {
        title: 'Latency of providers, p95',
        description: 'Calendar, transcription and Zoom requests.',
        unit: 's',
        queries: { '{{provider}}': quantile('rapporteur_provider_request_duration_seconds', 0.95, ['provider']) },
      },
      {
        title: 'Requests to providers that failed',
        description: 'Share of requests that were unreachable or got a 5xx.',
        unit: 'percentunit',
        queries: {
          '{{provider}}':
            'sum by (provider) (rate(rapporteur_provider_request_duration_seconds_count{outcome=~"failed|unreachable"}[$__rate_interval])) / sum by (provider) (rate(rapporteur_provider_request_duration_seconds_count[$__rate_interval]))',
        },
      },
    ],
  },
};

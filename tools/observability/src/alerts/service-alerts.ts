import type { AlertDescription } from './alert.ts';

const requests = (status: string): string =>
  `rapporteur_http_request_duration_seconds_count{component="api-gateway",status="${status}"}`;
const provided = (outcome: string): string =>
  `rapporteur_provider_request_duration_seconds_count{provider="google",outcome="${outcome}"}`;
const attempts = (outcome: string): string => `rapporteur_webhook_attempts_total{outcome="${outcome}"}`;

/** The console is optional. */
const everyService = [
  'api-gateway',
  'bot-scheduler',
  'calendar-sync',
  'delivery',
  'sso-idp',
  'storage-config',
  'transcriber',
];
const startedBy = (name: string): string => `process_start_time_seconds{component="${name}"}`;

/** Alerts on the services and their deliveries. */
export const serviceAlerts: readonly AlertDescription[] = [
  {
    name: 'RapporteurServiceDown',
    expr: 'up{job=~".*rapporteur.*"} == 0',
    for: '2m',
    severity: 'page',
    summary: 'Prometheus cannot scrape {{ $labels.instance }}.',
    labels: { job: 'meet-rapporteur-delivery', instance: 'delivery:8083' },
    fires: { 'up{job="meet-rapporteur-delivery",instance="delivery:8083"}': '1 0x30' },
    firesAt: '10m',
    silent: { 'up{job="meet-rapporteur-delivery",instance="delivery:8083"}': '1x30' },
  },
  {
    name: 'RapporteurServiceMissing',
    expr: everyService.map((name) => `absent(${startedBy(name)})`).join(' or '),
    for: '5m',
    severity: 'page',
    summary: 'Prometheus has no target that is {{ $labels.component }}.',
    labels: { component: 'delivery' },
    fires: Object.fromEntries(
      everyService.filter((name) => name !== 'delivery').map((name) => [startedBy(name), '1x30']),
    ),
    firesAt: '10m',
    silent: Object.fromEntries(everyService.map((name) => [startedBy(name), '1x30'])),
  },
  {
    name: 'RapporteurApiErrors',
    expr: 'sum by (component) (rate(rapporteur_http_request_duration_seconds_count{status=~"5.."}[10m])) / sum by (component) (rate(rapporteur_http_request_duration_seconds_count[10m])) > 0.01',
    for: '5m',
    severity: 'page',
    summary: 'More than 1 % of the responses of {{ $labels.component }} have a status of 500 or more.',
    labels: { component: 'api-gateway' },
    fires: { [requests('500')]: '0+5x60', [requests('200')]: '0+100x60' },
    firesAt: '30m',
    silent: { [requests('500')]: '0x60', [requests('200')]: '0+100x60' },
  },
  {
    name: 'RapporteurApiSlow',
    expr: 'histogram_quantile(0.99, sum by (le) (rate(rapporteur_http_request_duration_seconds_bucket{component="api-gateway"}[10m]))) > 2',
    for: '10m',
    severity: 'ticket',
    summary: 'One of a hundred requests to the API takes longer than two seconds.',
    fires: {
      'rapporteur_http_request_duration_seconds_bucket{component="api-gateway",le="1"}': '0+1x60',
      'rapporteur_http_request_duration_seconds_bucket{component="api-gateway",le="5"}': '0+10x60',
      'rapporteur_http_request_duration_seconds_bucket{component="api-gateway",le="+Inf"}': '0+10x60',
    },
    firesAt: '30m',
    silent: {
      'rapporteur_http_request_duration_seconds_bucket{component="api-gateway",le="1"}': '0+10x60',
      'rapporteur_http_request_duration_seconds_bucket{component="api-gateway",le="5"}': '0+10x60',
      'rapporteur_http_request_duration_seconds_bucket{component="api-gateway",le="+Inf"}': '0+10x60',
    },
  },
  {
    name: 'RapporteurOutboxStuck',
    expr: 'max by (component) (rapporteur_outbox_oldest_unsettled_seconds) > 600',
    for: '5m',
    severity: 'page',
    summary: 'An event of {{ $labels.component }} has not been settled for ten minutes.',
    labels: { component: 'bot-scheduler' },
    fires: { 'rapporteur_outbox_oldest_unsettled_seconds{component="bot-scheduler"}': '0+60x60' },
    firesAt: '30m',
    silent: { 'rapporteur_outbox_oldest_unsettled_seconds{component="bot-scheduler"}': '30x60' },
  },
  {
    name: 'RapporteurEventsDropped',
    expr: 'sum by (component, event) (increase(rapporteur_event_handling_duration_seconds_count{outcome="dropped"}[1h])) > 0',
    for: '0m',
    severity: 'ticket',
    summary: '{{ $labels.component }} cannot handle a message of {{ $labels.event }} and put it aside.',
    labels: { component: 'delivery', event: 'bots.v1.ended' },
    fires: {
      'rapporteur_event_handling_duration_seconds_count{component="delivery",event="bots.v1.ended",outcome="dropped"}':
        '0+1x30',
    },
    firesAt: '10m',
    silent: {
      'rapporteur_event_handling_duration_seconds_count{component="delivery",event="bots.v1.ended",outcome="dropped"}':
        '0x30',
    },
  },
  {
    name: 'RapporteurDeliveriesDelayed',
    expr: 'max by (to) (rapporteur_oldest_due_delivery_seconds) > 600',
    for: '5m',
    severity: 'page',
    summary: 'A delivery (to: {{ $labels.to }}) is due for more than ten minutes.',
    labels: { to: 'endpoint' },
    fires: { 'rapporteur_oldest_due_delivery_seconds{to="endpoint"}': '0+60x60' },
    firesAt: '30m',
    silent: { 'rapporteur_oldest_due_delivery_seconds{to="endpoint"}': '10x60' },
  },
  {
    name: 'RapporteurDeliveriesNotSent',
    expr: 'sum(rate(rapporteur_webhook_attempts_total{outcome="not_sent"}[10m])) / sum(rate(rapporteur_webhook_attempts_total[10m])) > 0.05',
    for: '5m',
    severity: 'page',
    summary: 'More than 5 % of the delivery attempts fail on our side.',
    fires: { [attempts('not_sent')]: '0+1x60', [attempts('succeeded')]: '0+1x60' },
    firesAt: '30m',
    silent: { [attempts('not_sent')]: '0x60', [attempts('succeeded')]: '0+1x60' },
  },
  {
    name: 'RapporteurProviderFails',
    expr: 'sum by (provider) (rate(rapporteur_provider_request_duration_seconds_count{outcome=~"failed|unreachable"}[15m])) / sum by (provider) (rate(rapporteur_provider_request_duration_seconds_count[15m])) > 0.2',
    for: '15m',
    severity: 'ticket',
    summary: 'More than 20 % of the requests to {{ $labels.provider }} fail.',
    labels: { provider: 'google' },
    fires: { [provided('unreachable')]: '0+1x60', [provided('succeeded')]: '0+1x60' },
    firesAt: '45m',
    silent: { [provided('unreachable')]: '0x60', [provided('succeeded')]: '0+1x60' },
  },
  {
    name: 'RapporteurTranscriptionsDelayed',
    expr: 'max(rapporteur_oldest_due_transcription_seconds) > 900',
    for: '10m',
    severity: 'ticket',
    summary: 'A transcription has waited for a worker for more than 15 minutes.',
    fires: { rapporteur_oldest_due_transcription_seconds: '0+60x60' },
    firesAt: '40m',
    silent: { rapporteur_oldest_due_transcription_seconds: '10x60' },
  },
  {
    name: 'RapporteurCalendarsStale',
    expr: 'max(rapporteur_oldest_due_calendar_sync_seconds) > 900',
    for: '10m',
    severity: 'page',
    summary: 'A calendar that is due has not been synced for more than 15 minutes: bots may be sent to old times.',
    fires: { rapporteur_oldest_due_calendar_sync_seconds: '0+60x60' },
    firesAt: '40m',
    silent: { rapporteur_oldest_due_calendar_sync_seconds: '10x60' },
  },
  {
    name: 'RapporteurGaugesUnread',
    expr: 'sum by (component) (increase(rapporteur_metrics_collection_failures_total[15m])) > 3',
    for: '5m',
    severity: 'ticket',
    summary: '{{ $labels.component }} cannot read its gauges from the database: other alerts are blind.',
    labels: { component: 'bot-scheduler' },
    fires: { 'rapporteur_metrics_collection_failures_total{component="bot-scheduler",what="bots"}': '0+1x60' },
    firesAt: '30m',
    silent: { 'rapporteur_metrics_collection_failures_total{component="bot-scheduler",what="bots"}': '0x60' },
  },
];

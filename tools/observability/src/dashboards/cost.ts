import type { DashboardDescription } from './panel.ts';

export const cost: DashboardDescription = {
  uid: 'rapporteur-cost',
  title: 'Rapporteur / Cost',
  description: 'What recordings cost. Of single bots and teams: GET /v2/usage.',
  rows: {
    Recordings: [
      {
        title: 'Recorded hours per hour',
        description: 'Recorded time by platform.',
        unit: 'short',
        queries: { '{{platform}}': 'sum by (platform) (rate(rapporteur_recorded_seconds_total[$__rate_interval]))' },
      },
      {
        title: 'Processor time per recorded hour',
        description: 'Core-hours of runner, browser and encoders per recorded hour.',
        unit: 'short',
        queries: {
          '{{platform}}':
            'sum by (platform) (rate(rapporteur_bot_cpu_seconds_total[$__rate_interval])) / sum by (platform) (rate(rapporteur_recorded_seconds_total[$__rate_interval]))',
        },
      },
      {
        title: 'Stored bytes per recorded second',
        description: 'Fragments and files.',
        unit: 'Bps',
        queries: {
          '{{platform}}':
            'sum by (platform) (rate(rapporteur_bot_uploaded_bytes_total[$__rate_interval])) / sum by (platform) (rate(rapporteur_recorded_seconds_total[$__rate_interval]))',
        },
      },
      {
        title: 'Launched runs',
        description: 'finalize: a second run was needed to make the files.',
        unit: 'cps',
        queries: { '{{mode}}': 'sum by (mode) (rate(rapporteur_runs_launched_total[$__rate_interval]))' },
      },
    ],
    Services: [
      {
        title: 'Processor time of services',
        description: 'Cores in use, bots left out.',
        unit: 'short',
        queries: { '{{component}}': 'sum by (component) (rate(process_cpu_seconds_total[$__rate_interval]))' },
      },
      {
        title: 'Requests to providers',
        description: 'Requests per second: many providers charge for them.',
        unit: 'reqps',
        queries: {
          '{{provider}}':
            'sum by (provider) (rate(rapporteur_provider_request_duration_seconds_count[$__rate_interval]))',
        },
      },
    ],
  },
};

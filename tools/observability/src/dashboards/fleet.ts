import { quantile } from './panel.ts';
import type { DashboardDescription } from './panel.ts';

export const fleet: DashboardDescription = {
  uid: 'rapporteur-fleet',
  title: 'Rapporteur / Fleet',
  description: 'Bots of all platforms: how many there are, whether they start in time and how they end.',
  rows: {
    Now: [
      {
        title: 'Bots that have not ended',
        description: 'A count of the deployment.',
        unit: 'short',
        kind: 'stat',
        queries: { bots: 'sum(max by (phase, platform) (rapporteur_bots))' },
      },
      {
        title: 'Slots in use',
        description: 'Share of maxConcurrentBots. At 100 % bots wait.',
        unit: 'percentunit',
        kind: 'stat',
        queries: { used: 'max(rapporteur_bot_slots_used) / max(rapporteur_bot_slots)' },
      },
      {
        title: 'Oldest waiting bot',
        description: 'Above a minute: runbook RapporteurBotsWait.',
        unit: 's',
        kind: 'stat',
        queries: { age: 'max(rapporteur_oldest_queued_bot_seconds)' },
      },
      {
        title: 'Completed, last hour',
        description: 'Share of the bots that ended.',
        unit: 'percentunit',
        kind: 'stat',
        queries: {
          completed:
            'sum(increase(rapporteur_bots_ended_total{outcome="completed"}[1h])) / sum(increase(rapporteur_bots_ended_total[1h]))',
        },
      },
    ],
    Bots: [
      {
        title: 'Bots by phase',
        description: 'Bots that have not ended.',
        unit: 'short',
        queries: { '{{phase}}': 'sum by (phase) (max by (phase, platform) (rapporteur_bots))' },
      },
      {
        title: 'Waiting bots',
        description: 'Due, and not launched yet.',
        unit: 'short',
        queries: { waiting: 'max(rapporteur_queued_bots)' },
      },
      {
        title: 'Time in phase, p95',
        description: 'Observed when bots leave the phase.',
        unit: 's',
        queries: { '{{phase}}': quantile('rapporteur_bot_phase_duration_seconds', 0.95, ['phase']) },
      },
      {
        title: 'Lateness of joins, p95',
        description: 'From join_at, or from the request of an immediate bot, until it begins to join.',
        unit: 's',
        queries: { '{{start}}': quantile('rapporteur_bot_join_lateness_seconds', 0.95, ['start']) },
      },
    ],
    Ends: [
      {
        title: 'Ends by reason',
        description: 'Bots per second.',
        unit: 'cps',
        queries: { '{{code}}': 'sum by (code) (rate(rapporteur_bots_ended_total[$__rate_interval]))' },
      },
      {
        title: 'Runs that failed',
        description: 'Runs that ended without reporting an end. lease_expired: the runner was silent.',
        unit: 'cps',
        queries: { '{{cause}}': 'sum by (cause) (rate(rapporteur_runs_failed_total[$__rate_interval]))' },
      },
      {
        title: 'Scheduled bots that were due',
        description: 'missed: the service was not running at the join time.',
        unit: 'cps',
        queries: { '{{outcome}}': 'sum by (outcome) (rate(rapporteur_scheduled_bots_due_total[$__rate_interval]))' },
      },
      {
        title: 'Lost media',
        description: 'Share of recorded time that recordings do not hold.',
        unit: 'percentunit',
        queries: {
          '{{platform}}':
            'sum by (platform) (rate(rapporteur_lost_media_seconds_total[$__rate_interval])) / sum by (platform) (rate(rapporteur_recorded_seconds_total[$__rate_interval]))',
        },
      },
    ],
  },
};

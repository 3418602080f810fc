import type { AlertDescription } from './alert.ts';

const ends = (platform: string, code: string, outcome: string): string =>
  `rapporteur_bots_ended_total{platform="${platform}",code="${code}",outcome="${outcome}"}`;

/** Alerts on bots as customers observe them. */
export const botAlerts: readonly AlertDescription[] = [
  {
    name: 'RapporteurPlatformJoinsFail',
    expr: 'sum by (platform) (increase(rapporteur_bots_ended_total{code="CANNOT_JOIN_MEETING"}[30m])) / sum by (platform) (increase(rapporteur_bots_ended_total[30m])) > 0.2 and sum by (platform) (increase(rapporteur_bots_ended_total[30m])) >= 10',
    for: '10m',
    severity: 'page',
    summary: 'More than 20 % of the bots on {{ $labels.platform }} cannot join: its pages may have changed.',
    labels: { platform: 'teams' },
    fires: {
      [ends('teams', 'CANNOT_JOIN_MEETING', 'failed')]: '0+1x60',
      [ends('teams', 'BOT_REMOVED', 'completed')]: '0+1x60',
    },
    firesAt: '50m',
    silent: {
      [ends('teams', 'CANNOT_JOIN_MEETING', 'failed')]: '0+1x60',
      [ends('teams', 'BOT_REMOVED', 'completed')]: '0+20x60',
    },
  },
  {
    name: 'RapporteurPlatformPageChanged',
    expr: 'sum by (platform, step, element) (max by (canary, platform, step, element) (rapporteur_canary_failures)) >= 2',
    for: '0m',
    severity: 'page',
    summary:
      'Two canaries on {{ $labels.platform }} failed at the step {{ $labels.step }} (element {{ $labels.element }}): its page has changed.',
    labels: { platform: 'meet', step: 'page', element: 'joinButton' },
    fires: {
      'rapporteur_canary_failures{canary="meet-daily",platform="meet",step="page",element="joinButton",pod="a"}':
        '1x10 2x20',
      'rapporteur_canary_failures{canary="meet-daily",platform="meet",step="page",element="joinButton",pod="b"}':
        '1x10 2x20',
    },
    firesAt: '15m',
    silent: {
      'rapporteur_canary_failures{canary="meet-daily",platform="meet",step="page",element="joinButton",pod="a"}':
        '1x30',
      'rapporteur_canary_failures{canary="meet-daily",platform="meet",step="page",element="joinButton",pod="b"}':
        '1x30',
      'rapporteur_canary_failures{canary="teams-daily",platform="teams",step="chat",element="chatButton"}': '1x30',
    },
  },
  {
    name: 'RapporteurCanaryWarns',
    expr: 'max by (canary, platform) (rapporteur_canary_warnings) == 1',
    for: '0m',
    severity: 'ticket',
    summary:
      'The canary {{ $labels.canary }} found an element of {{ $labels.platform }} by a late candidate only: its page is changing.',
    labels: { canary: 'meet-daily', platform: 'meet' },
    fires: { 'rapporteur_canary_warnings{canary="meet-daily",platform="meet"}': '0x5 1x25' },
    firesAt: '10m',
    silent: { 'rapporteur_canary_warnings{canary="meet-daily",platform="meet"}': '0x30' },
  },
  {
    name: 'RapporteurPagePackSuspended',
    expr: 'max by (platform) (rapporteur_page_packs{state="suspended"}) == 1',
    for: '0m',
    severity: 'page',
    summary: 'The newest page pack for {{ $labels.platform }} did worse than the one before and was taken back.',
    labels: { platform: 'meet' },
    fires: { 'rapporteur_page_packs{platform="meet",state="suspended"}': '0x5 1x25' },
    firesAt: '10m',
    silent: {
      'rapporteur_page_packs{platform="meet",state="suspended"}': '0x30',
      'rapporteur_page_packs{platform="meet",state="overlay"}': '1x30',
    },
  },
  {
    name: 'RapporteurPagePackRefused',
    expr: 'max by (reason) (rapporteur_page_pack_refused) == 1',
    for: '5m',
    severity: 'ticket',
    summary: 'Page packs are refused ({{ $labels.reason }}); the last good ones stay in use.',
    labels: { reason: 'unsigned' },
    fires: { 'rapporteur_page_pack_refused{reason="unsigned"}': '1x30' },
    firesAt: '10m',
    silent: { 'rapporteur_page_pack_refused{reason="unsigned"}': '0x30' },
  },
  {
    name: 'RapporteurPlatformSignalsLost',
    expr: 'sum by (platform) (increase(rapporteur_capture_strategy_switches_total[1h])) / sum by (platform) (increase(rapporteur_bots_ended_total{outcome="completed"}[1h])) > 0.3 and sum by (platform) (increase(rapporteur_bots_ended_total{outcome="completed"}[1h])) >= 10',
    for: '15m',
    severity: 'ticket',
    summary: 'Recordings on {{ $labels.platform }} fall back to another capture strategy: a layer of signals is lost.',
    labels: { platform: 'meet' },
    fires: {
      'rapporteur_capture_strategy_switches_total{platform="meet",media="video",reason="no_frames"}': '0+1x120',
      [ends('meet', 'BOT_REMOVED', 'completed')]: '0+1x120',
    },
    firesAt: '90m',
    silent: {
      'rapporteur_capture_strategy_switches_total{platform="meet",media="video",reason="no_frames"}': '0x120',
      [ends('meet', 'BOT_REMOVED', 'completed')]: '0+1x120',
    },
  },
  {
    name: 'RapporteurJoinsLate',
    expr: 'histogram_quantile(0.95, sum by (le) (rate(rapporteur_bot_join_lateness_seconds_bucket{start="scheduled"}[15m]))) > 30',
    for: '10m',
    severity: 'page',
    summary: 'One of twenty scheduled bots begins to join more than 30 s after its join time.',
    fires: {
      'rapporteur_bot_join_lateness_seconds_bucket{start="scheduled",le="30"}': '0+1x60',
      'rapporteur_bot_join_lateness_seconds_bucket{start="scheduled",le="60"}': '0+5x60',
      'rapporteur_bot_join_lateness_seconds_bucket{start="scheduled",le="+Inf"}': '0+5x60',
    },
    firesAt: '40m',
    silent: {
      'rapporteur_bot_join_lateness_seconds_bucket{start="scheduled",le="30"}': '0+5x60',
      'rapporteur_bot_join_lateness_seconds_bucket{start="scheduled",le="60"}': '0+5x60',
      'rapporteur_bot_join_lateness_seconds_bucket{start="scheduled",le="+Inf"}': '0+5x60',
    },
  },
  {
    name: 'RapporteurBotsWait',
    expr: 'max(rapporteur_oldest_queued_bot_seconds) > 120',
    for: '5m',
    severity: 'page',
    summary: 'A bot that is due has waited for more than two minutes for its launch.',
    fires: { 'rapporteur_oldest_queued_bot_seconds{component="bot-scheduler"}': '0+60x30' },
    firesAt: '20m',
    silent: { 'rapporteur_oldest_queued_bot_seconds{component="bot-scheduler"}': '100x30' },
  },
  {
    name: 'RapporteurSlotsNearlyFull',
    expr: 'max(rapporteur_bot_slots_used) / max(rapporteur_bot_slots) > 0.9',
    for: '10m',
    severity: 'ticket',
    summary: 'More than 90 % of the places for bots are in use: further bots will wait.',
    fires: { rapporteur_bot_slots_used: '95x30', rapporteur_bot_slots: '100x30' },
    firesAt: '15m',
    silent: { rapporteur_bot_slots_used: '80x30', rapporteur_bot_slots: '100x30' },
  },
  {
    name: 'RapporteurClusterUnreachable',
    expr: 'max by (cluster) (rapporteur_clusters_reachable) == 0',
    for: '5m',
    severity: 'page',
    summary: 'The API of the cluster {{ $labels.cluster }} has not responded for 5 minutes: it gets no bots.',
    labels: { cluster: 'west' },
    fires: { 'rapporteur_clusters_reachable{cluster="west"}': '0x30' },
    firesAt: '10m',
    silent: { 'rapporteur_clusters_reachable{cluster="west"}': '1x30' },
  },
  {
    name: 'RapporteurLeasesExpire',
    expr: 'sum(increase(rapporteur_runs_failed_total{cause="lease_expired"}[15m])) > 3',
    for: '0m',
    severity: 'page',
    summary: 'More than three runners stopped renewing their leases within 15 minutes.',
    fires: { 'rapporteur_runs_failed_total{cause="lease_expired",outcome="finalize"}': '0+1x30' },
    firesAt: '20m',
    silent: { 'rapporteur_runs_failed_total{cause="lease_expired",outcome="finalize"}': '0 0 1x28' },
  },
  {
    name: 'RapporteurRunsFail',
    expr: 'sum(increase(rapporteur_runs_failed_total{cause!="lease_expired"}[30m])) / sum(increase(rapporteur_runs_launched_total[30m])) > 0.1 and sum(increase(rapporteur_runs_launched_total[30m])) >= 10',
    for: '5m',
    severity: 'page',
    summary: 'More than 10 % of the runs do not start, or end without reporting an end.',
    fires: {
      'rapporteur_runs_failed_total{cause="start_failed",outcome="launch-again"}': '0+1x60',
      'rapporteur_runs_launched_total{mode="attend"}': '0+2x60',
    },
    firesAt: '45m',
    silent: {
      'rapporteur_runs_failed_total{cause="start_failed",outcome="launch-again"}': '0x60',
      'rapporteur_runs_launched_total{mode="attend"}': '0+2x60',
    },
  },
  {
    name: 'RapporteurMediaLost',
    expr: 'sum by (platform) (increase(rapporteur_lost_media_seconds_total[1h])) / sum by (platform) (increase(rapporteur_recorded_seconds_total[1h])) > 0.01',
    for: '5m',
    severity: 'page',
    summary: 'Recordings on {{ $labels.platform }} lack more than 1 % of their time.',
    labels: { platform: 'zoom' },
    fires: {
      'rapporteur_lost_media_seconds_total{platform="zoom"}': '0+5x120',
      'rapporteur_recorded_seconds_total{platform="zoom"}': '0+60x120',
    },
    firesAt: '90m',
    silent: {
      'rapporteur_lost_media_seconds_total{platform="zoom"}': '0+0.1x120',
      'rapporteur_recorded_seconds_total{platform="zoom"}': '0+60x120',
    },
  },
  {
    name: 'RapporteurScheduledBotsMissed',
    expr: 'sum(increase(rapporteur_scheduled_bots_due_total{outcome="missed"}[1h])) > 0',
    for: '0m',
    severity: 'page',
    summary: 'Scheduled bots did not join: the service was not running at their join time.',
    fires: { 'rapporteur_scheduled_bots_due_total{outcome="missed"}': '0+1x30' },
    firesAt: '10m',
    silent: { 'rapporteur_scheduled_bots_due_total{outcome="missed"}': '0x30' },
  },
  {
    name: 'RapporteurLoginSlotsFull',
    expr: 'max by (platform) (rapporteur_login_slots_used) / max by (platform) (rapporteur_login_slots) > 0.95',
    for: '10m',
    severity: 'ticket',
    summary: 'Nearly all login slots of {{ $labels.platform }} are in use: signed-in bots will be refused.',
    labels: { platform: 'meet' },
    fires: {
      'rapporteur_login_slots_used{platform="meet"}': '10x30',
      'rapporteur_login_slots{platform="meet"}': '10x30',
    },
    firesAt: '15m',
    silent: {
      'rapporteur_login_slots_used{platform="meet"}': '5x30',
      'rapporteur_login_slots{platform="meet"}': '10x30',
    },
  },
];

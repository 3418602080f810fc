import { quantile } from './panel.ts';
import type { DashboardDescription } from './panel.ts';

const of = '{platform=~"$platform"}';
const ends = `rapporteur_bots_ended_total${of}`;

export const platformHealth: DashboardDescription = {
  uid: 'rapporteur-platform',
  title: 'Rapporteur / Platform health',
  description: 'One meeting platform. Its pages change without notice: joins fail, or a layer of signals is lost.',
  byPlatform: true,
  rows: {
    Joining: [
      {
        title: 'Bots that could not join',
        description: 'Share of ends with CANNOT_JOIN_MEETING. A step up without a release of ours: the pages changed.',
        unit: 'percentunit',
        queries: {
          '{{platform}}': `sum by (platform) (rate(rapporteur_bots_ended_total{platform=~"$platform",code="CANNOT_JOIN_MEETING"}[$__rate_interval])) / sum by (platform) (rate(${ends}[$__rate_interval]))`,
        },
      },
      {
        title: 'Failed ends by reason',
        description: 'Bots per second.',
        unit: 'cps',
        queries: {
          '{{code}}':
            'sum by (code) (rate(rapporteur_bots_ended_total{platform=~"$platform",outcome="failed"}[$__rate_interval]))',
        },
      },
      {
        title: 'Time to join, p95',
        description: 'Phase joining: from the start of the page to the lobby or the call.',
        unit: 's',
        queries: {
          '{{platform}}': quantile(
            'rapporteur_bot_phase_duration_seconds',
            0.95,
            ['platform'],
            '{phase="joining",platform=~"$platform"}',
          ),
        },
      },
      {
        title: 'Time in the lobby, p95',
        description: 'Depends on hosts, not on this service.',
        unit: 's',
        queries: {
          '{{platform}}': quantile(
            'rapporteur_bot_phase_duration_seconds',
            0.95,
            ['platform'],
            '{phase="waiting",platform=~"$platform"}',
          ),
        },
      },
    ],
    Recording: [
      {
        title: 'Switches of the capture strategy',
        description: 'A strategy that stops working: a layer of signals of the pages is lost.',
        unit: 'cps',
        queries: {
          '{{media}} {{reason}}': `sum by (media, reason) (rate(rapporteur_capture_strategy_switches_total${of}[$__rate_interval]))`,
        },
      },
      {
        title: 'Lost media',
        description: 'Share of recorded time.',
        unit: 'percentunit',
        queries: {
          '{{platform}}': `sum by (platform) (rate(rapporteur_lost_media_seconds_total${of}[$__rate_interval])) / sum by (platform) (rate(rapporteur_recorded_seconds_total${of}[$__rate_interval]))`,
        },
      },
      {
        title: 'Bots by phase',
        description: 'Bots that have not ended.',
        unit: 'short',
        queries: { '{{phase}}': `sum by (phase) (max by (phase, platform) (rapporteur_bots${of}))` },
      },
    ],
    Page: [
      {
        title: 'Canaries that fail',
        description: 'Runs in a row that failed, by step and element. Two: the page has changed.',
        unit: 'short',
        queries: {
          '{{canary}} {{step}} {{element}}': `max by (canary, step, element) (rapporteur_canary_failures${of})`,
        },
      },
      {
        title: 'Canaries by outcome',
        description: 'Runs per second.',
        unit: 'cps',
        queries: { '{{outcome}}': `sum by (outcome) (rate(rapporteur_canary_runs_total${of}[$__rate_interval]))` },
      },
      {
        title: 'Elements found by a late candidate',
        description: "Share of matches of customers' bots that were not by the first candidate of the page pack.",
        unit: 'percentunit',
        queries: {
          '{{element}} {{pack}}': `sum by (element, pack) (rate(rapporteur_page_candidate_matches_total{platform=~"$platform",place!="first"}[$__rate_interval])) / sum by (element, pack) (rate(rapporteur_page_candidate_matches_total${of}[$__rate_interval]))`,
        },
      },
      {
        title: 'Page pack in use',
        description: '1: in use. suspended: the newest did worse, and bots use the one before.',
        unit: 'short',
        queries: { '{{platform}} {{state}}': `max by (platform, state) (rapporteur_page_packs${of})` },
      },
    ],
    Logins: [
      {
        title: 'Login slots in use',
        description: 'Signed-in bots wait for a login at 100 %.',
        unit: 'percentunit',
        queries: {
          '{{platform}}':
            'max by (platform) (rapporteur_login_slots_used) / max by (platform) (rapporteur_login_slots)',
        },
      },
      {
        title: 'Invalid logins',
        description: 'Logins that a failed sign-in made invalid.',
        unit: 'short',
        queries: { '{{platform}}': 'max by (platform) (rapporteur_logins{state="invalid"})' },
      },
    ],
  },
};

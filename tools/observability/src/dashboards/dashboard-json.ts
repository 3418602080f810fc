import { LegendDisplayMode, LegendPlacement, VizLegendOptionsBuilder } from '@grafana/grafana-foundation-sdk/common';
import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import {
  DashboardBuilder,
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  RowBuilder,
} from '@grafana/grafana-foundation-sdk/dashboard';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat';
import { PanelBuilder as GraphBuilder } from '@grafana/grafana-foundation-sdk/timeseries';
import { controlPlane } from './control-plane.ts';
import { deliveries } from './deliveries.ts';
import { quantile } from './panel.ts';
import type { DashboardDescription, PanelDescription } from './panel.ts';
import { platformHealth } from './platform-health.ts';

const fleet: DashboardDescription = {
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

const cost: DashboardDescription = {
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

export const dashboards = [fleet, platformHealth, deliveries, controlPlane, cost] as const;

const datasource = { type: 'prometheus', uid: '${datasource}' } as const;
const span = { graph: { width: 12, height: 8 }, stat: { width: 6, height: 4 } } as const;

/** The dashboard as Grafana imports it. */
export function dashboardJson({ uid, title, description, byPlatform = false, rows }: DashboardDescription): string {
  const builder = new DashboardBuilder(title)
    .uid(uid)
    .description(description)
    .tags(['rapporteur', 'generated'])
    .readonly()
    .refresh('1m')
    .time({ from: 'now-6h', to: 'now' })
    .timezone('browser')
    .withVariable(new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus'));
  if (byPlatform) builder.withVariable(platformVariable());
  for (const [row, panels] of Object.entries(rows)) {
    builder.withRow(new RowBuilder(row));
    for (const panel of panels) builder.withPanel(panelOf(panel));
  }
  return `${JSON.stringify(builder.build(), null, 2)}\n`;
}

function platformVariable(): QueryVariableBuilder {
  return new QueryVariableBuilder('platform')
    .label('Platform')
    .datasource(datasource)
    .query({ query: 'label_values(rapporteur_bots_ended_total, platform)', refId: 'platform' })
    .multi(true)
    .includeAll(true)
    .allValue('.*');
}

function legendBelow(): VizLegendOptionsBuilder {
  return new VizLegendOptionsBuilder()
    .showLegend(true)
    .displayMode(LegendDisplayMode.List)
    .placement(LegendPlacement.Bottom);
}

function panelOf({ title, description, unit, kind = 'graph', queries }: PanelDescription): Builder<Panel> {
  const builder = kind === 'stat' ? new StatBuilder() : new GraphBuilder().legend(legendBelow());
  const { width, height } = span[kind];
  builder.title(title).description(description).unit(unit).min(0).datasource(datasource).span(width).height(height);
  for (const [legend, expr] of Object.entries(queries)) {
    const query = new DataqueryBuilder().expr(expr).legendFormat(legend);
    // Links from a point of a latency graph to the trace that caused it.
    builder.withTarget(expr.startsWith('histogram_quantile') ? query.exemplar(true) : query);
  }
  return builder;
}

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
import { cost } from './cost.ts';
import { deliveries } from './deliveries.ts';
import { fleet } from './fleet.ts';
import type { DashboardDescription, PanelDescription } from './panel.ts';
import { platformHealth } from './platform-health.ts';

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

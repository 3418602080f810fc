/** One panel, as data: `dashboard-json.ts` builds it, and the tests run its expressions in Prometheus. */
export interface PanelDescription {
  readonly title: string;
  /** The meaning of the figure, and the action for a bad value. */
  readonly description: string;
  /** A unit of Grafana, or `short`. */
  readonly unit: string;
  readonly kind?: 'graph' | 'stat';
  /** PromQL by legend. `$__rate_interval` and `$platform` are variables of Grafana. */
  readonly queries: Readonly<Record<string, string>>;
}

export interface DashboardDescription {
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  /** Whether it has the variable `platform`. */
  readonly byPlatform?: boolean;
  readonly rows: Readonly<Record<string, readonly PanelDescription[]>>;
}

/** Quantile of a histogram over its series, grouped by these labels. */
export function quantile(histogram: string, share: number, by: readonly string[], selector = ''): string {
  const labels = ['le', ...by].join(', ');
  return `histogram_quantile(${share}, sum by (${labels}) (rate(${histogram}_bucket${selector}[$__rate_interval])))`;
}

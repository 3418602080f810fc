import { alertRules, alertTests } from './alerts/alert-rules.ts';
import { dashboardJson, dashboards } from './dashboards/dashboard-json.ts';
import { metricsPage } from './metrics-page.ts';

/** Every file that this tool writes, by its path in the repository. */
export function generatedFiles(): ReadonlyMap<string, string> {
  return new Map([
    ['docs/metrics.md', metricsPage()],
    ['deploy/prometheus/alerts.yml', alertRules()],
    ['deploy/prometheus/alerts.test.yml', alertTests()],
    ...dashboards.map((dashboard): [string, string] => [
      `deploy/grafana/${dashboard.uid}.json`,
      dashboardJson(dashboard),
    ]),
  ]);
}

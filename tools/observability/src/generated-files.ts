import { alertRules } from './alerts/alert-rules.ts';
import { dashboardJson, dashboards } from './dashboards/dashboard-json.ts';
import { metricsPage } from './metrics-page.ts';

/** Every file that this tool writes, by its path in the repository. */
export function generatedFiles(): ReadonlyMap<string, string> {
  return new Map([
    ['docs/metrics.md', metricsPage()],
    ['helm/rapporteur/files/alerts.yml', alertRules()],
    ...dashboards.map((dashboard): [string, string] => [
      `helm/rapporteur/files/dashboards/${dashboard.uid}.json`,
      dashboardJson(dashboard),
    ]),
  ]);
}

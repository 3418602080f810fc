import { metricsPage } from './metrics-page.ts';

/** Every file that this tool writes, by its path in the repository. */
export function generatedFiles(): ReadonlyMap<string, string> {
  return new Map([['docs/metrics.md', metricsPage()]]);
}

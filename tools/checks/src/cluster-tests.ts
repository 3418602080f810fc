import { MissingPrerequisite, startTestCluster } from '@rapporteur/cluster';
import { runJest } from './jest-run.ts';
import type { Totals } from './totals.ts';

/** The tests on a real control plane. A missing prerequisite is a failure that states what to install. */
export async function runClusterTests(
  filters: readonly string[],
  { soak = false }: { readonly soak?: boolean } = {},
): Promise<Totals> {
  process.stdout.write('\n== preparing a control plane\n');
  try {
    const cluster = await startTestCluster((text) => void process.stdout.write(`${text}\n`));
    try {
      const configFile = `tools/cluster/jest${soak ? '.soak' : ''}.config.mjs`;
      const environment = { KUBECONFIG: cluster.kubeconfigFile };
      return await runJest({ what: 'tests on a real control plane', configFile, filters, environment });
    } finally {
      await cluster.stop();
    }
  } catch (error) {
    process.stderr.write(`${error instanceof MissingPrerequisite ? error.message : String((error as Error).stack)}\n`);
    return { passed: 0, failed: 1, failures: [{ name: 'tests on a real control plane: no control plane' }] };
  }
}

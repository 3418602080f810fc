import { waitFor } from '@rapporteur/testbed';
import { describeLauncher } from '../../testing/launcher-conformance.ts';
import { openRealCluster } from '../../testing/real-cluster.ts';

describeLauncher('Kubernetes (real control plane)', async () => {
  const cluster = await openRealCluster();
  return {
    open: (behaviour) => cluster.open(behaviour),
    killFromOutside: (run) => cluster.kill(run, 137),
    anythingLeft: async (run) => (await cluster.podOf(run))?.status?.phase === 'Running',
    begun: async (run) => void (await waitFor(() => cluster.running(run), { what: 'the run' })),
    close: () => cluster.remove(),
  };
});

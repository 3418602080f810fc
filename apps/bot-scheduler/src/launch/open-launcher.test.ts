import { expect, test } from '@jest/globals';
import { createLogger, systemClock } from '@rapporteur/service-runtime';
import { openLauncher } from './open-launcher.ts';
import type { OpenLauncherOptions } from './open-launcher.ts';

const open = (config: Partial<OpenLauncherOptions['config']>) =>
  openLauncher({
    config: config as OpenLauncherOptions['config'],
    logger: createLogger('test', 'silent'),
    clock: systemClock,
  });

test.each<[Partial<OpenLauncherOptions['config']>, string]>([
  [
    { launcher: 'process', runsFolder: '/runs' },
    'RAPPORTEUR_RUNNER_ENTRY is missing: the launcher "process" needs it.',
  ],
  [{ launcher: 'process', runnerEntry: '/main.js' }, 'RAPPORTEUR_RUNS_FOLDER is missing'],
  [{ launcher: 'kubernetes', kubernetesImage: 'bot-runner:1' }, 'RAPPORTEUR_KUBERNETES_NAMESPACE is missing'],
  [{ launcher: 'kubernetes', kubernetesNamespace: 'bots' }, 'RAPPORTEUR_KUBERNETES_IMAGE is missing'],
  [
    {
      launcher: 'kubernetes',
      kubernetesNamespace: 'bots',
      kubernetesImage: 'bot-runner:1',
      kubernetesLeaveNodes: 'cordoned',
      movesDisplaced: false,
    },
    'RAPPORTEUR_MOVES_DISPLACED is false',
  ],
  [
    {
      launcher: 'kubernetes',
      kubernetesNamespace: 'bots',
      kubernetesImage: 'bot-runner:1',
      kubernetesClusters: [{ name: 'one', weight: 1, drain: false, pod: {}, kubeconfig: '/missing/one' }],
    },
    'RAPPORTEUR_KUBERNETES_CLUSTERS: kubeconfig of one cannot be read',
  ],
])('%j does not start: %s', async (config, message) => {
  await expect(open(config)).rejects.toThrow(message);
});

import { expect, test } from '@jest/globals';
import { createLogger, systemClock } from '@rapporteur/service-runtime';
import { jobSettings } from '../testing/fake-kubernetes/job-settings.ts';
import { launchSpec } from '../testing/launch-spec.ts';
import { writeJob } from './kubernetes/job-spec.ts';
import { openLauncher, runnerEnvironmentOf } from './open-launcher.ts';
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
  [{ launcher: 'kubernetes', runnerBusKeyFile: '/tls.key' }, 'RAPPORTEUR_RUNNER_BUS_CERT_FILE'],
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

test('a bot finds its client certificate for the bus in its pod', () => {
  const [certFile, keyFile] = ['/etc/rapporteur/bus/tls.crt', '/etc/rapporteur/bus/tls.key'];
  const config = { runnerBusCertFile: certFile, runnerBusKeyFile: keyFile } as OpenLauncherOptions['config'];
  const job = writeJob({ ...jobSettings, environment: runnerEnvironmentOf(config) }, launchSpec);
  expect(job.spec?.template.spec?.containers[0]?.env).toEqual(
    expect.arrayContaining([
      { name: 'RAPPORTEUR_BUS_CERT_FILE', value: certFile },
      { name: 'RAPPORTEUR_BUS_KEY_FILE', value: keyFile },
    ]),
  );
});

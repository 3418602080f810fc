import { createLogger, systemClock } from '@rapporteur/service-runtime';
import type { Clock } from '@rapporteur/service-runtime';
import { openJobApi } from '../../launch/kubernetes/job-api.ts';
import { loadKubeConfigText } from '../../launch/kubernetes/open-kubernetes-launcher.ts';
import { selectorOf } from '../../launch/kubernetes/job-spec.ts';
import { createKubernetesLauncher } from '../../launch/kubernetes/kubernetes-launcher.ts';
import type { KubernetesLauncherOptions } from '../../launch/kubernetes/kubernetes-launcher.ts';
import { fakeKubeconfig } from './fake-kubeconfig.ts';
import { jobSettings } from './job-settings.ts';

export interface TestLauncherOptions extends Partial<Omit<KubernetesLauncherOptions, 'api' | 'job'>> {
  readonly url: string;
  readonly clock?: Clock;
}

/** A Kubernetes launcher that is connected to a fake API server. */
export function openTestLauncher({ url, ...over }: TestLauncherOptions) {
  const config = loadKubeConfigText(fakeKubeconfig(url));
  return createKubernetesLauncher({
    api: openJobApi(config, { namespace: 'bots', labelSelector: selectorOf('test') }),
    job: jobSettings,
    createsPerSecond: 100,
    mostUnschedulable: 20,
    clock: systemClock,
    logger: createLogger('test', 'silent'),
    ...over,
  });
}

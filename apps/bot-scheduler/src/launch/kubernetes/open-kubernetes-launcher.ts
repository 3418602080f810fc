import type { BotLauncher } from '../launcher.ts';
import { openJobApi } from './job-api.ts';
import { loadKubeConfig } from './kube-config.ts';
import { selectorOf } from './job-spec.ts';
import { createKubernetesLauncher } from './kubernetes-launcher.ts';
import type { KubernetesLauncherOptions } from './kubernetes-launcher.ts';

export interface OpenKubernetesLauncherOptions extends Omit<KubernetesLauncherOptions, 'api'> {
  /** Absent: the service account of the pod that this service runs in. */
  readonly kubeconfigFile: string | undefined;
}

/** A launcher with a connection to the cluster of the kubeconfig file, or to the one it runs in. */
export function openKubernetesLauncher({ kubeconfigFile, ...options }: OpenKubernetesLauncherOptions): BotLauncher {
  const { namespace, instance } = options.job;
  const api = openJobApi(loadKubeConfig(kubeconfigFile), { namespace, labelSelector: selectorOf(instance) });
  return createKubernetesLauncher({ ...options, api });
}

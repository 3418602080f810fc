import { openJobApi } from './job-api.ts';
import { loadKubeConfig } from './kube-config.ts';
import { selectorOf } from './job-spec.ts';
import { createKubernetesLauncher } from './kubernetes-launcher.ts';
import type { KubernetesBotLauncher, KubernetesLauncherOptions } from './kubernetes-launcher.ts';

export interface OpenKubernetesLauncherOptions extends Omit<KubernetesLauncherOptions, 'api'> {
  /** Absent: the service account of this pod. */
  readonly kubeconfigFile: string | undefined;
}

/** A launcher that is connected to the cluster of the kubeconfig file, or to its own cluster. */
export function openKubernetesLauncher({
  kubeconfigFile,
  ...options
}: OpenKubernetesLauncherOptions): KubernetesBotLauncher {
  const { namespace, instance } = options.job;
  const api = openJobApi(loadKubeConfig(kubeconfigFile), { namespace, labelSelector: selectorOf(instance) });
  return createKubernetesLauncher({ ...options, api });
}

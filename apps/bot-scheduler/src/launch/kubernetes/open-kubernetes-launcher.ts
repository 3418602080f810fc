import { KubeConfig } from '@kubernetes/client-node';
import { openJobApi } from './job-api.ts';
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

type Request = Parameters<KubeConfig['applySecurityAuthentication']>[0];
type Connections = NonNullable<ReturnType<Request['getDispatcher']>>;

/**
 * A kubeconfig whose requests share connections while they use the same certificates. The client library alone opens a
 * connection, with a TLS handshake, for each request.
 */
class SharedConnections extends KubeConfig {
  #certificates = '';
  #sharedCertificates: string | null = null;
  #shared: Connections | undefined;

  override createDispatcherOptions(...[cluster, options]: Parameters<KubeConfig['createDispatcherOptions']>) {
    this.#certificates = [options.ca, options.cert, options.key].map(String).join();
    return super.createDispatcherOptions(cluster, options);
  }

  override async applySecurityAuthentication(request: Request): Promise<void> {
    await super.applySecurityAuthentication(request);
    if (this.#sharedCertificates !== this.#certificates) {
      this.#sharedCertificates = this.#certificates;
      this.#shared = request.getDispatcher();
    }
    if (this.#shared !== undefined) request.setDispatcher(this.#shared);
  }
}

/** Without a file: the service account of this pod, else the user's default. */
export function loadKubeConfig(file: string | undefined): KubeConfig {
  const config = new SharedConnections();
  if (file === undefined) config.loadFromDefault();
  else config.loadFromFile(file);
  return config;
}

/** Parses the text of a kubeconfig file. */
export function loadKubeConfigText(text: string): KubeConfig {
  const config = new SharedConnections();
  config.loadFromString(text);
  return config;
}

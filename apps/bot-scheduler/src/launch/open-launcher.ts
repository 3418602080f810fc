import { ConfigurationError } from '@rapporteur/service-runtime';
import type { ConfigOf, runtimeConfig } from '@rapporteur/service-runtime';
import type { SchedulerConfig } from '../config.ts';
import { podSettingsOf } from './clusters/cluster-settings.ts';
import type { ClusterSettings } from './clusters/cluster-settings.ts';
import type { KubernetesBotLauncher } from './kubernetes/kubernetes-launcher.ts';
import type { openKubernetesLauncher, OpenKubernetesLauncherOptions } from './kubernetes/open-kubernetes-launcher.ts';
import type { BotLauncher } from './launcher.ts';
import { createProcessLauncher } from './process-launcher.ts';
import type { Context } from '../schema/context.ts';

export interface OpenLauncherOptions extends Pick<Context, 'logger' | 'clock'> {
  readonly config: SchedulerConfig & ConfigOf<typeof runtimeConfig>;
}

/** The configured launcher. Throws ConfigurationError when one of its settings is missing. */
export async function openLauncher({ config, logger, clock }: OpenLauncherOptions): Promise<BotLauncher> {
  const environment = runnerEnvironmentOf(config);
  if (config.launcher === 'process') {
    const runnerEntry = required(config.runnerEntry, 'RAPPORTEUR_RUNNER_ENTRY', 'process');
    const runsFolder = required(config.runsFolder, 'RAPPORTEUR_RUNS_FOLDER', 'process');
    return createProcessLauncher({ runnerEntry, runsFolder, environment, logger, clock });
  }
  const namespace = required(config.kubernetesNamespace, 'RAPPORTEUR_KUBERNETES_NAMESPACE', 'kubernetes');
  const image = required(config.kubernetesImage, 'RAPPORTEUR_KUBERNETES_IMAGE', 'kubernetes');
  if (config.kubernetesLeaveNodes !== 'never' && config.movesDisplaced === false)
    throw new ConfigurationError(
      `RAPPORTEUR_KUBERNETES_LEAVE_NODES is ${config.kubernetesLeaveNodes} and RAPPORTEUR_MOVES_DISPLACED is false: bots that do not move cannot leave a node.`,
    );
  // Imported on demand: the Kubernetes client costs memory and start time.
  const { openKubernetesLauncher } = await import('./kubernetes/open-kubernetes-launcher.ts');
  const deployment = {
    job: {
      namespace,
      image,
      environment,
      instance: config.kubernetesInstance,
      pod: config.kubernetesPod,
      runDeadlineSeconds: seconds(config.kubernetesRunDeadlineMs),
      terminationGraceSeconds: seconds(config.kubernetesTerminationGraceMs),
      keepEndedSeconds: seconds(config.kubernetesKeepEndedMs),
    },
    kubeconfigFile: config.kubernetesConfigFile,
    createsPerSecond: config.kubernetesCreatesPerSecond,
    mostUnschedulable: config.kubernetesMostUnschedulable,
    leaveNodes: config.kubernetesLeaveNodes,
    budget: config.kubernetesDisruptionBudget,
    logger,
    clock,
  };
  if (config.kubernetesClusters.length === 0) return openKubernetesLauncher(deployment);
  const { createClustersLauncher } = await import('./clusters/clusters-launcher.ts');
  const clusters = config.kubernetesClusters.map((settings) => ({
    ...settings,
    launcher: openCluster(settings, deployment, openKubernetesLauncher),
  }));
  return createClustersLauncher({ clusters, logger, clock });
}

function openCluster(
  settings: ClusterSettings,
  { job, ...deployment }: OpenKubernetesLauncherOptions,
  open: typeof openKubernetesLauncher,
): KubernetesBotLauncher {
  const { name, kubeconfig = deployment.kubeconfigFile, namespace = job.namespace } = settings;
  const environment = { ...job.environment, ...addressesOf(settings) };
  try {
    return open({
      ...deployment,
      job: { ...job, namespace, environment, pod: podSettingsOf(job.pod, settings) },
      kubeconfigFile: kubeconfig,
      logger: deployment.logger.child({ cluster: name }),
    });
  } catch (error) {
    const why = (error as Error).message;
    throw new ConfigurationError(`RAPPORTEUR_KUBERNETES_CLUSTERS: kubeconfig of ${name} cannot be read: ${why}`);
  }
}

function addressesOf({ schedulerUrl, busUrl, storageUrl }: ClusterSettings): Record<string, string> {
  return {
    ...(schedulerUrl === undefined ? {} : { RAPPORTEUR_SCHEDULER_URL: schedulerUrl }),
    ...(busUrl === undefined ? {} : { RAPPORTEUR_BUS_URL: busUrl }),
    ...(storageUrl === undefined ? {} : { RAPPORTEUR_STORAGE_URL: storageUrl }),
  };
}

const seconds = (ms: number): number => Math.ceil(ms / 1_000);

/** Environment variables of every runner. Throws ConfigurationError for half of a client certificate. */
export function runnerEnvironmentOf(config: OpenLauncherOptions['config']): Record<string, string> {
  const { runnerBusCaFile, runnerBusCertFile, runnerBusKeyFile } = config;
  if ((runnerBusCertFile === undefined) !== (runnerBusKeyFile === undefined))
    throw new ConfigurationError(
      'RAPPORTEUR_RUNNER_BUS_CERT_FILE and RAPPORTEUR_RUNNER_BUS_KEY_FILE come together: set both or neither.',
    );
  return {
    RAPPORTEUR_SCHEDULER_URL: config.publicSchedulerUrl,
    RAPPORTEUR_LOG_LEVEL: config.logLevel,
    ...(config.tracesUrl === undefined ? {} : { RAPPORTEUR_TRACES_URL: config.tracesUrl }),
    ...(config.chromiumPath === undefined ? {} : { RAPPORTEUR_CHROMIUM_PATH: config.chromiumPath }),
    ...(config.runnerChromiumSandbox === false ? { RAPPORTEUR_CHROMIUM_SANDBOX: 'false' } : {}),
    ...(runnerBusCaFile === undefined ? {} : { RAPPORTEUR_BUS_CA_FILE: runnerBusCaFile }),
    ...(runnerBusCertFile === undefined ? {} : { RAPPORTEUR_BUS_CERT_FILE: runnerBusCertFile }),
    ...(runnerBusKeyFile === undefined ? {} : { RAPPORTEUR_BUS_KEY_FILE: runnerBusKeyFile }),
  };
}

function required(value: string | undefined, setting: string, launcher: SchedulerConfig['launcher']): string {
  if (value !== undefined) return value;
  throw new ConfigurationError(`${setting} is missing: the launcher "${launcher}" needs it.`);
}

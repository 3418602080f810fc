import type {
  V1Affinity,
  V1Container,
  V1EnvVar,
  V1Job,
  V1PodSpec,
  V1ResourceRequirements,
  V1Toleration,
  V1TopologySpreadConstraint,
  V1Volume,
  V1VolumeMount,
} from '@kubernetes/client-node';
import { runnerStart } from '@rapporteur/contracts';
import type { MeetingPlatformName } from '@rapporteur/contracts';
import type { LaunchSpec } from '../launcher.ts';
import type { PodSettings } from './pod-settings.ts';

export interface JobSettings {
  readonly namespace: string;
  /** Distinguishes this deployment's Jobs from those of another one in the same namespace. */
  readonly instance: string;
  readonly image: string;
  /** Environment variables of the runner, besides its ticket and its work folder. */
  readonly environment: Readonly<Record<string, string>>;
  /** The kubelet ends a run that lasts longer. */
  readonly runDeadlineSeconds: number;
  readonly terminationGraceSeconds: number;
  /** How long an ended Job is kept for `kubectl get` and `kubectl logs`. */
  readonly keepEndedSeconds: number;
  readonly pod: PodSettings;
}

const prefix = 'rapporteur.dev';
/** Labels by which this service and operators select Jobs and pods. */
export const labels = {
  name: 'app.kubernetes.io/name',
  instance: 'app.kubernetes.io/instance',
  component: 'app.kubernetes.io/component',
  managedBy: 'app.kubernetes.io/managed-by',
  bot: `${prefix}/bot`,
  team: `${prefix}/team`,
  attempt: `${prefix}/attempt`,
  platform: `${prefix}/platform`,
  mode: `${prefix}/mode`,
} as const;
/** The label of a Job's pods with its name, set by Kubernetes. */
export const jobNameLabel = 'batch.kubernetes.io/job-name';
/** Kueue recognizes the Jobs of a queue by this label. */
export const queueLabel = 'kueue.x-k8s.io/queue-name';
export const containerName = 'bot-runner';
export const ticketVariable = 'RAPPORTEUR_LAUNCH_TICKET';
const managedBy = 'rapporteur-bot-scheduler';
const workFolder = '/work';
/** The Job's deadline deletes the pod and with it the evidence, so the pod's deadline is earlier. */
const jobDeadlineMarginSeconds = 300;

/** Selects every Job and pod of this deployment's bots. */
export function selectorOf(instance: string): string {
  return `${labels.name}=${containerName},${labels.instance}=${instance},${labels.managedBy}=${managedBy}`;
}

/** The Job of one attempt of one bot, away from the late runs. Pure: equal input results in an equal Job. */
export function writeJob(settings: JobSettings, spec: LaunchSpec, lateRuns: readonly string[] = []): V1Job {
  const { queue } = settings.pod;
  const metadata = { labels: labelsOf(settings, spec), annotations: annotationsOf(settings) };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: spec.name,
      namespace: settings.namespace,
      ...metadata,
      labels: { ...metadata.labels, ...(queue === '' ? {} : { [queueLabel]: queue }) },
    },
    spec: {
      // Also set by Kueue itself: where it does not manage the namespace, nothing starts beside its quota.
      ...(queue === '' ? {} : { suspend: true }),
      backoffLimit: 0,
      completions: 1,
      parallelism: 1,
      podReplacementPolicy: 'Failed',
      activeDeadlineSeconds: settings.runDeadlineSeconds + settings.terminationGraceSeconds + jobDeadlineMarginSeconds,
      ttlSecondsAfterFinished: settings.keepEndedSeconds,
      template: { metadata, spec: podOf(settings, spec, lateRuns) },
    },
  };
}

function labelsOf({ instance, pod }: JobSettings, spec: LaunchSpec): Record<string, string> {
  return {
    ...pod.labels,
    [labels.name]: containerName,
    [labels.instance]: instance,
    [labels.component]: 'bot',
    [labels.managedBy]: managedBy,
    [labels.bot]: spec.botId,
    [labels.team]: spec.teamId,
    [labels.attempt]: String(spec.attempt),
    [labels.platform]: spec.platform,
    [labels.mode]: spec.mode,
  };
}

function annotationsOf({ pod }: JobSettings): Record<string, string> {
  return {
    'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false',
    'karpenter.sh/do-not-disrupt': 'true',
    'kubectl.kubernetes.io/default-container': containerName,
    ...pod.annotations,
  };
}

function podOf(settings: JobSettings, spec: LaunchSpec, lateRuns: readonly string[]): V1PodSpec {
  const { pod } = settings;
  const priority =
    spec.mode === 'finalize' ? (pod.finalizePriorityClassName ?? pod.priorityClassName) : pod.priorityClassName;
  return {
    restartPolicy: 'Never',
    activeDeadlineSeconds: settings.runDeadlineSeconds,
    terminationGracePeriodSeconds: settings.terminationGraceSeconds,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    ...(pod.serviceAccountName === undefined ? {} : { serviceAccountName: pod.serviceAccountName }),
    ...(priority === undefined ? {} : { priorityClassName: priority }),
    ...(pod.runtimeClassName === undefined ? {} : { runtimeClassName: pod.runtimeClassName }),
    ...(pod.dnsPolicy === undefined ? {} : { dnsPolicy: pod.dnsPolicy }),
    ...(pod.dnsConfig === undefined ? {} : { dnsConfig: pod.dnsConfig }),
    ...(pod.hostAliases.length === 0 ? {} : { hostAliases: pod.hostAliases }),
    ...(pod.initContainers.length === 0 ? {} : { initContainers: pod.initContainers as V1Container[] }),
    nodeSelector: pod.nodeSelector,
    tolerations: pod.tolerations as V1Toleration[],
    ...placementOf(settings, spec, lateRuns),
    imagePullSecrets: pod.imagePullSecrets.map((name) => ({ name })),
    securityContext: {
      runAsNonRoot: true,
      ...(pod.runAsUser === undefined
        ? {}
        : { runAsUser: pod.runAsUser, runAsGroup: pod.runAsUser, fsGroup: pod.runAsUser }),
      seccompProfile:
        pod.seccompProfile === undefined
          ? { type: 'RuntimeDefault' }
          : { type: 'Localhost', localhostProfile: pod.seccompProfile },
    },
    containers: [containerOf(settings, spec)],
    volumes: [
      { name: 'work', emptyDir: { sizeLimit: pod.workFolderSize } },
      { name: 'tmp', emptyDir: { sizeLimit: pod.temporaryFolderSize } },
      { name: 'shared-memory', emptyDir: { medium: 'Memory', sizeLimit: pod.sharedMemory } },
      ...(pod.extraVolumes as V1Volume[]),
    ],
  };
}

/** The operator's plain object, not an instance of the client's classes. */
type Affinity = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
type AffinityRule = readonly [kind: 'podAffinity' | 'podAntiAffinity', list: string, rule: object];
const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
const topologyKey = 'kubernetes.io/hostname';

/**
 * Spreads or packs pods over nodes, or uses the operator's constraints, and avoids the nodes of late runs; other
 * affinities of the operator are kept.
 */
function placementOf(
  { pod, instance }: JobSettings,
  spec: LaunchSpec,
  lateRuns: readonly string[],
): Pick<V1PodSpec, 'affinity' | 'topologySpreadConstraints'> {
  const labelSelector = { matchLabels: { [labels.name]: containerName, [labels.instance]: instance } };
  const packed = { weight: 100, podAffinityTerm: { topologyKey, labelSelector } };
  const rules: AffinityRule[] = [
    ...(pod.scheduling === 'pack' ? [['podAffinity', preferred, packed] as const] : []),
    ...(lateRuns.length === 0
      ? []
      : [avoidingRule(lateRuns.slice(0, mostAvoided), spec.waitsForCpu && pod.queue === '')]),
  ];
  const given = pod.affinity as Affinity | undefined;
  const affinity = rules.length === 0 ? given : rules.reduce(withRule, given ?? {});
  const spread = { maxSkew: 1, topologyKey, whenUnsatisfiable: 'ScheduleAnyway', labelSelector };
  const constraints = pod.scheduling === 'spread' ? [spread] : pod.scheduling;
  return {
    ...(affinity === undefined ? {} : { affinity: affinity as V1Affinity }),
    ...(constraints === 'pack'
      ? {}
      : { topologySpreadConstraints: constraints as unknown as V1TopologySpreadConstraint[] }),
  };
}

/** Bounds the size of a Job. */
const mostAvoided = 500;

/**
 * The rule names runs, so that it ends with them, and no nodes: Karpenter adds none for a pod that excludes some by name.
 * A bot whose meeting has begun starts beside the runs rather than not at all, and so does one that a queue may hold for
 * longer than they are late.
 */
function avoidingRule(runs: readonly string[], isRequired: boolean): AffinityRule {
  const labelSelector = { matchExpressions: [{ key: jobNameLabel, operator: 'In', values: runs }] };
  const podAffinityTerm = { topologyKey, labelSelector };
  return isRequired
    ? ['podAntiAffinity', required, podAffinityTerm]
    : ['podAntiAffinity', preferred, { weight: 100, podAffinityTerm }];
}

function withRule(affinity: Affinity, [kind, list, rule]: AffinityRule): Affinity {
  const rules = (affinity[kind]?.[list] ?? []) as readonly object[];
  return { ...affinity, [kind]: { ...affinity[kind], [list]: [...rules, rule] } };
}

/** The runs whose nodes the pod of a Job must avoid. */
export function avoidedRunsOf(job: V1Job | null): readonly string[] {
  const terms = job?.spec?.template?.spec?.affinity?.podAntiAffinity?.[required] ?? [];
  const expressions = terms.flatMap(({ labelSelector }) => labelSelector?.matchExpressions ?? []);
  return expressions.filter(({ key }) => key === jobNameLabel).flatMap(({ values = [] }) => values);
}

function containerOf(settings: JobSettings, spec: LaunchSpec): V1Container {
  return {
    name: containerName,
    image: settings.image,
    imagePullPolicy: settings.pod.imagePullPolicy,
    // Not `command`: the image's entry point is an init process, which reaps orphans of the browser.
    args: ['node', ...runnerStart.nodeArguments, '/app/bot-runner/main.js'],
    workingDir: workFolder,
    env: environmentOf(settings, spec),
    resources: resourcesOf(settings.pod, spec),
    // The last log lines of a failed container stay in the pod's status.
    terminationMessagePolicy: 'FallbackToLogsOnError',
    securityContext: {
      allowPrivilegeEscalation: false,
      privileged: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    volumeMounts: [
      { name: 'work', mountPath: workFolder },
      { name: 'tmp', mountPath: '/tmp' },
      { name: 'shared-memory', mountPath: '/dev/shm' },
      ...(settings.pod.extraVolumeMounts as V1VolumeMount[]),
    ],
  };
}

function environmentOf({ environment, pod, terminationGraceSeconds }: JobSettings, spec: LaunchSpec): V1EnvVar[] {
  const all: Record<string, string> = {
    ...runnerStart.environment,
    ...environment,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    HOME: workFolder,
    TMPDIR: '/tmp',
    RAPPORTEUR_WORK_FOLDER: workFolder,
    RAPPORTEUR_TERMINATION_GRACE_MS: String(terminationGraceSeconds * 1_000),
    RAPPORTEUR_OWN_CONTAINER: 'true',
    [ticketVariable]: spec.ticket,
  };
  const extra = pod.extraEnv.filter(({ name }) => !(name in all));
  return [...(extra as V1EnvVar[]), ...Object.entries(all).map(([name, value]) => ({ name, value }))];
}

function resourcesOf({ resources, resourcesBy }: PodSettings, spec: LaunchSpec): V1ResourceRequirements {
  const kind = spec.mode === 'finalize' ? 'finalize' : spec.recordingMode;
  const wanted = resourcesBy[spec.platform]?.[kind] ?? resourcesBy.any?.[kind] ?? resources;
  return wanted ?? measuredResources[spec.platform]?.[kind] ?? usualResources;
}

type Measured = Readonly<Partial<Record<MeetingPlatformName, Readonly<Partial<Record<string, Amounts>>>>>>;
interface Amounts {
  readonly requests: Readonly<Record<string, string>>;
  readonly limits: Readonly<Record<string, string>>;
}

/** Fragments that wait for their upload, and the pages' cache. */
const disk = { requests: { 'ephemeral-storage': '4Gi' }, limits: { 'ephemeral-storage': '8Gi' } };

/** No CPU limit: throttled media loses frames. The memory limit has room for pages that are heavier than those measured. */
function amountsOf(cpu: string, memory: string): Amounts {
  return { requests: { cpu, memory, ...disk.requests }, limits: { memory: '2Gi', ...disk.limits } };
}

/** For runs without a measurement. */
export const usualResources = amountsOf('1', '2Gi');

/** Measured by platform and recording mode: the table of docs/operating.md, "Size". */
export const measuredResources: Measured = {
  meet: {
    speaker_view: amountsOf('500m', '1.25Gi'),
    gallery_view: amountsOf('1', '1.25Gi'),
    audio_only: amountsOf('350m', '1.25Gi'),
  },
  teams: { speaker_view: amountsOf('500m', '1.25Gi'), audio_only: amountsOf('250m', '1Gi') },
  zoom: { speaker_view: amountsOf('750m', '1.5Gi'), audio_only: amountsOf('350m', '1.25Gi') },
};

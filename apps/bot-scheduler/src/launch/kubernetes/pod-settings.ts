import { z } from 'zod';
import { meetingPlatform } from '@rapporteur/contracts';
import { jsonText } from '../../schema/json-text.ts';

/** Settings of bots' pods. One JSON document, so that a chart can pass its values unchanged. */
const quantity = z
  .string()
  .regex(/^\d+(\.\d+)?(m|k|M|G|T|Ki|Mi|Gi|Ti)?$/, 'must be a Kubernetes quantity such as 500m or 2Gi');
const amounts = z.record(z.string(), quantity);
const resources = z.strictObject({ requests: amounts.default({}), limits: amounts.default({}) });
const recordingMode = z.enum(['audio_only', 'speaker_view', 'gallery_view', 'finalize']);
const toleration = z.strictObject({
  key: z.string().optional(),
  operator: z.enum(['Exists', 'Equal']).optional(),
  value: z.string().optional(),
  effect: z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute']).optional(),
  tolerationSeconds: z.int().optional(),
});

/** Kubernetes objects, which the API server validates; only the parts that this service uses are validated here. */
const named = z.looseObject({ name: z.string().min(1) });
const mount = z.looseObject({ name: z.string().min(1), mountPath: z.string().startsWith('/') });

export const podSettings = z.strictObject({
  /** For every bot without an entry below; absent: measured ones (`measuredResources`). No CPU limit: throttled media loses frames. */
  resources: resources.optional(),
  /** Resources by platform and recording mode (or `finalize`); `any` matches every platform. */
  resourcesBy: z
    .partialRecord(z.enum([...meetingPlatform.options, 'any']), z.partialRecord(recordingMode, resources))
    .default({}),
  /** Queue of Kueue (LocalQueue) of the Jobs; empty: none. Jobs are created suspended, and Kueue starts them. */
  queue: z
    .union([
      z.literal(''),
      z.string().regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/, 'must be the name of a LocalQueue'),
    ])
    .default(''),
  labels: z.record(z.string(), z.string()).default({}),
  annotations: z.record(z.string(), z.string()).default({}),
  nodeSelector: z.record(z.string(), z.string()).default({}),
  tolerations: z.array(toleration).default([]),
  affinity: z.record(z.string(), z.unknown()).optional(),
  /**
   * spread: over the nodes; pack: onto nodes that have bots, so that others become empty; or the operator's own
   * topologySpreadConstraints.
   */
  scheduling: z
    .union([z.enum(['spread', 'pack']), z.array(z.looseObject({ topologyKey: z.string().min(1) }))])
    .default('spread'),
  /** Environment of the container. A runner does not start with a setting that it does not have. */
  extraEnv: z
    .array(
      named.refine(({ name }) => !name.startsWith('RAPPORTEUR_'), 'settings of bots are settings of bot-scheduler'),
    )
    .default([]),
  extraVolumes: z.array(named).default([]),
  extraVolumeMounts: z.array(mount).default([]),
  /** Containers before the runner; a sidecar is one with `restartPolicy: Always`, so that the Job ends without it. */
  initContainers: z.array(named).default([]),
  /** gVisor or Kata, for example. Chromium's own sandbox needs user namespaces in it (`docs/guides/kubernetes.md`). */
  runtimeClassName: z.string().min(1).optional(),
  hostAliases: z.array(z.looseObject({ ip: z.string() })).default([]),
  dnsPolicy: z.enum(['ClusterFirst', 'Default', 'None']).optional(),
  dnsConfig: z.record(z.string(), z.unknown()).optional(),
  priorityClassName: z.string().optional(),
  /** For runs that save the recording of a failed run. */
  finalizePriorityClassName: z.string().optional(),
  serviceAccountName: z.string().optional(),
  imagePullPolicy: z.enum(['Always', 'IfNotPresent', 'Never']).default('IfNotPresent'),
  imagePullSecrets: z.array(z.string()).default([]),
  /** User, group and group of volumes; absent: the image's, or assigned by the cluster (OpenShift). */
  runAsUser: z.int().min(1).optional(),
  /**
   * Profile below the kubelet's seccomp folder; absent: RuntimeDefault, under which Chromium has no sandbox of its own.
   */
  seccompProfile: z.string().optional(),
  sharedMemory: quantity.default('512Mi'),
  workFolderSize: quantity.default('8Gi'),
  temporaryFolderSize: quantity.default('1Gi'),
});
export type PodSettings = z.infer<typeof podSettings>;

/** Parses the value of the environment variable. */
export const podSettingsText = (): z.ZodType<PodSettings, string> => jsonText<PodSettings>(podSettings);

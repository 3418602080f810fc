import { z } from 'zod';
import { readBusAddress } from '@rapporteur/event-bus';
import { httpUrl } from '@rapporteur/service-runtime';
import { jsonText } from '../../schema/json-text.ts';
import { podSettings } from '../kubernetes/pod-settings.ts';
import type { PodSettings } from '../kubernetes/pod-settings.ts';

/** The name of a namespace, and of a cluster. */
export const labelName = z
  .string()
  .regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/, 'must be 1 to 63 lower-case letters, digits and dashes');

function isBusAddress({ value, issues }: z.core.ParsePayload<string>): void {
  try {
    readBusAddress(value);
  } catch (error) {
    issues.push({ code: 'custom', input: '', message: (error as Error).message });
  }
}

const cluster = z.strictObject({
  /** In the log, in metrics and in `GET /capacity`. */
  name: labelName,
  /** Kubeconfig file; absent: that of the deployment, else the service account of this pod. */
  kubeconfig: z.string().startsWith('/', 'must be the absolute path of a file').optional(),
  /** Absent: that of the deployment. */
  namespace: labelName.optional(),
  /** Share of the running bots, relative to those of the other clusters. 0: no new bot; running ones stay. */
  weight: z.int().min(0).max(1_000).default(1),
  /** No new bot, and running ones move to the other clusters. */
  drain: z.boolean().default(false),
  /** Addresses for the runners of this cluster; absent: those of the deployment. */
  schedulerUrl: httpUrl().optional(),
  busUrl: z.string().check(isBusAddress).optional(),
  storageUrl: httpUrl().optional(),
  /** Settings of pods that replace those of the deployment, by key; null: the default. */
  pod: z.record(z.string(), z.unknown()).default({}),
});
export type ClusterSettings = z.infer<typeof cluster>;

const clusters = z
  .array(cluster)
  .max(50)
  .superRefine((all, context) => {
    const problem = (index: number, field: keyof ClusterSettings, message: string): void =>
      context.addIssue({ code: 'custom', path: [index, field], message });
    all.forEach((one, index) => {
      const earlier = all.slice(0, index);
      if (earlier.some(({ name }) => name === one.name)) problem(index, 'name', `two clusters are called ${one.name}`);
      const same = earlier.find((other) => other.kubeconfig === one.kubeconfig && other.namespace === one.namespace);
      if (same !== undefined) problem(index, 'kubeconfig', `is that of ${same.name}, in the same namespace`);
      for (const issue of podSettings.safeParse(withoutNull(one.pod)).error?.issues ?? [])
        context.addIssue({ code: 'custom', path: [index, 'pod', ...issue.path], message: issue.message });
    });
    if (all.length > 0 && !all.some(takesBots))
      problem(0, 'weight', 'no cluster takes new bots: one needs a weight above 0 and no drain');
  });

/** Parses the value of the environment variable. */
export const clustersText = (): z.ZodType<ClusterSettings[], string> => jsonText<ClusterSettings[]>(clusters);

/** Whether new bots may be launched there. */
export function takesBots({ weight, drain }: Pick<ClusterSettings, 'weight' | 'drain'>): boolean {
  return weight > 0 && !drain;
}

/** The pod settings of a cluster: keys that it states replace those of the deployment. */
export function podSettingsOf(deployment: PodSettings, { pod }: Pick<ClusterSettings, 'pod'>): PodSettings {
  const own = podSettings.parse(withoutNull(pod)) as Record<string, unknown>;
  return { ...deployment, ...Object.fromEntries(Object.keys(pod).map((key) => [key, own[key]])) };
}

function withoutNull(pod: ClusterSettings['pod']): ClusterSettings['pod'] {
  return Object.fromEntries(Object.entries(pod).map(([key, value]) => [key, value ?? undefined]));
}

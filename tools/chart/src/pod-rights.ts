import { podOf } from './rendered.ts';
import type { KubernetesObject, Peer, PodSpec, Rule } from './rendered.ts';

/** The permissions of one kind of pod, for the table. */
export interface PodRights {
  readonly component: string;
  readonly api: string;
  readonly reachedBy: readonly string[];
  readonly reaches: readonly string[];
  readonly mounts: readonly string[];
  readonly secrets: readonly string[];
  /** Names of variables without secrets, without their prefix. */
  readonly environment: readonly string[];
}

/** Every kind of pod that the objects create, and the bots' pods that they govern. */
export function podRights(objects: readonly KubernetesObject[]): PodRights[] {
  const pods = new Map(
    objects.flatMap((object) => {
      const made = podOf(object);
      return made === null ? [] : [[made.component, made.pod] as const];
    }),
  );
  const governed = objects.filter(({ kind }) => kind === 'NetworkPolicy').map(componentOf);
  return [...new Set([...pods.keys(), ...governed])].sort().map((component) => {
    const pod = pods.get(component);
    const policy = objects.find((object) => object.kind === 'NetworkPolicy' && componentOf(object) === component);
    return {
      component,
      api: apiRightsOf(objects, pod),
      reachedBy: policy === undefined ? ['anything'] : directions(policy.spec?.ingress ?? [], 'from'),
      reaches: policy === undefined ? ['anything'] : directions(policy.spec?.egress ?? [], 'to'),
      mounts: mountsOf(pod),
      secrets: secretsOf(pod),
      environment: settingsOf(pod),
    };
  });
}

function componentOf({ metadata, spec }: KubernetesObject): string {
  return spec?.podSelector?.matchLabels['app.kubernetes.io/name'] ?? metadata.name;
}

function apiRightsOf(objects: readonly KubernetesObject[], pod: PodSpec | undefined): string {
  if (pod?.automountServiceAccountToken !== true) return 'none, no token';
  const roles = objects
    .filter(({ subjects }) => subjects?.some(({ name }) => name === pod.serviceAccountName) === true)
    .map(({ roleRef }) => roleRef?.name);
  const granted = objects.filter(({ kind, metadata }) => kind.endsWith('Role') && roles.includes(metadata.name));
  return granted
    .flatMap(({ kind, metadata, rules = [] }) =>
      rules.map(
        ({ resources, verbs }) =>
          `${kind}${metadata.namespace === undefined ? '' : ` in ${metadata.namespace}`}: ${resources.join(', ')}: ${verbs.join(' ')}`,
      ),
    )
    .join('; ');
}

function directions(rules: readonly Rule[], direction: 'from' | 'to'): string[] {
  return rules.flatMap((rule) => {
    const ports = rule.ports?.map(({ port, protocol }) => (protocol === 'UDP' ? `${port}/udp` : String(port)));
    const suffix = ports === undefined ? '' : `:${[...new Set(ports)].join(',')}`;
    return (rule[direction] ?? [null]).map((peer) => `${peer === null ? 'anywhere' : nameOf(peer)}${suffix}`);
  });
}

function nameOf({ podSelector, namespaceSelector, ipBlock }: Peer): string {
  if (ipBlock !== undefined)
    return ipBlock.except === undefined
      ? ipBlock.cidr
      : `${ipBlock.cidr} without ${ipBlock.except.length} private ranges`;
  const namespace = namespaceSelector?.matchLabels?.['kubernetes.io/metadata.name'];
  return (
    podSelector?.matchLabels?.['app.kubernetes.io/name'] ??
    (namespace === undefined ? 'own namespace' : `namespace ${namespace}`)
  );
}

function mountsOf(pod: PodSpec | undefined): string[] {
  const kinds = new Map(pod?.volumes?.map(({ name, ...kind }) => [name, Object.keys(kind)[0] ?? '']));
  const mounts = pod?.containers.flatMap(({ volumeMounts = [] }) => volumeMounts) ?? [];
  return mounts.map(({ name, mountPath }) => `${mountPath} (${kinds.get(name)})`);
}

function secretsOf(pod: PodSpec | undefined): string[] {
  const keys = pod?.containers.flatMap(({ env = [] }) => env.map(({ valueFrom }) => valueFrom?.secretKeyRef)) ?? [];
  const files = (pod?.volumes ?? []).flatMap(
    ({ secret }) => (secret as { items?: { key: string }[] } | undefined)?.items ?? [],
  );
  const all = [...keys.filter((key) => key !== undefined), ...files];
  return [...new Set(all.map((key) => ('optional' in key && key.optional === true ? `${key.key}?` : key.key)))].sort();
}

function settingsOf(pod: PodSpec | undefined): string[] {
  const entries = pod?.containers.flatMap(({ env = [] }) => env) ?? [];
  return entries.filter(({ value }) => value !== undefined).map(({ name }) => name.replace(/^RAPPORTEUR_/, ''));
}

/** The table in docs/pod-rights.md. */
export function rightsTable(rights: readonly PodRights[]): string {
  const list = (items: readonly string[]): string =>
    items.length === 0 ? 'nothing' : items.map((item) => `\`${item}\``).join(' ');
  return [
    '| pod | Kubernetes API | reached by | reaches | mounts | keys of the Secret | other environment |',
    '|---|---|---|---|---|---|---|',
    ...rights.map(
      ({ component, api, reachedBy, reaches, mounts, secrets, environment }) =>
        `| ${component} | ${api} | ${list(reachedBy)} | ${list(reaches)} | ${list(mounts)} | ${list(secrets)} | ${environment.join(', ') || 'none'} |`,
    ),
  ].join('\n');
}

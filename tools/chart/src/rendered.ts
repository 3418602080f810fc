import { parseAllDocuments } from 'yaml';

export interface EnvironmentEntry {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef: SecretKey };
}
export interface SecretKey {
  readonly name: string;
  readonly key: string;
  readonly optional?: boolean;
}
export interface Container {
  readonly name: string;
  readonly image?: string;
  readonly args?: readonly string[];
  readonly env?: readonly EnvironmentEntry[];
  readonly resources?: { readonly requests?: object; readonly limits?: object };
  readonly securityContext?: Record<string, unknown>;
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
}
export interface PodSpec {
  readonly serviceAccountName?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly enableServiceLinks?: boolean;
  readonly securityContext?: object;
  readonly containers: readonly Container[];
  readonly volumes?: readonly ({ readonly name: string } & Record<string, unknown>)[];
}
export interface Peer {
  readonly podSelector?: { readonly matchLabels?: Record<string, string> };
  readonly namespaceSelector?: { readonly matchLabels?: Record<string, string> };
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}
export interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly { readonly protocol?: string; readonly port: number }[];
}
export interface KubernetesObject {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Record<string, string>;
    readonly annotations?: Record<string, string>;
  };
  readonly data?: Readonly<Record<string, string>>;
  readonly rules?: readonly { readonly apiGroups: string[]; readonly resources: string[]; readonly verbs: string[] }[];
  readonly subjects?: readonly { readonly name: string; readonly namespace: string }[];
  readonly roleRef?: { readonly name: string };
  readonly spec?: PodSpec & {
    readonly template?: { readonly metadata?: { readonly labels?: Record<string, string> }; readonly spec: PodSpec };
    readonly podSelector?: { readonly matchLabels: Record<string, string> };
    readonly ingress?: readonly Rule[];
    readonly egress?: readonly Rule[];
  };
}

/** The objects of `helm template`. Throws for a duplicate key, which Helm accepts and Kubernetes reads in part. */
export function parseObjects(text: string): KubernetesObject[] {
  const documents = parseAllDocuments(text);
  for (const { errors } of documents) if (errors[0] !== undefined) throw errors[0];
  return documents.map((document) => document.toJS() as KubernetesObject | null).filter((object) => object !== null);
}

export interface MadePod {
  readonly component: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly pod: PodSpec;
}

/** The pod template of an object, with the name of its component; null for other objects. */
export function podOf(object: KubernetesObject): MadePod | null {
  const template = object.kind === 'Pod' ? object : object.spec?.template;
  const component = object.metadata.labels?.['app.kubernetes.io/name'] ?? object.metadata.name;
  const { spec: pod, metadata } = template ?? {};
  return pod === undefined ? null : { component, labels: metadata?.labels ?? {}, pod };
}

/** The environment of a container whose Secret has `secrets`. Throws for a missing key that is not optional. */
export function environmentOf(
  { env = [] }: Container,
  secrets: Readonly<Record<string, string>>,
): Record<string, string> {
  const reported: Record<string, string> = {};
  for (const { name, value, valueFrom } of env) {
    const reference = valueFrom?.secretKeyRef;
    const found = reference === undefined ? value : secrets[reference.key];
    if (found !== undefined) reported[name] = found;
    else if (reference?.optional !== true) throw new Error(`${name} needs the key ${reference?.key} of the Secret.`);
  }
  return reported;
}

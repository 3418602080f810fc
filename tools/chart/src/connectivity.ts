import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { provideCyclonus } from '@rapporteur/cluster';
import { runProgram } from './helm.ts';
import { podOf } from './rendered.ts';
import type { KubernetesObject } from './rendered.ts';

/** One end of a connection, in the form of the evaluator. */
interface Endpoint {
  readonly name: string;
  readonly ip: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface Connection {
  readonly from: string;
  readonly to: string;
  /** `3000`, `53/udp` */
  readonly port: string;
}

const ports = '22 53 53/udp 80 443 3000 3001 3002 4222 4318 4443 5353/udp 5432 6443 8090 9000'.split(' ');

/** Endpoints outside of the release, for values-production.yaml and the examples. */
const outside: readonly Endpoint[] = [
  { name: 'the internet', ip: '93.184.215.14' },
  { name: 'the metadata address', ip: '169.254.169.254' },
  { name: 'another private address', ip: '10.99.0.1' },
  { name: 'PostgreSQL', ip: '10.30.0.10' },
  { name: 'the Kubernetes API', ip: '10.40.0.1' },
  { name: 'the API of the cluster west', ip: '10.41.0.1' },
  { name: 'DNS', ip: '10.1.9.1', namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' } },
  { name: 'NATS', ip: '10.1.9.2', namespace: 'nats', labels: { app: 'nats' } },
  { name: 'the Ingress controller', ip: '10.1.9.3', namespace: 'ingress-nginx', labels: { app: 'ingress-nginx' } },
  { name: "another pod of the release's namespace", ip: '10.1.9.4', namespace: 'rapporteur', labels: { app: 'x' } },
  { name: "another pod of the bots' namespace", ip: '10.1.9.5', namespace: 'rapporteur-bots', labels: { app: 'x' } },
  { name: 'Prometheus', ip: '10.1.9.7', namespace: 'monitoring', labels: { app: 'prometheus' } },
  { name: 'a pod of the namespace observability', ip: '10.1.9.8', namespace: 'observability', labels: { app: 'x' } },
  { name: 'DNS of OpenShift', ip: '10.1.9.9', namespace: 'openshift-dns', labels: { app: 'x' } },
  { name: 'DNS of the node', ip: '169.254.20.10' },
  { name: 'the identity endpoint', ip: '169.254.170.23' },
  { name: 'another VPC endpoint', ip: '10.50.0.10' },
  { name: 'a private object store', ip: '10.60.0.5' },
  { name: 'an allowed address', ip: '10.70.0.9' },
  { name: 'a collector of traces', ip: '10.80.0.7' },
  { name: 'a pod of another namespace', ip: '10.1.9.6', namespace: 'default', labels: { app: 'x' } },
];

/** Every connection from or to a pod of `objects` that their NetworkPolicies allow, by the evaluator Cyclonus. */
export async function allowedConnections(objects: readonly KubernetesObject[]): Promise<Connection[]> {
  const pods = endpointsOf(objects);
  const wanted = [
    ...pods.flatMap((from) => [...pods, ...outside].flatMap((to) => (to === from ? [] : onEachPort(from, to)))),
    ...outside.flatMap((from) => pods.flatMap((to) => onEachPort(from, to))),
  ];
  const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy');
  const allowed = await evaluate(policies, wanted);
  return wanted
    .filter((_, index) => allowed[index] === true)
    .map(({ from, to, port }) => {
      return { from: from.name, to: to.name, port };
    });
}

interface WantedConnection {
  readonly from: Endpoint;
  readonly to: Endpoint;
  readonly port: string;
}

function onEachPort(from: Endpoint, to: Endpoint): WantedConnection[] {
  return ports.map((port) => ({ from, to, port }));
}

/** One pod of each component. A bot's has the labels of its Job. */
function endpointsOf(objects: readonly KubernetesObject[]): Endpoint[] {
  return objects
    .flatMap((object) => {
      const made = podOf(object);
      return made === null ? [] : [{ name: made.component, namespace: object.metadata.namespace, labels: made.labels }];
    })
    .filter(({ name }, index, all) => all.findIndex((pod) => pod.name === name) === index)
    .map(({ namespace = 'rapporteur', ...pod }, index) => ({ ...pod, namespace, ip: `10.1.0.${index + 1}` }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** In the order of `wanted`. */
async function evaluate(
  policies: readonly KubernetesObject[],
  wanted: readonly WantedConnection[],
): Promise<boolean[]> {
  const program = await provideCyclonus((text) => void process.stdout.write(`${text}\n`));
  const folder = mkdtempSync(join(tmpdir(), 'rapporteur-connectivity-'));
  const [policyFile, trafficFile] = [join(folder, 'policies.json'), join(folder, 'traffic.json')];
  try {
    const list = { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicyList', items: policies };
    writeFileSync(policyFile, JSON.stringify(list));
    writeFileSync(trafficFile, JSON.stringify(wanted.map(trafficOf)));
    const args = ['analyze', '--mode', 'query-traffic', '--policy-path', policyFile, '--traffic-path', trafficFile];
    const { code, output, errors } = await runProgram(program, args, process.env);
    const results = [...output.matchAll(/^\| IS ALLOWED\? \|\s*(TRUE|FALSE)/gm)].map(([, result]) => result === 'TRUE');
    if (code !== 0 || results.length !== wanted.length)
      throw new Error(`Cyclonus ended with ${code} and ${results.length} of ${wanted.length} results: ${errors}`);
    return results;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function trafficOf({ from, to, port }: WantedConnection): object {
  const [number, protocol = 'tcp'] = port.split('/');
  const peerOf = ({ ip, namespace, labels = {} }: Endpoint): object => ({
    IP: ip,
    ...(namespace === undefined
      ? {}
      : {
          Internal: {
            Namespace: namespace,
            NamespaceLabels: { 'kubernetes.io/metadata.name': namespace },
            PodLabels: labels,
          },
        }),
  });
  const [Source, Destination] = [peerOf(from), peerOf(to)];
  return { Source, Destination, ResolvedPort: Number(number), Protocol: protocol.toUpperCase() };
}

/** The second table of docs/pod-rights.md. */
export function connectionsTable(connections: readonly Connection[]): string {
  const rows = Map.groupBy(connections, ({ from }) => from);
  return [
    '| from | to |',
    '|---|---|',
    ...[...rows].map(([from, allowed]) => {
      const destinations = Map.groupBy(allowed, ({ to }) => to);
      return `| ${from} | ${[...destinations].map(([to, list]) => `${to}: ${portsOf(list)}`).join('<br>')} |`;
    }),
  ].join('\n');
}

function portsOf(list: readonly Connection[]): string {
  return list.length === ports.length ? 'every port' : list.map(({ port }) => port).join(', ');
}

/** The Job of a bot, with the namespace and the labels that bot-scheduler sets with the chart's settings. */
export function jobOfBot(root: string, objects: readonly KubernetesObject[]): KubernetesObject {
  const file = join(root, 'apps/bot-scheduler/src/launch/kubernetes/golden-job.json');
  const job = JSON.parse(readFileSync(file, 'utf8')) as KubernetesObject;
  const scheduler = objects.find(
    ({ kind, metadata }) => kind === 'Deployment' && metadata.name.endsWith('-bot-scheduler'),
  );
  const env = (scheduler === undefined ? null : podOf(scheduler))?.pod.containers[0]?.env ?? [];
  const setting = (name: string): string => {
    const value = env.find((entry) => entry.name === `RAPPORTEUR_KUBERNETES_${name}`)?.value;
    if (value === undefined) throw new Error(`bot-scheduler has no setting KUBERNETES_${name}.`);
    return value;
  };
  const { spec } = job;
  if (spec?.template === undefined) throw new Error('The golden Job has no pod.');
  const { template } = spec;
  const labels = { ...template.metadata?.labels, 'app.kubernetes.io/instance': setting('INSTANCE') };
  return {
    ...job,
    metadata: { ...job.metadata, namespace: setting('NAMESPACE') },
    spec: { ...spec, template: { ...template, metadata: { labels } } },
  };
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { allowedConnections, connectionsTable, jobOfBot } from './connectivity.ts';
import type { Connection } from './connectivity.ts';
import { examples, installations, openHelm, renderChart } from './helm.ts';
import { podRights, rightsTable } from './pod-rights.ts';
import type { KubernetesObject } from './rendered.ts';
import { root } from './secrets.ts';
import { withGenerated } from './values-table.ts';

const kinds = Object.keys(installations);
const all = [...kinds, ...examples];
const objects = new Map<string, readonly KubernetesObject[]>();
const connections = new Map<string, readonly Connection[]>();

beforeAll(async () => {
  const helm = await openHelm();
  for (const kind of all) {
    const rendered = await renderChart(helm, kind);
    objects.set(kind, [...rendered, jobOfBot(root, rendered)]);
    connections.set(kind, await allowedConnections(objects.get(kind) ?? []));
  }
}, 900_000);

test('every pod may do and reach what docs/pod-rights.md says; node tools/chart/src/main.ts writes it', () => {
  const file = readFileSync(join(root, 'docs/pod-rights.md'), 'utf8');
  const tables = [
    rightsTable(podRights(objects.get('production') ?? [])),
    connectionsTable(connections.get('production') ?? []),
  ];
  expect(file).toBe(withGenerated(file, ...tables));
});

describe.each(kinds)('with the values of %s', (kind) => {
  const peersOf = (from: string) =>
    new Set((connections.get(kind) ?? []).filter((one) => one.from === from).map(({ to }) => to));

  test('a bot reaches the bus, bot-scheduler, storage-config, the internet, servers of a trial and nothing else', () => {
    const ofTrials = kind === 'production' ? [] : ['simulator', 'whisper'];
    const bus = kind === 'production' ? 'NATS' : 'nats';
    const expected = ['bot-scheduler', 'storage-config', bus, 'the internet', 'DNS', ...ofTrials];
    expect([...peersOf('bot-runner')].sort()).toEqual(expected.sort());
  });

  test('no pod reaches the metadata address, and bot-scheduler alone the API of the cluster', () => {
    const to = (name: string) => (connections.get(kind) ?? []).filter((one) => one.to === name);
    expect(to('the metadata address').filter(({ from }) => from !== 'bot-scheduler')).toEqual([]);
    expect(new Set(to('the Kubernetes API').map(({ from }) => from))).toEqual(new Set(['bot-scheduler']));
  });

  test('pods of other namespaces reach nothing but what the Ingress controller may', () => {
    const allowed = (connections.get(kind) ?? []).filter(({ from }) => from === 'a pod of another namespace');
    const open = kind === 'production' ? [] : ['api-gateway 3000', 'storage-config 3000'];
    expect(allowed.map(({ to, port }) => `${to} ${port}`)).toEqual(open);
  });
});

describe('values of other keys need no rule of their own', () => {
  const reaches = (kind: string, from: string) =>
    (connections.get(kind) ?? []).filter((one) => one.from === from).map(({ to, port }) => `${to} ${port}`);

  test('every service reaches the collector of traces that tracesUrl names', () => {
    for (const service of ['api-gateway', 'bot-scheduler', 'delivery', 'bot-runner']) {
      expect(reaches('mesh', service)).toContain('a pod of the namespace observability 4318');
      expect(reaches('production', service)).not.toContain('a pod of the namespace observability 4318');
    }
    expect(reaches('air-gapped', 'api-gateway')).toContain('a collector of traces 4318');
  });

  test('private addresses that are allowed are reached by who may call them, and by no other', () => {
    expect(reaches('air-gapped', 'delivery')).toContain('an allowed address 443');
    expect(reaches('air-gapped', 'bot-runner')).toEqual(
      expect.arrayContaining(['an allowed address 443', 'a private object store 9000']),
    );
    expect(reaches('air-gapped', 'bot-runner')).not.toContain('an allowed address 80');
    expect(reaches('air-gapped', 'storage-config')).toContain('a private object store 9000');
    expect(reaches('air-gapped', 'bot-scheduler')).not.toContain('an allowed address 443');
    expect(reaches('production', 'delivery')).not.toContain('an allowed address 443');
  });

  test('with the role of a pod storage-config alone reaches the identity endpoint, and no pod the metadata address', () => {
    const to = (kind: string, name: string) =>
      (connections.get(kind) ?? []).filter((one) => one.to === name).map(({ from, port }) => `${from} ${port}`);
    expect(to('eks', 'the identity endpoint')).toEqual(['storage-config 80']);
    expect(to('production', 'the identity endpoint')).toEqual([]);
    expect(to('eks', 'the metadata address')).toEqual([]);
    expect(reaches('eks', 'storage-config')).toContain('another VPC endpoint 443');
  });

  test('Prometheus in the namespace that is named reads metrics of every service', () => {
    const open = (kind: string) => new Set(reaches(kind, 'Prometheus'));
    for (const target of ['api-gateway 3001', 'storage-config 3001', 'delivery 3000', 'bot-scheduler 3000'])
      expect(open('eks')).toContain(target);
    const atTrial = ['api-gateway 3000', 'storage-config 3000'];
    expect([...open('trial')]).toEqual(atTrial);
  });

  test('DNS is reached on the port of its pods', () => {
    expect(reaches('openshift', 'bot-runner')).toEqual(expect.arrayContaining(['DNS of OpenShift 5353/udp']));
    expect(reaches('gke-autopilot', 'delivery')).toContain('DNS of the node 53/udp');
  });
});

test('in a namespace that denies by default, the migrations of a first installation reach DNS and PostgreSQL', async () => {
  const deny = { podSelector: { matchLabels: {} }, policyTypes: ['Ingress', 'Egress'] };
  const metadata = { name: 'default-deny', namespace: 'rapporteur' };
  const weightOf = ({ metadata: { annotations } }: KubernetesObject) => Number(annotations?.['helm.sh/hook-weight']);
  const hooks = (objects.get('production') ?? []).filter((one) =>
    /pre-install/.test(one.metadata.annotations?.['helm.sh/hook'] ?? ''),
  );
  const migrations = hooks.filter(({ kind }) => kind === 'Job');
  const before = hooks.filter((one) => migrations.every((job) => weightOf(one) < weightOf(job)));
  const found = await allowedConnections([
    { kind: 'NetworkPolicy', metadata, spec: deny } as unknown as KubernetesObject,
    ...before,
    ...migrations,
  ]);
  const reached = found.filter(({ from }) => from === 'migrations').map(({ to, port }) => `${to} ${port}`);
  expect(reached).toEqual(expect.arrayContaining(['DNS 53/udp', 'PostgreSQL 5432']));
});

test('the port of NATS is that of its address, and that of bots may differ', async () => {
  const helm = await openHelm();
  const args = ['--set', 'bus.url=tls://nats.nats.svc:4443', '--set', 'bus.runnerUrl=tls://nats.example.com:443'];
  const rendered = await renderChart(helm, 'production', args);
  const found = await allowedConnections([...rendered, jobOfBot(root, rendered)]);
  const toNats = found.filter(({ to }) => to === 'NATS').map(({ from, port }) => `${from} ${port}`);
  expect(toNats).toEqual(expect.arrayContaining(['delivery 4443', 'bot-runner 443']));
  expect(toNats).not.toContain('delivery 4222');
});

test('bot-scheduler reaches the API of every cluster', () => {
  const to = (connections.get('clusters') ?? []).filter((one) => one.to === 'the API of the cluster west');
  expect(to).toEqual([{ from: 'bot-scheduler', to: 'the API of the cluster west', port: '6443' }]);
});

test('without its NetworkPolicy a bot would reach the metadata address', async () => {
  const without = (objects.get('production') ?? []).filter(
    ({ kind, metadata }) => kind !== 'NetworkPolicy' || metadata.name !== 'rapporteur-bot-runner',
  );
  const found = await allowedConnections(without);
  expect(found).toContainEqual({ from: 'bot-runner', to: 'the metadata address', port: '80' });
});

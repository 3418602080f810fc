import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { allowedConnections, connectionsTable, jobOfBot } from './connectivity.ts';
import type { Connection } from './connectivity.ts';
import { chartFolder, filesOf, installations, openHelm } from './helm.ts';
import { podRights, rightsTable } from './pod-rights.ts';
import { parseObjects } from './rendered.ts';
import type { KubernetesObject } from './rendered.ts';
import { root } from './secrets.ts';
import { withGenerated } from './values-table.ts';

const kinds = Object.keys(installations);
const objects = new Map<string, readonly KubernetesObject[]>();
const connections = new Map<string, readonly Connection[]>();

beforeAll(async () => {
  const helm = await openHelm();
  for (const kind of kinds) {
    const args = ['template', 'rapporteur', chartFolder, '--namespace', 'rapporteur', ...filesOf(kind)];
    const { code, output, errors } = await helm.run(args);
    if (code !== 0) throw new Error(errors);
    const rendered = parseObjects(output);
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

test('without its NetworkPolicy a bot would reach the metadata address', async () => {
  const without = (objects.get('production') ?? []).filter(
    ({ kind, metadata }) => kind !== 'NetworkPolicy' || metadata.name !== 'rapporteur-bot-runner',
  );
  const found = await allowedConnections(without);
  expect(found).toContainEqual({ from: 'bot-runner', to: 'the metadata address', port: '80' });
});

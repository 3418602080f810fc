import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { checkConfiguration, isService } from './configuration.ts';
import { differenceOf, linesOf } from './golden.ts';
import { chartFolder, examples, filesOf, openHelm, renderChart } from './helm.ts';
import type { Helm } from './helm.ts';
import { podOf } from './rendered.ts';
import type { Container, KubernetesObject, PodSpec } from './rendered.ts';
import { makeSecrets } from './secrets.ts';

let helm: Helm;
let secrets: Readonly<Record<string, string>>;
const rendered = new Map<string, readonly KubernetesObject[]>();

beforeAll(async () => {
  helm = await openHelm();
  secrets = await makeSecrets();
  for (const name of ['production', ...examples]) rendered.set(name, await renderChart(helm, name));
});

const golden = (name: string): string[] =>
  readFileSync(join(import.meta.dirname, '../generated', `${name}.txt`), 'utf8')
    .trimEnd()
    .split('\n');
const objectsOf = (name: string) => rendered.get(name) ?? [];
const podsOf = (objects: readonly KubernetesObject[]): PodSpec[] => objects.flatMap((one) => podOf(one)?.pod ?? []);
const servicesOf = (objects: readonly KubernetesObject[]): Container[] =>
  podsOf(objects.filter(isService)).flatMap(({ containers }) => containers);
/** The setting with which bot-scheduler writes the pods of bots. */
const botPodOf = (objects: readonly KubernetesObject[]): Record<string, unknown> => {
  const env = servicesOf(objects).find(({ name }) => name === 'bot-scheduler')?.env ?? [];
  return JSON.parse(env.find(({ name }) => name === 'RAPPORTEUR_KUBERNETES_POD')?.value ?? '{}') as never;
};

test('production renders as it did; node tools/chart/src/main.ts writes tools/chart/generated', () => {
  expect(linesOf(objectsOf('production'))).toEqual(golden('production'));
});

describe.each(examples)('the example %s', (name) => {
  test('passes helm lint --strict and renders as it did', async () => {
    const lint = ['lint', '--strict', chartFolder, '--namespace', 'rapporteur', ...filesOf(name)];
    expect(await helm.run(lint)).toMatchObject({ code: 0 });
    const lines = linesOf(objectsOf(name));
    expect(differenceOf(linesOf(objectsOf('production')), lines)).toEqual(golden(name));
  });

  test('gives every service an environment with which it starts', async () => {
    const known = new Set(servicesOf(objectsOf('production')).map((container) => JSON.stringify(container.env)));
    const changed = servicesOf(objectsOf(name)).filter(({ env }) => !known.has(JSON.stringify(env)));
    const problems = await Promise.all(changed.map((container) => checkConfiguration(container, secrets)));
    expect(problems.filter((problem) => problem !== '')).toEqual([]);
  });
});

test('no pod of production names a user, so that OpenShift assigns one', () => {
  for (const name of ['production', 'openshift']) {
    for (const pod of podsOf(objectsOf(name)))
      expect(pod.securityContext).toEqual({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(botPodOf(objectsOf(name))).not.toHaveProperty('runAsUser');
  }
  expect(botPodOf(objectsOf('openshift'))).not.toHaveProperty('seccompProfile');
});

test('the CA bundle is a file in every pod, and every process trusts it', () => {
  const file = '/etc/rapporteur/ca/ca.crt';
  const containers = podsOf(objectsOf('air-gapped')).flatMap((pod) => pod.containers);
  for (const { name, env, volumeMounts } of containers.filter((one) => one.name !== 'connection-test')) {
    expect([name, env]).toEqual([name, expect.arrayContaining([{ name: 'NODE_EXTRA_CA_CERTS', value: file }])]);
    const mounted = expect.objectContaining({ name: 'ca-bundle', mountPath: '/etc/rapporteur/ca' });
    expect([name, volumeMounts]).toEqual([name, expect.arrayContaining([mounted])]);
  }
  expect(botPodOf(objectsOf('air-gapped'))).toMatchObject({
    extraEnv: [{ name: 'NODE_EXTRA_CA_CERTS', value: file }],
    extraVolumes: [{}, { configMap: { name: 'company-authorities' } }],
    extraVolumeMounts: [{}, { mountPath: '/etc/rapporteur/ca' }],
  });
});

test('services and bots have client certificates of their own for NATS, as files', () => {
  const scheduler = podsOf(objectsOf('air-gapped')).find(({ containers }) => containers[0]?.name === 'bot-scheduler');
  const mount = { name: 'bus-certificate', mountPath: '/etc/rapporteur/bus', readOnly: true };
  const files = { CERT_FILE: `${mount.mountPath}/tls.crt`, KEY_FILE: `${mount.mountPath}/tls.key` };
  const settings = ['BUS', 'RUNNER_BUS'].flatMap((prefix) =>
    Object.entries(files).map(([name, value]) => ({ name: `RAPPORTEUR_${prefix}_${name}`, value })),
  );
  expect(scheduler?.containers[0]?.env).toEqual(expect.arrayContaining(settings));
  expect(scheduler?.containers[0]?.volumeMounts).toEqual(expect.arrayContaining([mount]));
  const volume = (secretName: string) => ({ name: 'bus-certificate', secret: { secretName } });
  expect(scheduler).toMatchObject({ volumes: expect.arrayContaining([volume('nats-client')]) });
  const { extraVolumes, extraVolumeMounts } = botPodOf(objectsOf('air-gapped'));
  expect(extraVolumes).toEqual(expect.arrayContaining([volume('nats-bots')]));
  expect(extraVolumeMounts).toEqual(expect.arrayContaining([mount]));
});

test('an entry for another cluster needs its kubeconfig and the addresses of this one', async () => {
  const args = ['--set-json', 'bots.clusters=[{ "name": "west", "kubeconfig": "west" }]'];
  const missing = /clustersSecret[^]*schedulerUrl of west[^]*busUrl of west[^]*storageUrl of west/;
  await expect(renderChart(helm, 'production', args)).rejects.toThrow(missing);
});

test('every image, those of bundled servers too, comes from global.imageRegistry', async () => {
  const mirrored = await renderChart(helm, 'trial', ['--set', 'global.imageRegistry=mirror.example.com/m/']);
  const images = podsOf(mirrored).flatMap(({ containers }) => containers.map(({ image }) => image ?? ''));
  expect(images.length).toBeGreaterThan(10);
  expect(images.filter((image) => !/^mirror\.example\.com\/m\/[a-z]/.test(image))).toEqual([]);
});

test('names and labels of the operator reach every object, and selectors keep theirs', async () => {
  const args = ['--set', 'nameOverride=recorder', '--set', 'commonLabels.owner=platform'];
  const own = ['--set', 'pods.labels.app\\.kubernetes\\.io/name=other', '--set', 'services.delivery.pod.labels.tier=a'];
  const objects = await renderChart(helm, 'production', [...args, ...own, '--set', 'fullnameOverride=meetings']);
  expect(objects.filter(({ metadata }) => metadata.labels?.['owner'] !== 'platform')).toEqual([]);
  expect(objects.filter(({ metadata }) => metadata.name.startsWith('rapporteur-'))).toEqual([
    expect.objectContaining({ kind: 'Namespace' }),
  ]);
  const delivery = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'meetings-delivery');
  expect(delivery?.spec?.template?.metadata?.labels).toMatchObject({
    'app.kubernetes.io/name': 'delivery',
    owner: 'platform',
    tier: 'a',
  });
  expect(botPodOf(objects)).toMatchObject({ labels: { owner: 'platform' } });
});

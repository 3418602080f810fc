import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { jobSettings } from '../../testing/fake-kubernetes/job-settings.ts';
import { launchSpec } from '../../testing/launch-spec.ts';
import { avoidedRunsOf, selectorOf, writeJob, measuredResources, usualResources } from './job-spec.ts';
import { podSettings, podSettingsText } from './pod-settings.ts';
import type { PodSettings } from './pod-settings.ts';

const withPod = (pod: unknown) => ({ ...jobSettings, pod: podSettings.parse(pod) });
const podOf = (pod: unknown, over: Partial<typeof launchSpec> = {}) =>
  writeJob(withPod(pod), { ...launchSpec, ...over }).spec?.template.spec;

test('the Job of a bot is the golden one', () => {
  const golden = readFileSync(new URL('./golden-job.json', import.meta.url), 'utf8');
  expect(JSON.parse(JSON.stringify(writeJob(jobSettings, launchSpec)))).toEqual(JSON.parse(golden));
});

test('a deployment states where its bots run and what they get', () => {
  const settings = {
    labels: { 'cost-center': 'meetings' },
    annotations: { 'karpenter.sh/do-not-disrupt': 'false' },
    nodeSelector: { pool: 'bots' },
    tolerations: [{ key: 'bots', operator: 'Exists', effect: 'NoSchedule' }],
    priorityClassName: 'bots',
    finalizePriorityClassName: 'bots-finalize',
    imagePullSecrets: ['registry'],
    seccompProfile: 'chromium.json',
    serviceAccountName: 'bot-runner',
    affinity: { nodeAffinity: {} },
    extraEnv: [
      { name: 'NODE_EXTRA_CA_CERTS', value: '/ca/ca.crt' },
      { name: 'HOME', value: '/elsewhere' },
    ],
    extraVolumes: [{ name: 'ca', configMap: { name: 'ca' } }],
    extraVolumeMounts: [{ name: 'ca', mountPath: '/ca', readOnly: true }],
  };
  const job = writeJob(withPod(settings), launchSpec);
  expect(job.metadata?.labels).toMatchObject(settings.labels);
  expect(job.metadata?.annotations).toMatchObject(settings.annotations);
  expect(job.spec?.template.spec).toMatchObject({
    nodeSelector: settings.nodeSelector,
    tolerations: settings.tolerations,
    priorityClassName: 'bots',
    imagePullSecrets: [{ name: 'registry' }],
    serviceAccountName: 'bot-runner',
    automountServiceAccountToken: false,
    affinity: settings.affinity,
    volumes: expect.arrayContaining(settings.extraVolumes),
    containers: [{ volumeMounts: expect.arrayContaining(settings.extraVolumeMounts) }],
    securityContext: { seccompProfile: { type: 'Localhost', localhostProfile: 'chromium.json' } },
  });
  const environment = job.spec?.template.spec?.containers[0]?.env ?? [];
  expect(environment).toContainEqual(settings.extraEnv[0]);
  expect(environment.filter(({ name }) => name === 'HOME')).toEqual([{ name: 'HOME', value: '/work' }]);
  expect(podOf(settings, { mode: 'finalize' })?.priorityClassName).toBe('bots-finalize');
});

test('labels of a deployment cannot replace those that Jobs are selected by', () => {
  const job = writeJob(withPod({ labels: { 'app.kubernetes.io/instance': 'other' } }), launchSpec);
  for (const term of selectorOf('test').split(',')) {
    const [label = '', value] = term.split('=');
    expect(job.metadata?.labels?.[label]).toBe(value);
    expect(job.spec?.template.metadata?.labels?.[label]).toBe(value);
  }
});

test('the Job of a queue has its label and is suspended, and its pod is as without a queue', () => {
  const job = writeJob(withPod({ queue: 'bots' }), launchSpec);
  expect(job.metadata?.labels).toMatchObject({ 'kueue.x-k8s.io/queue-name': 'bots' });
  expect(job.spec).toMatchObject({ suspend: true, template: writeJob(withPod({}), launchSpec).spec?.template });
  expect(podSettings.safeParse({ queue: 'Bots of all' }).error?.issues[0]?.message).toContain('LocalQueue');
});

test('user and group are those of the image or of the cluster unless a deployment states them', () => {
  expect(podOf({})?.securityContext).not.toHaveProperty('runAsUser');
  expect(podOf({ runAsUser: 2000 })?.securityContext).toMatchObject({
    runAsUser: 2000,
    runAsGroup: 2000,
    fsGroup: 2000,
  });
});

describe('resources', () => {
  const amount = (memory: string) => ({ requests: { memory }, limits: { memory } });
  const pod = {
    resources: amount('1Gi'),
    resourcesBy: {
      meet: { speaker_view: amount('2Gi') },
      any: { audio_only: amount('3Gi'), finalize: amount('4Gi') },
    },
  };
  test.each<[Partial<typeof launchSpec>, string]>([
    [{}, '2Gi'],
    [{ recordingMode: 'audio_only' }, '3Gi'],
    [{ recordingMode: 'gallery_view' }, '1Gi'],
    [{ platform: 'zoom' }, '1Gi'],
    [{ mode: 'finalize' }, '4Gi'],
  ])('of a run with %j are %s', (over, memory) => {
    expect(podOf(pod, over)?.containers[0]?.resources).toEqual(amount(memory));
  });
});

test('a bot without a setting gets what the sizing table states, a run without a row the usual', () => {
  const page = readFileSync(new URL('../../../../../docs/operating.md', import.meta.url), 'utf8');
  const rows = page.matchAll(/^\| (\w+), (\w+) \| 1 \|.* ([\w.]+), ([\d.]+) GiB; limit ([\d.]+) GiB \|$/gm);
  const stated: object = Object.fromEntries(
    Array.from(rows, ([, platform = '', mode, cpu, memory, limit]) => [
      `${platform.toLowerCase()} ${mode}`,
      { requests: { cpu, memory: `${memory}Gi` }, limits: { memory: `${limit}Gi` } },
    ]),
  );
  const given = Object.entries(measuredResources).flatMap(([platform, byMode]) =>
    Object.keys(byMode).map((mode) => {
      const run = { platform, recordingMode: mode } as Partial<typeof launchSpec>;
      return [`${platform} ${mode}`, podOf({}, run)?.containers[0]?.resources] as const;
    }),
  );
  expect(Object.fromEntries(given)).toMatchObject(stated);
  expect(Object.keys(stated).toSorted()).toEqual(given.map(([run]) => run).toSorted());
  expect(podOf({}, { mode: 'finalize' })?.containers[0]?.resources).toEqual(usualResources);
});

test('the pages about scaling and clusters calculate with these requests', () => {
  const page = (name: string): string =>
    readFileSync(new URL(`../../../../../docs/${name}.md`, import.meta.url), 'utf8');
  const { cpu, memory } = measuredResources.meet?.speaker_view?.requests ?? {};
  const cores = Number.parseInt(cpu ?? '') / 1_000;
  // One of 32 cores is reserved.
  const perNode = Math.floor(31 / cores);
  const [some, more, most] = [1_000, 10_000, 100_000].map((bots) => Math.ceil(bots / perNode).toLocaleString('en'));
  expect(page('scaling')).toContain(
    `| nodes of 32 cores and 128 GiB, ${perNode} bots on each | ${some} | ${more} | ${most} |`,
  );
  expect(page('guides/kubernetes')).toMatch(
    new RegExp(`^\\| nodes of 32 cores.* \\| ${perNode} on each \\| ${some} \\|$`, 'm'),
  );
  expect(page('guides/kubernetes')).toContain(`| cores, request, \`speaker_view\` | ${cores} (`);
  expect(page('guides/kubernetes')).toContain(`| memory, request; limit | ${memory?.replace('Gi', ' GiB')} (`);
});

test.each<[string, RegExp]>([
  ['no JSON', /the JSON value/],
  ['{"memory": "2Gi"}', /memory/],
  ['{"resources": {"limits": {"memory": "a lot"}}}', /resources\.limits\.memory.*quantity/],
  ['{"tolerations": [{"effect": "Never"}]}', /tolerations\.0\.effect/],
  ['{"extraVolumeMounts": [{"name": "ca", "mountPath": "ca"}]}', /extraVolumeMounts\.0\.mountPath/],
])('the setting %s is refused with the name of what is wrong', (text, message) => {
  const parsed = podSettingsText().safeParse(text);
  expect(parsed.error?.issues.map((issue) => issue.message).join()).toMatch(message);
});

test('the setting is read from JSON, with defaults for what is left out', () => {
  const parsed: PodSettings = podSettingsText().parse('{"sharedMemory": "1Gi"}');
  expect(parsed).toMatchObject({ sharedMemory: '1Gi', workFolderSize: '8Gi' });
});

describe('where bots are placed', () => {
  const podWith = (pod: Record<string, unknown>) =>
    writeJob({ ...jobSettings, pod: podSettings.parse(pod) }, launchSpec).spec?.template.spec;

  test('packed, they prefer nodes that have bots, beside what else the operator asks for', () => {
    const podAffinity = { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1 }] };
    const pod = podWith({ scheduling: 'pack', affinity: { nodeAffinity: { own: true }, podAffinity } });
    expect(pod?.topologySpreadConstraints).toBeUndefined();
    expect(pod?.affinity).toMatchObject({
      nodeAffinity: { own: true },
      podAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1 },
          { weight: 100, podAffinityTerm: { topologyKey: 'kubernetes.io/hostname' } },
        ],
      },
    });
  });

  describe('while bots are late', () => {
    const late = ['bot-two-1', 'bot-three-2'];
    const jobBeside = (pod: Record<string, unknown>, waitsForCpu = true) =>
      writeJob(withPod(pod), { ...launchSpec, waitsForCpu }, late);
    const antiAffinityOf = (job: ReturnType<typeof writeJob>) => job.spec?.template.spec?.affinity?.podAntiAffinity;
    const rule = {
      topologyKey: 'kubernetes.io/hostname',
      labelSelector: { matchExpressions: [{ key: 'batch.kubernetes.io/job-name', operator: 'In', values: late }] },
    };

    test('a new bot does not go to their nodes, beside what else the operator asks for', () => {
      const own = { topologyKey: 'zone' };
      const podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [own] };
      const job = jobBeside({ affinity: { podAntiAffinity, nodeAffinity: { own: true } } });
      expect(job.spec?.template.spec?.affinity).toEqual({
        podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [own, rule] },
        nodeAffinity: { own: true },
      });
      expect(avoidedRunsOf(job)).toEqual(late);
    });

    test.each<[string, Record<string, unknown>, boolean]>([
      ['a bot whose meeting has begun', {}, false],
      ['a bot that waits in a queue of the cluster', { queue: 'bots' }, true],
    ])('%s goes there rather than nowhere', (_what, pod, waitsForCpu) => {
      const job = jobBeside(pod, waitsForCpu);
      expect(antiAffinityOf(job)).toEqual({
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm: rule }],
      });
      expect(avoidedRunsOf(job)).toEqual([]);
    });
  });

  test("are the operator's own constraints as they are", () => {
    const own = [{ topologyKey: 'topology.kubernetes.io/zone', maxSkew: 2, whenUnsatisfiable: 'DoNotSchedule' }];
    expect(podWith({ scheduling: own })?.topologySpreadConstraints).toEqual(own);
    expect(podSettings.safeParse({ scheduling: 'everywhere' }).success).toBe(false);
  });
});

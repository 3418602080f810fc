import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { checkConfiguration, isService } from './configuration.ts';
import { chartFolder, filesOf, installations, openHelm, runProgram } from './helm.ts';
import type { Helm } from './helm.ts';
import { podRights } from './pod-rights.ts';
import { environmentOf, parseObjects, podOf } from './rendered.ts';
import type { Container, KubernetesObject } from './rendered.ts';
import { makeSecrets } from './secrets.ts';

const kinds = Object.keys(installations);
const oldestAndNewest = ['1.30.0', '1.34.10'];
let helm: Helm;
let secrets: Readonly<Record<string, string>>;
const rendered = new Map<string, KubernetesObject[]>();

beforeAll(async () => {
  helm = await openHelm();
  secrets = await makeSecrets();
  for (const kind of kinds) rendered.set(kind, parseObjects(await render(filesOf(kind))));
});

async function render(args: readonly string[]): Promise<string> {
  const { code, output, errors } = await helm.run(template(args));
  if (code !== 0) throw new Error(errors);
  return output;
}

const template = (args: readonly string[]) => [
  'template',
  'rapporteur',
  chartFolder,
  '--namespace',
  'rapporteur',
  ...args,
];

describe.each(kinds)('the values of %s', (kind) => {
  test('pass helm lint --strict', async () => {
    const { code, output } = await helm.run([
      'lint',
      '--strict',
      chartFolder,
      '--namespace',
      'rapporteur',
      ...filesOf(kind),
    ]);
    expect({ code, output }).toMatchObject({ code: 0 });
  });

  test.each(oldestAndNewest)('render for Kubernetes %s', async (version) => {
    expect(parseObjects(await render([...filesOf(kind), '--kube-version', version])).length).toBeGreaterThan(40);
  });

  test('give every service an environment with which it starts', async () => {
    const deployments = (rendered.get(kind) ?? []).filter(isService);
    expect(deployments).toHaveLength(8);
    const checks = deployments.map(async (deployment) => {
      const [container] = podOf(deployment)?.pod.containers ?? [];
      return container === undefined ? 'no container' : checkConfiguration(container, secrets);
    });
    expect((await Promise.all(checks)).filter((problem) => problem !== '')).toEqual([]);
  });

  test('make no pod that Pod Security "restricted" or a house rule refuses', () => {
    const pods = (rendered.get(kind) ?? []).flatMap((object) => podOf(object) ?? []);
    expect(pods.length).toBeGreaterThanOrEqual(9);
    for (const { component, pod } of pods) {
      expect({ component, links: pod.enableServiceLinks }).toEqual({ component, links: false });
      expect({ component, token: pod.automountServiceAccountToken }).toEqual({
        component,
        token: component === 'bot-scheduler',
      });
      for (const { securityContext, resources } of pod.containers) {
        expect(securityContext).toMatchObject({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(resources).toMatchObject({
          requests: { memory: expect.any(String) },
          limits: { memory: expect.any(String) },
        });
      }
    }
  });

  test('read from the Secret only keys that `secrets manifest` makes or the operator brings', () => {
    const containers = (rendered.get(kind) ?? []).flatMap((object) => podOf(object)?.pod.containers ?? []);
    expect(() => containers.map((container) => environmentOf(container, secrets))).not.toThrow();
  });
});

describe('bots', () => {
  const rightsOfBots = () =>
    podRights(rendered.get('production') ?? []).find(({ component }) => component === 'bot-runner');

  test('reach the internet without private ranges, the metadata address and the API of the cluster', () => {
    const policy = rendered
      .get('production')
      ?.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === 'rapporteur-bot-runner');
    const blocks = policy?.spec?.egress?.flatMap(({ to = [] }) => to.flatMap(({ ipBlock }) => ipBlock ?? [])) ?? [];
    expect(blocks[0]).toMatchObject({
      cidr: '0.0.0.0/0',
      except: expect.arrayContaining(['169.254.0.0/16', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16']),
    });
    expect(blocks[1]).toMatchObject({ cidr: '::/0', except: expect.arrayContaining(['fc00::/7', 'fe80::/10']) });
    expect(rightsOfBots()?.reaches.filter((peer) => peer.startsWith('anywhere'))).toEqual([]);
  });

  test('accept no connection and get no key of the Secret', () => {
    expect(rightsOfBots()).toMatchObject({ reachedBy: [], secrets: [], api: 'none, no token' });
  });
});

test.each([
  ['move', 'true', 0],
  ['wait', 'true', 1],
  ['end', 'false', 0],
])('bots.disruption=%s: moved %s, budgets that hold drains back: %s', async (disruption, moves, budgets) => {
  const objects = parseObjects(await render([...filesOf('production'), '--set', `bots.disruption=${disruption}`]));
  const containers = objects.filter(isService).flatMap((object) => podOf(object)?.pod.containers ?? []);
  const scheduler = containers.find(({ name }) => name === 'bot-scheduler') as Container;
  expect(environmentOf(scheduler, secrets)['RAPPORTEUR_MOVES_DISPLACED']).toBe(moves);
  const budget = 'rapporteur-bot-runner';
  expect(
    objects.filter(({ kind, metadata }) => kind === 'PodDisruptionBudget' && metadata.name === budget),
  ).toHaveLength(budgets);
  expect(environmentOf(scheduler, secrets)['RAPPORTEUR_KUBERNETES_DISRUPTION_BUDGET']).toBe(
    budgets === 0 ? undefined : budget,
  );
  const api = podRights(objects).find(({ component }) => component === 'bot-scheduler')?.api ?? '';
  expect(api.includes('poddisruptionbudgets: patch')).toBe(budgets > 0);
});

test.each([
  ['never', true, []],
  ['tainted', true, ['nodes: list watch']],
  ['cordoned', true, ['nodes: list watch']],
  ['cordoned', false, []],
])('bots.leaveNodes=%s, bots.createClusterRole=%s: rights on the whole cluster: %j', async (leave, creates, rights) => {
  const values = ['--set', `bots.leaveNodes=${leave}`, '--set', `bots.createClusterRole=${creates}`];
  const objects = parseObjects(await render([...filesOf('production'), ...values]));
  const containers = objects.filter(isService).flatMap((object) => podOf(object)?.pod.containers ?? []);
  const scheduler = containers.find(({ name }) => name === 'bot-scheduler') as Container;
  expect(environmentOf(scheduler, secrets)['RAPPORTEUR_KUBERNETES_LEAVE_NODES']).toBe(leave);
  const api = podRights(objects).find(({ component }) => component === 'bot-scheduler')?.api ?? '';
  expect(api.split('; ').flatMap((right) => /^ClusterRole: (.*)/.exec(right)?.[1] ?? [])).toEqual(rights);
});

describe('rendering fails in plain words', () => {
  test.each([
    [
      'without anything',
      [],
      ['publicUrl.api', 'publicUrl.files', 'secrets.existingSecret', 'bus.url', 'objectStore.s3.bucket'],
    ],
    [
      'with a sandbox and no seccomp profile',
      [...filesOf('production'), '--set', 'bots.pod.seccompProfile=null'],
      ['bots.pod.seccompProfile'],
    ],
    [
      'with a certificate for an http address',
      [...filesOf('production'), '--set', 'publicUrl.api=http://api.example.com'],
      ['publicUrl.api: must be an https address'],
    ],
    ['with a value that there is not', [...filesOf('production'), '--set', 'bots.maxConcurent=5'], ['maxConcurent']],
    [
      'with a number where bots need a quantity',
      [...filesOf('production'), '--set', 'bots.pod.resources.requests.cpu=1'],
      ['/bots/pod/resources/requests/cpu', 'want string'],
    ],
    [
      'with a key of a pod that there is not',
      [...filesOf('production'), '--set', 'bots.pod.toleration=1', '--set', 'services.delivery.pod.node=a'],
      ["'toleration' not allowed", "'node' not allowed"],
    ],
    [
      'with bots that leave nodes and do not move',
      [...filesOf('production'), '--set', 'bots.disruption=end', '--set', 'bots.leaveNodes=tainted'],
      ['bots.leaveNodes'],
    ],
    [
      'with two ways in, and alerts without the address of their runbooks',
      [...filesOf('production'), '--set', 'gateway.enabled=true', '--set', 'prometheus.rules.enabled=true'],
      ['gateway.parentRefs', 'ingress.enabled', 'prometheus.rules.runbooks'],
    ],
    [
      'with a monitor that its NetworkPolicies refuse',
      [...filesOf('production'), '--set', 'prometheus.podMonitor.enabled=true', '--set', 'prometheus.namespace='],
      ['prometheus.namespace'],
    ],
    [
      'with the setting of a service as a plain variable',
      [...filesOf('production'), '--set-json', 'services.delivery.pod.extraEnv=[{"name":"RAPPORTEUR_X","value":"1"}]'],
      ['extraEnv: RAPPORTEUR_X'],
    ],
    [
      'with names, addresses and quantities that Kubernetes refuses',
      [
        ...filesOf('production'),
        '--set',
        'bots.namespace=Bad_Name',
        '--set',
        'tracesUrl=notaurl',
        '--set',
        'services.delivery.resources.limits.memory=1Gb',
        '--set',
        'pods.securityContext.runAsUserr=1',
        '--set',
        'global.imageRegistri=x',
        '--set',
        'secrets.keys.database-url.name=x',
      ],
      [
        '/bots/namespace',
        '/tracesUrl',
        '/services/delivery/resources/limits/memory',
        "invalid propertyName 'runAsUserr'",
        "invalid propertyName 'imageRegistri'",
        '/secrets/keys/database-url',
      ],
    ],
    [
      'with a cluster that the NetworkPolicy of bot-scheduler shuts out',
      [
        ...filesOf('production'),
        '--set-json',
        'bots.clusters=[{"name":"west","kubeconfig":"west","schedulerUrl":"https://s","busUrl":"tls://b","storageUrl":"https://f"}]',
      ],
      ['apiAddress of west'],
    ],
    [
      'with names that are given twice, limits that contradict and a model without its sum',
      [
        ...filesOf('production'),
        '--set-json',
        'bots={"clusters":[{"name":"a"},{"name":"a"}],"canaries":{"meetings":[{"name":"b","link":"x"},{"name":"b","link":"y"}]}}',
        '--set',
        'services.api-gateway.autoscaling.minReplicas=50,whisper.enabled=true,whisper.model=small',
        '--set',
        'bots.pod.extraEnv[0].name=RAPPORTEUR_X',
      ],
      [
        'bots.clusters: two entries have the name a',
        'bots.clusters: two entries have the kubeconfig of this cluster, namespace rapporteur-bots',
        'bots.canaries.meetings: two entries have the name b',
        'whisper.modelSha256',
        'services.api-gateway.autoscaling.minReplicas',
        'extraEnv: RAPPORTEUR_X',
      ],
    ],
    [
      'with a driver that there is not',
      [...filesOf('production'), '--set', 'objectStore.driver=ftp'],
      ['/objectStore/driver', "'s3', 'disk'"],
    ],
  ])('%s', async (_what, args, words) => {
    const { code, errors } = await helm.run(template(args));
    expect(code).toBe(1);
    for (const word of words) expect(errors).toContain(word);
  });
});

test('nats-server takes the configuration of the bundled NATS with the accounts of the Secret', async () => {
  const configuration = (rendered.get('trial') ?? []).find(
    ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'rapporteur-nats',
  );
  const folder = mkdtempSync(join(tmpdir(), 'rapporteur-chart-nats-'));
  try {
    mkdirSync(join(folder, 'authorization'));
    writeFileSync(join(folder, 'nats.conf'), configuration?.data?.['nats.conf'] ?? '');
    writeFileSync(join(folder, 'authorization/nats-authorization.conf'), secrets['nats-authorization.conf'] ?? '');
    const { code, errors } = await runProgram('nats-server', ['-t', '-c', join(folder, 'nats.conf')], {
      PATH: `${process.env['PATH']}:/usr/sbin`,
    });
    expect({ code, errors }).toMatchObject({ code: 0 });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a setting of a service reaches it, and one that it does not know is refused by its name', async () => {
  const set = (name: string) =>
    render([...filesOf('production'), '--set-string', `services.delivery.settings.${name}=7`]);
  const containerOf = (text: string) => {
    const found = parseObjects(text).find(
      (object) => isService(object) && object.metadata.name === 'rapporteur-delivery',
    );
    return (found === undefined ? null : podOf(found))?.pod.containers[0] as Container;
  };
  expect(await checkConfiguration(containerOf(await set('CONCURRENCY')), secrets)).toBe('');
  await expect(set('CONCURENCY')).rejects.toThrow('CONCURENCY');
});

test('providers of transcripts reach the services that use them, with the keys of the Secret', async () => {
  const providers = 'transcription.providers={deepgram,openai-compatible,local}';
  const live = 'transcription.liveProviders={elevenlabs,local}';
  const chosen = [
    '--set',
    providers,
    '--set',
    live,
    '--set',
    'transcription.openaiCompatibleUrl=http://whisper.example',
    '--set',
    'whisper.enabled=true',
  ];
  const keys = Object.fromEntries(
    ['deepgram', 'openai-compatible', 'elevenlabs'].map((name) => [`${name}-api-key`, name]),
  );
  const objects = parseObjects(
    await render([...filesOf('production'), ...chosen, '--set', 'transcription.liveFallback=local']),
  );
  const containers = objects.filter(isService).flatMap((object) => podOf(object)?.pod.containers ?? []);
  const using = containers.filter(({ name }) => ['bot-scheduler', 'delivery', 'transcriber'].includes(name));
  expect(await Promise.all(using.map((container) => checkConfiguration(container, { ...secrets, ...keys })))).toEqual([
    '',
    '',
    '',
  ]);
  const scheduler = using.find(({ name }) => name === 'bot-scheduler') as Container;
  expect(environmentOf(scheduler, { ...secrets, ...keys })).toMatchObject({
    RAPPORTEUR_LIVE_TRANSCRIPTION_ENGINES: 'elevenlabs,local',
    RAPPORTEUR_LIVE_TRANSCRIPTION_FALLBACK: 'local',
    RAPPORTEUR_LIVE_ELEVENLABS_API_KEY: 'elevenlabs',
  });
  expect(environmentOf(scheduler, { ...secrets, ...keys })['RAPPORTEUR_LIVE_PROVIDER_ADDRESSES']).toMatch(
    /^local=ws:.*-whisper/,
  );
  await expect(render([...filesOf('production'), '--set', 'transcription.liveFallback=local'])).rejects.toThrow(
    'transcription.liveFallback',
  );
  await expect(render([...filesOf('production'), '--set', 'transcription.providers={local}'])).rejects.toThrow(
    'whisper.enabled',
  );
});

test('numbers of YAML reach services as digits, and the webhook port of transcriber opens with its address', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rapporteur-chart-numbers-'));
  try {
    const file = join(folder, 'values.yaml');
    const values = [
      'publicUrl: { transcriber: https://hooks.example.com }',
      'services: { bot-scheduler: { settings: { LEASE_LOST_AFTER_MS: 1200000 } } }',
      'whisper: { enabled: true, settings: { MAX_QUEUE: 2000000 } }',
    ];
    writeFileSync(file, values.join('\n'));
    const objects = parseObjects(await render([...filesOf('production'), '--values', file]));
    const containers = objects.flatMap((object) => podOf(object)?.pod.containers ?? []);
    const named = (name: string) => containers.filter((one) => one.name === name && one.args?.[1] !== 'migrate');
    const valueOf = (name: string, variable: string) =>
      named(name)
        .flatMap(({ env = [] }) => env)
        .find((entry) => entry.name === `RAPPORTEUR_${variable}`)?.value;
    expect(valueOf('bot-scheduler', 'LEASE_LOST_AFTER_MS')).toBe('1200000');
    expect(valueOf('whisper', 'MAX_QUEUE')).toBe('2000000');
    const transcriber = named('transcriber').find(({ env = [] }) => env.length > 10) as Container;
    expect(await checkConfiguration(transcriber, secrets)).toBe('');
    expect(valueOf('transcriber', 'WEBHOOK_HOST')).toBe('::');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('policies follow every server of NATS and every URL of a setting; hosts that are names are listed by what reaches them', async () => {
  const values = {
    bus: { url: 'nats://10.6.0.1:4443, nats://10.6.0.2:4444' },
    tracesUrl: 'https://otel.example.com/v1/traces',
    services: {
      'api-gateway': { settings: { CORS_ORIGINS: 'https://app.example.com' } },
      'bot-scheduler': { settings: { LIVE_PROVIDER_ADDRESSES: 'deepgram=wss://10.6.0.3:8443,soniox=wss://10.6.0.4' } },
    },
    extraObjects: [
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'named' },
        data: { hosts: '{{ include "rapporteur.namedHosts" . }}' },
      },
    ],
  };
  const args = Object.entries(values).flatMap(([key, value]) => ['--set-json', `${key}=${JSON.stringify(value)}`]);
  const objects = parseObjects(await render([...filesOf('production'), ...args]));
  const egressOf = (component: string) =>
    JSON.stringify(
      objects.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === `rapporteur-${component}`)
        ?.spec?.egress,
    );
  for (const component of ['delivery', 'bot-runner'])
    expect(egressOf(component)).toContain('[{"protocol":"TCP","port":4443},{"protocol":"TCP","port":4444}]');
  for (const peer of ['10.6.0.3/32', '10.6.0.4/32']) {
    expect(egressOf('bot-runner')).toContain(peer);
    expect(egressOf('bot-scheduler')).not.toContain(peer);
  }
  const named = objects.find(({ metadata }) => metadata.name === 'named')?.data?.['hosts'] ?? '{}';
  expect(JSON.parse(named)).toEqual({
    reached: { 'otel.example.com': expect.arrayContaining(['bot-runner', 'delivery']) },
    refused: { 'otel.example.com': expect.arrayContaining(['api-gateway', 'bot-scheduler']) },
  });
});

test('a quota on CPU limits can be met by every container outside of bots', async () => {
  const limits = { limits: { cpu: '1', memory: '1Gi' } };
  const services = (rendered.get('production') ?? []).filter(isService).flatMap((one) => podOf(one)?.component ?? []);
  const keys = ['migrations', ...services.map((name) => `services.${name}`)];
  const args = keys.flatMap((key) => ['--set-json', `${key}.resources=${JSON.stringify(limits)}`]);
  const objects = parseObjects(await render([...filesOf('production'), ...args, '--set', 'bots.pullImages=true']));
  const containers = objects.flatMap((object) => podOf(object)?.pod.containers ?? []);
  expect(containers.length).toBeGreaterThan(18);
  expect(containers.filter(({ resources }) => !('cpu' in (resources?.limits ?? {})))).toEqual([]);
});

test('the schema names every key of the Secret that the chart reads', () => {
  const schema = JSON.parse(readFileSync(join(chartFolder, 'values.schema.json'), 'utf8')) as {
    properties: { secrets: { properties: { keys: { propertyNames: { enum: string[] } } } } };
  };
  const read = kinds
    .flatMap((kind) => rendered.get(kind) ?? [])
    .flatMap((object) => podOf(object)?.pod.containers ?? [])
    .flatMap(({ env = [] }) => env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.key ?? []));
  const known = schema.properties.secrets.properties.keys.propertyNames.enum;
  expect(read.filter((key) => !known.includes(key))).toEqual([]);
});

test('options of pods reach services and bots, keys of other Secrets their variables, further objects the release', async () => {
  const values = {
    pods: {
      runtimeClassName: 'gvisor',
      hostAliases: [{ ip: '10.0.0.1', hostnames: ['db'] }],
      dnsConfig: { options: [{ name: 'ndots', value: '2' }] },
      terminationGracePeriodSeconds: 90,
      containerSecurityContext: { runAsUser: 4000 },
      extraContainers: [{ name: 'sidecar', image: 'sidecar:1' }],
      service: { annotations: { owner: 'a' }, ipFamilyPolicy: 'PreferDualStack' },
    },
    services: { 'bot-scheduler': { pod: { serviceAccount: { create: false, name: 'given' } } } },
    migrations: { pod: { serviceAccount: { name: 'migrator' } } },
    secrets: { keys: { 'database-url': { secret: 'postgres-app', key: 'uri' } } },
    bots: {
      terminationGracePeriodSeconds: 240,
      pullImages: true,
      namespaceLabels: { mesh: 'off' },
      pod: {
        runtimeClassName: 'kata',
        annotations: { injected: 'no' },
        affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } },
        initContainers: [{ name: 'proxy', image: 'p:1', restartPolicy: 'Always' }],
      },
    },
    extraObjects: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '{{ .Release.Name }}-extra' } }],
  };
  const folder = mkdtempSync(join(tmpdir(), 'rapporteur-chart-values-'));
  try {
    writeFileSync(join(folder, 'values.yaml'), JSON.stringify(values));
    const objects = parseObjects(await render([...filesOf('production'), '--values', join(folder, 'values.yaml')]));
    const named = (kind: string, name: string) =>
      objects.find((object) => object.kind === kind && object.metadata.name === name);
    const scheduler = podOf(named('Deployment', 'rapporteur-bot-scheduler') as KubernetesObject)?.pod;
    expect(scheduler).toMatchObject({
      runtimeClassName: 'gvisor',
      serviceAccountName: 'given',
      hostAliases: [{ ip: '10.0.0.1' }],
      dnsConfig: { options: [{ name: 'ndots' }] },
      terminationGracePeriodSeconds: 90,
      containers: [{ securityContext: { runAsUser: 4000, readOnlyRootFilesystem: true } }, { name: 'sidecar' }],
    });
    const [container] = scheduler?.containers ?? [];
    expect(container?.env).toContainEqual({
      name: 'RAPPORTEUR_DATABASE_URL',
      valueFrom: { secretKeyRef: { name: 'postgres-app', key: 'uri' } },
    });
    expect(await checkConfiguration(container as Container, { ...secrets, uri: secrets['database-url'] ?? '' })).toBe(
      '',
    );
    const settings = environmentOf(container as Container, { ...secrets, uri: '' });
    expect(settings['RAPPORTEUR_KUBERNETES_TERMINATION_GRACE_MS']).toBe('240000');
    expect(JSON.parse(settings['RAPPORTEUR_KUBERNETES_POD'] ?? '{}')).toMatchObject({ runtimeClassName: 'kata' });
    for (const [kind, name] of [
      ['Job', 'rapporteur-migrations'],
      ['Pod', 'rapporteur-connection-test'],
    ] as const)
      expect(podOf(named(kind, name) as KubernetesObject)?.pod.serviceAccountName).toBe('migrator');
    expect(named('ServiceAccount', 'rapporteur-bot-scheduler')).toBeUndefined();
    expect(named('RoleBinding', 'rapporteur-bot-scheduler')?.subjects).toEqual([
      expect.objectContaining({ name: 'given' }),
    ]);
    expect(named('Service', 'rapporteur-delivery')).toMatchObject({
      metadata: { annotations: { owner: 'a' } },
      spec: { type: 'ClusterIP', ipFamilyPolicy: 'PreferDualStack' },
    });
    expect(named('Namespace', 'rapporteur-bots')?.metadata.labels).toMatchObject({ mesh: 'off' });
    // On the nodes of bots alone, and let in by policies that let bots in.
    const { template } = named('DaemonSet', 'rapporteur-bot-runner-image')?.spec ?? {};
    expect(template).toMatchObject({
      metadata: { annotations: { injected: 'no' } },
      spec: {
        serviceAccountName: 'rapporteur-bot-runner',
        affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: expect.anything() } },
        nodeSelector: { pool: 'bots' },
      },
    });
    expect(named('ConfigMap', 'rapporteur-extra')).toBeDefined();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

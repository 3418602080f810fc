import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

  test('ask the Secret only for keys that `secrets manifest` makes or the operator brings', () => {
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
  expect(
    objects.filter(({ kind, metadata }) => kind === 'PodDisruptionBudget' && metadata.name === 'rapporteur-bot-runner'),
  ).toHaveLength(budgets);
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

test('a setting of a service reaches it, and one that it does not know stops it', async () => {
  const set = (name: string) =>
    render([...filesOf('production'), '--set-string', `services.delivery.settings.${name}=7`]);
  const containerOf = (text: string) => {
    const found = parseObjects(text).find(
      (object) => isService(object) && object.metadata.name === 'rapporteur-delivery',
    );
    return (found === undefined ? null : podOf(found))?.pod.containers[0] as Container;
  };
  expect(await checkConfiguration(containerOf(await set('CONCURRENCY')), secrets)).toBe('');
  expect(await checkConfiguration(containerOf(await set('CONCURENCY')), secrets)).toContain(
    'RAPPORTEUR_CONCURENCY is not a setting',
  );
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

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fakeNodeAnnotations, fakeNodeToleration, openApiClient, provideBinaries } from '@rapporteur/cluster';
import type { ApiClient } from '@rapporteur/cluster';
import { waitFor } from '@rapporteur/testbed';
import { chartFolder, examples, filesOf, installations, openHelm, runProgram } from './helm.ts';
import type { Helm } from './helm.ts';
import { makeManifest, makeSecrets } from './secrets.ts';

interface Listed {
  readonly items: readonly {
    readonly metadata: { readonly name: string; readonly uid: string };
    readonly status?: { readonly phase?: string };
  }[];
}

const namespace = 'chart-install';
const bots = `${namespace}-bots`;
const restricted = { 'pod-security.kubernetes.io/enforce': 'restricted' };
const folder = mkdtempSync(join(tmpdir(), 'rapporteur-chart-'));
const overrides = join(folder, 'fake-nodes.yaml');
const kubeconfig = process.env['KUBECONFIG'] ?? '';
let helm: Helm;
let api: ApiClient;

beforeAll(async () => {
  helm = await openHelm(kubeconfig);
  api = openApiClient(kubeconfig);
  await api.request('POST', '/api/v1/namespaces', { metadata: { name: namespace, labels: restricted } });
  const { metadata } = await makeManifest();
  await api.request('POST', `/api/v1/namespaces/${namespace}/secrets`, {
    metadata: { name: metadata.name },
    stringData: await makeSecrets(),
  });
  // JSON is YAML.
  const values = {
    pods: fakeNodeToleration,
    migrations: { pod: { annotations: { [fakeNodeAnnotations.behaviour]: 'exits-with-0' } } },
    networkPolicy: { bus: [] },
  };
  writeFileSync(overrides, JSON.stringify(values));
});

afterAll(async () => {
  await helm.run(['uninstall', 'rapporteur', '--namespace', namespace, '--ignore-not-found', '--wait']);
  await api.request('DELETE', `/api/v1/namespaces/${namespace}`).catch(() => undefined);
  api.close();
  rmSync(folder, { recursive: true, force: true });
});

async function succeed(args: readonly string[]): Promise<string> {
  const { code, output, errors } = await helm.run([...args, '--namespace', namespace]);
  if (code !== 0) throw new Error(`helm ${args.join(' ')}\n${errors}`);
  return output;
}

const withValues = ['--values', overrides, '--wait', '--timeout', '90s'];
const list = (path: string): Promise<Listed> => api.request<Listed>('GET', path);

/** A pod as bot-scheduler's Jobs make them, which stays until it is deleted. */
const bot = {
  metadata: {
    name: 'bot-in-a-meeting',
    labels: { 'app.kubernetes.io/name': 'bot-runner', 'app.kubernetes.io/instance': 'rapporteur' },
  },
  spec: {
    restartPolicy: 'Never',
    serviceAccountName: 'rapporteur-bot-runner',
    automountServiceAccountToken: false,
    ...fakeNodeToleration,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 1000,
      seccompProfile: { type: 'Localhost', localhostProfile: 'rapporteur/chromium.json' },
    },
    containers: [
      {
        name: 'bot-runner',
        image: 'rapporteur-runner:1',
        securityContext: {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
          readOnlyRootFilesystem: true,
        },
      },
    ],
  },
};

async function botNow(): Promise<{ readonly uid: string; readonly phase: string | undefined } | undefined> {
  const { items } = await list(`/api/v1/namespaces/${bots}/pods`);
  const found = items.find(({ metadata }) => metadata.name === bot.metadata.name);
  return found === undefined ? undefined : { uid: found.metadata.uid, phase: found.status?.phase };
}

/** This control plane has no kinds of the Prometheus operator, of the Gateway API and of Istio. */
const withoutOthers = ['prometheus.podMonitor', 'prometheus.rules', 'gateway']
  .flatMap((key) => ['--set', `${key}.enabled=false`])
  .concat('--set-json', 'extraObjects=[]');

describe('the chart on a real control plane', () => {
  test.each([...Object.keys(installations), ...examples])(
    'has no object of the values %s that the API server refuses',
    async (kind) => {
      const rendered = join(folder, `${kind}.yaml`);
      const place = ['--set', 'bots.createNamespace=false', '--set', `bots.namespace=${namespace}`];
      const args = ['template', 'rapporteur', chartFolder, ...filesOf(kind), ...place, ...withoutOthers];
      writeFileSync(rendered, await succeed(args));
      const kubectl = join(await provideBinaries(() => undefined), 'kubectl');
      const apply = [
        '--kubeconfig',
        kubeconfig,
        '--namespace',
        namespace,
        'apply',
        '--dry-run=server',
        '--validate=strict',
        '-f',
        rendered,
      ];
      const { code, errors } = await runProgram(kubectl, apply, process.env);
      // Deployments that would make refused pods give a warning, not an error.
      expect(errors).toBe('');
      expect(code).toBe(0);
    },
  );

  test('installs with migrations first, and every service becomes available', async () => {
    const notes = await succeed(['install', 'rapporteur', chartFolder, ...filesOf('production'), ...withValues]);
    expect(notes).toContain('helm test rapporteur');
    expect(notes).toContain('tokens grant');
    const { items } = await list(`/apis/apps/v1/namespaces/${namespace}/deployments`);
    expect(items).toHaveLength(8);
  });

  test('helm test passes', async () => {
    expect(await succeed(['test', 'rapporteur', '--timeout', '60s'])).toContain('Succeeded');
  });

  test.each([
    [true, 'create', 'batch', 'jobs', bots],
    [true, 'delete', '', 'pods', bots],
    [true, 'watch', '', 'events', bots],
    [false, 'create', '', 'pods', bots],
    [false, 'get', '', 'secrets', bots],
    [false, 'update', 'batch', 'jobs', bots],
    [false, 'create', 'batch', 'jobs', namespace],
    [false, 'get', '', 'secrets', namespace],
    [false, 'list', '', 'nodes', ''],
  ])('bot-scheduler: allowed %s to %s %s %s in %s', async (allowed, verb, group, resource, place) => {
    const body = {
      spec: {
        user: `system:serviceaccount:${namespace}:rapporteur-bot-scheduler`,
        groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
        resourceAttributes: { verb, group, resource, namespace: place },
      },
    };
    const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
    const { status } = await api.request<{ status: { allowed: boolean } }>('POST', path, body);
    expect(status.allowed).toBe(allowed);
  });

  test('leaves a bot in its meeting alone through upgrade and rollback', async () => {
    await api.request('POST', `/api/v1/namespaces/${bots}/pods`, bot);
    await waitFor(async () => (await botNow())?.phase === 'Running', { what: 'the bot' });
    const before = await botNow();
    await succeed([
      'upgrade',
      'rapporteur',
      chartFolder,
      ...filesOf('production'),
      ...withValues,
      '--set',
      'image.tag=next',
    ]);
    expect(await botNow()).toEqual(before);
    await succeed(['rollback', 'rapporteur', '1', '--wait', '--timeout', '90s']);
    expect(await botNow()).toEqual(before);
  });

  test('refuses to delete the namespace of bots, and leaves it alone where it is to be kept', async () => {
    const upgrade = ['upgrade', 'rapporteur', chartFolder, ...filesOf('production'), ...withValues];
    const place = `/api/v1/namespaces/${bots}`;
    const note = (policy: string | null) =>
      api.request('PATCH', place, { metadata: { annotations: { 'helm.sh/resource-policy': policy } } });
    await note(null);
    const refused = [['bots.createNamespace=false'], ['bots.namespace=elsewhere-bots']].map((values) =>
      helm.run([...upgrade, '--namespace', namespace, ...values.flatMap((value) => ['--set', value])]),
    );
    for (const { code, errors } of await Promise.all(refused)) {
      expect(code).toBe(1);
      expect(errors).toContain(`would delete the namespace ${bots} and every bot in it`);
    }
    await note('keep');
    const before = await botNow();
    await succeed([...upgrade, '--set', 'bots.createNamespace=false']);
    expect(await botNow()).toEqual(before);
    const { metadata } = await api.request<{ metadata: { deletionTimestamp?: string } }>('GET', place);
    expect(metadata.deletionTimestamp).toBeUndefined();
  });

  test('refuses to rename the services while a bot reaches them by their names', async () => {
    const upgrade = ['upgrade', 'rapporteur', chartFolder, ...filesOf('production'), ...withValues];
    const jobs = `/apis/batch/v1/namespaces/${bots}/jobs`;
    const { metadata, spec } = bot;
    const job = { metadata: { ...metadata, name: 'bot-job' }, spec: { template: { metadata, spec } } };
    await api.request('POST', jobs, job);
    const active = async () =>
      (await api.request<{ status: { active?: number } }>('GET', `${jobs}/bot-job`)).status.active === 1;
    await waitFor(active, { what: 'the Job to run' });
    for (const renamed of ['fullnameOverride=meetings', 'nameOverride=meetings']) {
      const { code, errors } = await helm.run([...upgrade, '--namespace', namespace, '--set', renamed]);
      expect([renamed, code]).toEqual([renamed, 1]);
      expect(errors).toContain('1 bots run in the namespace');
    }
    await api.request('DELETE', `${jobs}/bot-job?propagationPolicy=Background`);
  });

  test('a second release shares the namespace of bots', async () => {
    const shared = ['--set', 'bots.createNamespace=false', '--set', `bots.namespace=${bots}`];
    const second = ['install', 'second', chartFolder, ...filesOf('production'), '--values', overrides, ...shared];
    await succeed([...second, '--dry-run=server']);
  });

  test('uninstalls, and leaves only the namespace of bots', async () => {
    await succeed(['uninstall', 'rapporteur', '--wait', '--timeout', '90s']);
    const kinds = [
      '/api/v1/services',
      '/api/v1/configmaps',
      '/api/v1/persistentvolumeclaims',
      '/apis/apps/v1/deployments',
    ];
    const more = [
      '/apis/batch/v1/jobs',
      '/apis/policy/v1/poddisruptionbudgets',
      '/apis/networking.k8s.io/v1/networkpolicies',
      '/apis/networking.k8s.io/v1/ingresses',
    ];
    for (const kind of [...kinds, ...more]) {
      const [root = '', resource = ''] = kind.split(/\/(?=[^/]+$)/);
      const { items } = await list(`${root}/namespaces/${namespace}/${resource}`);
      expect(
        items.map(({ metadata }) => `${resource} ${metadata.name}`).filter((name) => !name.includes('kube-root-ca')),
      ).toEqual([]);
    }
    expect((await list(`/api/v1/namespaces/${bots}/pods`)).items).toHaveLength(1);
    await api.request('DELETE', `/api/v1/namespaces/${bots}`);
  });
});

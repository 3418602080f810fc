import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { runProgram } from '@rapporteur/process-identity';

export const kubernetesVersion = 'v1.34.10';
const buildDeadlineMs = 3_600_000;
const modulesFolder = join(import.meta.dirname, '..', 'modules');
const version = 'k8s.io/component-base/version';
const stamp = `-s -w -X ${version}.gitVersion=${kubernetesVersion} -X ${version}.gitMajor=1 -X ${version}.gitMinor=34 -X ${version}.gitTreeState=clean -X ${version}.gitCommit=modules`;

const helm = 'helm.sh/helm/v3';
/** Helm uses the version of its cluster, and this one without a cluster: for `helm template` and `helm lint`. */
const helmStamp = [
  `-s -w -X ${helm}/internal/version.version=v3.21.4`,
  ...['pkg/chartutil', 'pkg/lint/rules'].map(
    (part) => `-X ${helm}/${part}.k8sVersionMajor=1 -X ${helm}/${part}.k8sVersionMinor=34`,
  ),
].join(' ');

interface Program {
  readonly module: string;
  readonly name: string;
  readonly source: string;
  readonly stamp: string;
}

/** The programs of each module. */
const programs: readonly Program[] = [
  { module: 'etcd', name: 'etcd', source: 'go.etcd.io/etcd/server/v3', stamp: '-s -w' },
  ...['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubectl'].map((name) => ({
    module: 'kubernetes',
    name,
    source: `k8s.io/kubernetes/cmd/${name}`,
    stamp,
  })),
];
const helmProgram: Program = { module: 'helm', name: 'helm', source: `${helm}/cmd/helm`, stamp: helmStamp };
const versitygwProgram: Program = {
  module: 'versitygw',
  name: 'versitygw',
  source: 'github.com/versity/versitygw/cmd/versitygw',
  stamp: '-s -w',
};
const cyclonusProgram: Program = {
  module: 'cyclonus',
  name: 'cyclonus',
  source: 'github.com/mattfenwick/cyclonus/cmd/cyclonus',
  stamp: '-s -w',
};

/** The programs of a full node besides the control plane. */
const nodePrograms: readonly Program[] = [
  ...['kubelet', 'kube-proxy'].map((name) => ({
    module: 'node',
    name,
    source: `k8s.io/kubernetes/cmd/${name}`,
    stamp,
  })),
  { module: 'coredns', name: 'coredns', source: '.', stamp: '-s -w' },
  { module: 'traefik', name: 'traefik', source: 'github.com/traefik/traefik/v3/cmd/traefik', stamp: '-s -w' },
];

export class MissingPrerequisite extends Error {
  override readonly name = 'MissingPrerequisite';
}

/**
 * The folder with the control plane's programs. They are built from Go modules with committed sums once per machine and
 * version of those sums: 15 minutes on two cores. Throws MissingPrerequisite, saying what to install.
 */
export function provideBinaries(say: (text: string) => void): Promise<string> {
  return provide(join('cluster', sumOfModules('etcd', 'kubernetes')), programs, say);
}

/**
 * The folder with kubelet, kube-proxy, CoreDNS and Traefik, built in the same way. Throws MissingPrerequisite with what
 * to install.
 */
export function provideNodeBinaries(say: (text: string) => void): Promise<string> {
  return provide(join('node', sumOfModules('node', 'coredns', 'traefik')), nodePrograms, say);
}

/** The file of Helm 3, built in the same way within two minutes. Throws MissingPrerequisite with what to install. */
export async function provideHelm(say: (text: string) => void): Promise<string> {
  return join(await provide(join('helm', sumOfModules('helm')), [helmProgram], say), 'helm');
}

/** Programs of S3 servers that are tried on request: built from their modules at these versions, without committed sums. */
const requestedStores = {
  minio: 'github.com/minio/minio@v0.0.0-20260212201848-7aac2a2c5b7c',
  mc: 'github.com/minio/mc@v0.0.0-20250313080218-cf909e1063a9',
  weed: 'github.com/seaweedfs/seaweedfs/weed@v0.0.0-20261109003541-7506e5f91cd6',
} as const;

/**
 * The file of a program of an S3 server, built in the same way: versitygw, an S3 server over a folder, within a minute,
 * MinIO and its client within five. Throws MissingPrerequisite with what to install.
 */
export async function provideStoreProgram(
  name: 'versitygw' | keyof typeof requestedStores,
  say: (text: string) => void,
): Promise<string> {
  if (name === 'versitygw')
    return join(await provide(join('versitygw', sumOfModules('versitygw')), [versitygwProgram], say), name);
  const [source = '', version = ''] = requestedStores[name].split('@');
  const folder = join(cacheFolder(), 'rapporteur', `${name}-${version}`);
  if (existsSync(join(folder, name))) return join(folder, name);
  await requireGo(26);
  say(`Building ${name} (minutes, once) …`);
  mkdirSync(folder, { recursive: true });
  for (const command of [
    ['mod', 'init', 'store'],
    ['get', '-tool', requestedStores[name]],
  ])
    await go(command, folder, goEnvironment());
  return await build({ module: folder, name, source, stamp: '-s -w' }, folder);
}

/**
 * The file of Cyclonus, which evaluates NetworkPolicies; built in the same way. Throws MissingPrerequisite with what to
 * install.
 */
export async function provideCyclonus(say: (text: string) => void): Promise<string> {
  return join(await provide(join('cyclonus', sumOfModules('cyclonus')), [cyclonusProgram], say), 'cyclonus');
}

async function provide(place: string, wanted: readonly Program[], say: (text: string) => void): Promise<string> {
  const folder = join(cacheFolder(), 'rapporteur', place);
  const missing = wanted.filter(({ name }) => !existsSync(join(folder, name)));
  if (missing.length === 0) return folder;
  const newest = [helmProgram, cyclonusProgram, versitygwProgram, ...nodePrograms];
  await requireGo(wanted.some((program) => newest.includes(program)) ? 26 : 25);
  mkdirSync(folder, { recursive: true });
  for (const [index, program] of missing.entries()) {
    say(`Building ${program.name} (${index + 1} of ${missing.length}; the first build takes minutes, once) …`);
    await build(program, folder);
  }
  return folder;
}

export function cacheFolder(): string {
  const configured = process.env['XDG_CACHE_HOME'];
  return configured === undefined || configured === '' ? join(homedir(), '.cache') : configured;
}

function sumOfModules(...modules: readonly string[]): string {
  const hash = createHash('sha256');
  for (const module of modules)
    for (const file of ['go.mod', 'go.sum', 'main.go'].map((name) => join(modulesFolder, module, name)))
      if (existsSync(file)) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

async function requireGo(leastMinor: number): Promise<void> {
  const found = await go(['version'], modulesFolder).catch(() => null);
  const [, minor] = /go1\.(\d+)/.exec(found ?? '') ?? [];
  if (Number(minor) >= leastMinor) return;
  throw new MissingPrerequisite(
    `Go 1.${leastMinor} or newer is needed to build the programs of these tests, and ${found === null ? 'there is no "go" in the PATH' : `this is ${found.trim()}`}.\n` +
      'Install it from go.dev/dl, or run these tests against a cluster of your own: KUBECONFIG=<file> npm run test:cluster.',
  );
}

const goEnvironment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  CGO_ENABLED: '0',
  GOTOOLCHAIN: 'local',
  GOFLAGS: '-buildvcs=false',
});

async function build({ module, name, source, stamp: flagsOfLinker }: Program, folder: string): Promise<string> {
  const unfinished = join(folder, `${name}.unfinished-${process.pid}`);
  const flags = ['build', '-trimpath', '-mod=readonly', '-ldflags', flagsOfLinker];
  try {
    await go([...flags, '-o', unfinished, source], resolve(modulesFolder, module), goEnvironment());
    renameSync(unfinished, join(folder, name));
    return join(folder, name);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

async function go(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const { output } = await runProgram({ program: 'go', arguments: args, cwd, env, deadlineMs: buildDeadlineMs });
  return output.toString();
}

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openApiClient } from './api-client.ts';
import { createAuthority, writeKeyPair } from './certificates.ts';
import type { Identity } from './certificates.ts';

export interface ControlPlane {
  readonly kubeconfigFile: string;
  /** Restarts the API server, as a crash does. */
  restartApiServer(): Promise<void>;
  stop(): Promise<void>;
}

const readyWithinMs = 120_000;
const stopWithinMs = 10_000;

/** etcd, kube-apiserver, kube-controller-manager and kube-scheduler on loopback and free ports, from an empty store. */
export async function startControlPlane(binaries: string): Promise<ControlPlane> {
  const folder = mkdtempSync(join(tmpdir(), 'rapporteur-cluster-'));
  const children = new Map<string, ChildProcess>();
  const start = (name: string, args: readonly string[]): void => {
    const log = openSync(join(folder, `${name}.log`), 'a');
    children.set(name, spawn(join(binaries, name), args, { stdio: ['ignore', log, log] }));
  };
  const stop = async (): Promise<void> => {
    for (const child of [...children.values()].toReversed()) await end(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const plan = await prepare(folder);
    start('etcd', plan.etcd);
    start('kube-apiserver', plan.apiServer);
    const client = openApiClient(plan.kubeconfigFile);
    const isReady = () => client.request('GET', '/readyz').then(() => true);
    await waitUntil(isReady, 'kube-apiserver', folder);
    start('kube-controller-manager', plan.controllerManager);
    start('kube-scheduler', plan.scheduler);
    const account = '/api/v1/namespaces/default/serviceaccounts/default';
    await waitUntil(() => client.request('GET', account).then(() => true), 'kube-controller-manager', folder);
    return {
      kubeconfigFile: plan.kubeconfigFile,
      stop,
      restartApiServer: async () => {
        const running = children.get('kube-apiserver');
        if (running !== undefined) await end(running, 'SIGKILL');
        start('kube-apiserver', plan.apiServer);
        await waitUntil(isReady, 'kube-apiserver', folder);
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Plan {
  readonly kubeconfigFile: string;
  readonly etcd: readonly string[];
  readonly apiServer: readonly string[];
  readonly controllerManager: readonly string[];
  readonly scheduler: readonly string[];
}

async function prepare(folder: string): Promise<Plan> {
  const keys = join(folder, 'keys');
  mkdirSync(keys);
  const [etcdClient, etcdPeer, api, manager, scheduler] = await freePorts(5);
  const authority = await createAuthority(keys);
  const accounts = await writeKeyPair(keys, 'service-accounts');
  const server = await authority.issue('apiserver', { commonName: 'kube-apiserver' });
  const kubeconfigOf = async (name: string, commonName: string, organization?: string): Promise<string> => {
    const identity = await authority.issue(name, {
      commonName,
      ...(organization === undefined ? {} : { organization }),
    });
    return writeKubeconfig(
      join(folder, `${name}.kubeconfig`),
      `https://127.0.0.1:${api}`,
      authority.certificateFile,
      identity,
    );
  };
  const admin = await kubeconfigOf('admin', 'admin', 'system:masters');
  const managerConfig = await kubeconfigOf('controller-manager', 'system:kube-controller-manager');
  const schedulerConfig = await kubeconfigOf('scheduler', 'system:kube-scheduler');
  const own = (file: string, port: number | undefined) => [
    `--kubeconfig=${file}`,
    `--authentication-kubeconfig=${file}`,
    `--authorization-kubeconfig=${file}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    '--leader-elect=false',
    '--kube-api-qps=1000',
    '--kube-api-burst=2000',
  ];
  return {
    kubeconfigFile: admin,
    etcd: etcdArguments(join(folder, 'etcd'), etcdClient, etcdPeer),
    apiServer: [
      `--etcd-servers=http://127.0.0.1:${etcdClient}`,
      '--bind-address=127.0.0.1',
      '--advertise-address=127.0.0.1',
      `--secure-port=${api}`,
      `--tls-cert-file=${server.certificateFile}`,
      `--tls-private-key-file=${server.keyFile}`,
      `--client-ca-file=${authority.certificateFile}`,
      '--authorization-mode=Node,RBAC',
      '--anonymous-auth=false',
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${accounts.publicFile}`,
      `--service-account-signing-key-file=${accounts.privateFile}`,
      '--service-cluster-ip-range=10.96.0.0/16',
      '--endpoint-reconciler-type=none',
    ],
    controllerManager: [
      ...own(managerConfig, manager),
      '--use-service-account-credentials=true',
      `--service-account-private-key-file=${accounts.privateFile}`,
      `--root-ca-file=${authority.certificateFile}`,
      '--controllers=*,-node-ipam-controller,-service-lb-controller,-node-route-controller,-cloud-node-lifecycle-controller',
      '--node-monitor-period=1s',
      '--node-monitor-grace-period=8s',
      '--concurrent-job-syncs=25',
    ],
    scheduler: own(schedulerConfig, scheduler),
  };
}

function etcdArguments(dataFolder: string, clientPort: number | undefined, peerPort: number | undefined): string[] {
  const client = `http://127.0.0.1:${clientPort}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  return [
    `--data-dir=${dataFolder}`,
    '--unsafe-no-fsync',
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    '--log-level=warn',
  ];
}

function writeKubeconfig(file: string, server: string, authorityFile: string, identity: Identity): string {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    clusters: [{ name: 'test', cluster: { server, 'certificate-authority': authorityFile } }],
    users: [{ name: 'test', user: { 'client-certificate': identity.certificateFile, 'client-key': identity.keyFile } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
  };
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  return file;
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

async function waitUntil(isUp: () => Promise<boolean>, program: string, folder: string): Promise<void> {
  const deadline = Date.now() + readyWithinMs;
  while (!(await isUp().catch(() => false))) {
    if (Date.now() > deadline) {
      const log = readFileSync(join(folder, `${program}.log`), 'utf8').slice(-2_000);
      throw new Error(`${program} was not ready within ${readyWithinMs / 1_000} s. Its log ends with:\n${log}`);
    }
    await sleep(200);
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  const forced = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
  await exited;
  clearTimeout(forced);
}

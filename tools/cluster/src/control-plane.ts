import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@rapporteur/local-stack';
import { openApiClient } from './api-client.ts';
import { createAuthority, writeKeyPair } from './certificates.ts';
import type { Authority, Identity } from './certificates.ts';
import { openProcesses } from './processes.ts';

export interface ControlPlane {
  readonly kubeconfigFile: string;
  readonly authority: Authority;
  /** Where the API server also listens for pods and nodes; the loopback without such an address. */
  readonly podsHost: string;
  /** Writes a kubeconfig with a certificate of its own, for the loopback or another host; returns its path. */
  issueKubeconfig(name: string, subject: { commonName: string; organization?: string }, host?: string): Promise<string>;
  /** Restarts the API server, as a crash does; `meanwhile` runs while it is away. */
  restartApiServer(meanwhile?: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

const loopback = '127.0.0.1';

/**
 * etcd, kube-apiserver, kube-controller-manager and kube-scheduler on loopback and free ports, from an empty store.
 * With `podsHost`, an address of this machine, the API server also listens there and pods reach it as the Service `kubernetes`.
 */
export async function startControlPlane(binaries: string, podsHost?: string): Promise<ControlPlane> {
  const folder = mkdtempSync(join(tmpdir(), 'rapporteur-cluster-'));
  const processes = openProcesses(folder);
  const start = (name: string, args: readonly string[]): void => processes.start(join(binaries, name), args);
  const stop = async (): Promise<void> => {
    await processes.stopAll();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const plan = await prepare(folder, podsHost);
    start('etcd', plan.etcd);
    start('kube-apiserver', plan.apiServer);
    const client = openApiClient(plan.kubeconfigFile);
    const isReady = () => client.request('GET', '/readyz').then(() => true);
    await processes.waitUntil('kube-apiserver', isReady);
    start('kube-controller-manager', plan.controllerManager);
    start('kube-scheduler', plan.scheduler);
    const account = '/api/v1/namespaces/default/serviceaccounts/default';
    await processes.waitUntil('kube-controller-manager', () => client.request('GET', account).then(() => true));
    return {
      kubeconfigFile: plan.kubeconfigFile,
      authority: plan.authority,
      podsHost: podsHost ?? loopback,
      issueKubeconfig: plan.issueKubeconfig,
      stop,
      restartApiServer: async (meanwhile) => {
        await processes.stop('kube-apiserver', 'SIGKILL');
        await meanwhile?.();
        start('kube-apiserver', plan.apiServer);
        await processes.waitUntil('kube-apiserver', isReady);
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Plan extends Pick<ControlPlane, 'kubeconfigFile' | 'authority' | 'issueKubeconfig'> {
  readonly etcd: readonly string[];
  readonly apiServer: readonly string[];
  readonly controllerManager: readonly string[];
  readonly scheduler: readonly string[];
}

async function prepare(folder: string, podsHost: string | undefined): Promise<Plan> {
  const keys = join(folder, 'keys');
  mkdirSync(keys);
  const ports: number[] = [];
  while (ports.length < 5) ports.push(await freePort());
  const [etcdClient, etcdPeer, api, manager, scheduler] = ports;
  const authority = await createAuthority(keys);
  const accounts = await writeKeyPair(keys, 'service-accounts');
  const issueKubeconfig: Plan['issueKubeconfig'] = async (name, subject, host = loopback) => {
    const identity = await authority.issue(name, subject);
    const file = join(folder, `${name}.kubeconfig`);
    return writeKubeconfig(file, `https://${host}:${api}`, authority.certificateFile, identity);
  };
  const admin = await issueKubeconfig('admin', { commonName: 'admin', organization: 'system:masters' });
  const managerConfig = await issueKubeconfig('controller-manager', { commonName: 'system:kube-controller-manager' });
  const schedulerConfig = await issueKubeconfig('scheduler', { commonName: 'system:kube-scheduler' });
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
    authority,
    issueKubeconfig,
    etcd: etcdArguments(join(folder, 'etcd'), etcdClient, etcdPeer),
    apiServer: [
      `--etcd-servers=http://127.0.0.1:${etcdClient}`,
      `--secure-port=${api}`,
      `--service-account-key-file=${accounts.publicFile}`,
      `--service-account-signing-key-file=${accounts.privateFile}`,
      ...(await apiServerArguments(authority, podsHost)),
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

async function apiServerArguments(authority: Authority, podsHost: string | undefined): Promise<string[]> {
  const server = await authority.issue('apiserver', { commonName: 'kube-apiserver' });
  const common = [
    `--tls-cert-file=${server.certificateFile}`,
    `--tls-private-key-file=${server.keyFile}`,
    `--client-ca-file=${authority.certificateFile}`,
    '--authorization-mode=Node,RBAC',
    '--anonymous-auth=false',
    '--service-account-issuer=https://kubernetes.default.svc',
    '--service-cluster-ip-range=10.96.0.0/16',
  ];
  if (podsHost === undefined)
    return [...common, '--bind-address=127.0.0.1', '--advertise-address=127.0.0.1', '--endpoint-reconciler-type=none'];
  const client = await authority.issue('apiserver-kubelet', {
    commonName: 'apiserver-kubelet',
    organization: 'system:masters',
  });
  return [
    ...common,
    '--bind-address=0.0.0.0',
    `--advertise-address=${podsHost}`,
    '--enable-admission-plugins=NodeRestriction',
    `--kubelet-client-certificate=${client.certificateFile}`,
    `--kubelet-client-key=${client.keyFile}`,
    `--kubelet-certificate-authority=${authority.certificateFile}`,
    '--kubelet-preferred-address-types=InternalIP',
  ];
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

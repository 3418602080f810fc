import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { openApiClient } from '../api-client.ts';
import type { ApiClient } from '../api-client.ts';
import { provideBinaries, provideNodeBinaries } from '../binaries.ts';
import { podGateway } from '../certificates.ts';
import { startControlPlane } from '../control-plane.ts';
import type { ControlPlane } from '../control-plane.ts';
import { openProcesses } from '../processes.ts';
import type { Processes } from '../processes.ts';
import { imageTag } from './images.ts';
import { killProcesses, nodeFolder } from './namespaces.ts';
import { cniFolder } from './requirements.ts';

export interface FullNode {
  readonly kubeconfigFile: string;
  readonly nodeName: string;
  /** Runs kubectl as administrator; returns its output, rejects with its errors. */
  kubectl(...args: readonly string[]): Promise<string>;
  /** Adds a second name to an image. */
  nameImage(name: string, secondName: string): Promise<void>;
  /** Kills the kubelet and every process of these pods, like a power failure. */
  loseNode(podUids: readonly string[]): Promise<void>;
  /** Starts the kubelet again and waits until the node is ready. */
  recoverNode(): Promise<void>;
  stop(): Promise<void>;
}

const nodeName = 'node-1';
const bridge = 'pods0';
const podNetwork = '10.244.0.0/24';
const runFile = promisify(execFile);

/** Where pods' volumes are: a PersistentVolume each. */
const volumes = ['volume-1', 'volume-2', 'volume-3'];

/**
 * A control plane and one node that runs containers, with DNS (CoreDNS), Services (kube-proxy) and an Ingress controller
 * (Traefik, on port 80 of every address). Only inside `runInNodeNamespaces`.
 */
export async function startFullNode(seccompProfiles: Readonly<Record<string, string>>): Promise<FullNode> {
  const folder = nodeFolder();
  if (folder === null) throw new Error('A full node starts in its own namespaces: npm run test:cluster -- --node.');
  prepareNetwork(folder);
  const processes = openProcesses(folder);
  const controlPlane = await startControlPlane(await provideBinaries(() => undefined), podGateway);
  const programs = await provideNodeBinaries(() => undefined);
  const api = openApiClient(controlPlane.kubeconfigFile);
  const context: Context = { folder, processes, controlPlane, programs, api };
  for (const [name, file] of Object.entries(seccompProfiles))
    cpSync(file, join(folder, 'kubelet/seccomp', name), { recursive: true });
  const stop = async (): Promise<void> => {
    api.close();
    await processes.stopAll();
    await controlPlane.stop();
  };
  try {
    await startContainerd(context);
    const startKubelet = await configureKubelet(context);
    await startKubelet();
    await startNetworkPrograms(context);
    await createVolumes(context);
    return { ...operationsOn(context, startKubelet), kubeconfigFile: controlPlane.kubeconfigFile, nodeName, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Context {
  readonly folder: string;
  readonly processes: Processes;
  readonly controlPlane: ControlPlane;
  readonly programs: string;
  readonly api: ApiClient;
}

function prepareNetwork(folder: string): void {
  run('ip', 'link', 'add', bridge, 'type', 'bridge');
  run('ip', 'addr', 'add', `${podGateway}/24`, 'dev', bridge);
  run('ip', 'link', 'set', bridge, 'up');
  run('ip', 'route', 'add', 'default', 'dev', bridge);
  for (const setting of ['ipv4/ip_forward', 'bridge/bridge-nf-call-iptables'])
    writeFileSync(join('/proc/sys/net', setting), '1');
  const hosts = join(folder, 'hosts');
  writeFileSync(hosts, '127.0.0.1 localhost api.rapporteur.localhost files.rapporteur.localhost\n');
  run('mount', '--bind', hosts, '/etc/hosts');
}

function run(program: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
}

const socketOf = (folder: string): string => join(folder, 'containerd.sock');

function ctr(folder: string, ...args: readonly string[]): Promise<unknown> {
  return runFile('ctr', ['--address', socketOf(folder), '--namespace', 'k8s.io', ...args]);
}

async function startContainerd({ folder, processes }: Context): Promise<void> {
  const cni = join(folder, 'cni');
  mkdirSync(cni);
  const addresses = { type: 'host-local', ranges: [[{ subnet: podNetwork }]], routes: [{ dst: '0.0.0.0/0' }] };
  const plugin = { type: 'bridge', bridge, isGateway: true, hairpinMode: true, ipam: addresses };
  const network = { cniVersion: '0.4.0', name: 'pods', plugins: [plugin] };
  writeFileSync(join(cni, '10-pods.conflist'), JSON.stringify(network));
  const configuration = join(folder, 'containerd.toml');
  // Without CAP_SYS_RESOURCE no score below the current one may be set.
  writeFileSync(
    configuration,
    `version = 2
root = "${folder}/containerd"
state = "${folder}/containerd-state"
[grpc]
  address = "${socketOf(folder)}"
[plugins."io.containerd.internal.v1.opt"]
  path = "${folder}/containerd-opt"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "docker.io/library/pause:${imageTag}"
  restrict_oom_score_adj = true
  disable_apparmor = true
  stream_server_address = "127.0.0.1"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "${cniFolder}"
    conf_dir = "${cni}"
`,
  );
  processes.start('containerd', ['--config', configuration]);
  await processes.waitUntil('containerd', () => ctr(folder, 'version').then(() => true));
  const images = join(folder, 'images');
  for (const file of readdirSync(images).filter((name) => name.endsWith('.tar')))
    await ctr(folder, 'images', 'import', join(images, file));
}

/** Returns the function that starts the kubelet and waits until its node is ready. */
async function configureKubelet({
  folder,
  processes,
  controlPlane,
  programs,
  api,
}: Context): Promise<() => Promise<void>> {
  const { authority } = controlPlane;
  const user = { commonName: `system:node:${nodeName}`, organization: 'system:nodes' };
  const serving = await authority.issue('kubelet', user);
  const kubeconfig = await controlPlane.issueKubeconfig('node', user);
  const configuration = join(folder, 'kubelet.yaml');
  const settings = {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    containerRuntimeEndpoint: `unix://${socketOf(folder)}`,
    tlsCertFile: serving.certificateFile,
    tlsPrivateKeyFile: serving.keyFile,
    authentication: { anonymous: { enabled: false }, x509: { clientCAFile: authority.certificateFile } },
    cgroupDriver: 'cgroupfs',
    cgroupRoot: `/${basename(folder)}`,
    clusterDNS: [podGateway],
    clusterDomain: 'cluster.local',
    failSwapOn: false,
    oomScoreAdj: 0,
    maxOpenFiles: 16_384,
    makeIPTablesUtilChains: false,
    // Images are not pulled again, so none may be collected.
    evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
    imageGCHighThresholdPercent: 100,
    nodeStatusUpdateFrequency: '2s',
    volumePluginDir: join(folder, 'volume-plugins'),
    podLogsDir: join(folder, 'pod-logs'),
  };
  // JSON would be parsed as another format.
  writeFileSync(configuration, stringify(settings));
  const args = [
    `--config=${configuration}`,
    `--kubeconfig=${kubeconfig}`,
    `--root-dir=${join(folder, 'kubelet')}`,
    `--cert-dir=${join(folder, 'kubelet-keys')}`,
    `--hostname-override=${nodeName}`,
    `--node-ip=${podGateway}`,
  ];
  interface Node {
    readonly status: { readonly conditions: readonly { readonly type: string; readonly status: string }[] };
  }
  const isReady = async (): Promise<boolean> => {
    const { status } = await api.request<Node>('GET', `/api/v1/nodes/${nodeName}`);
    return status.conditions.some((condition) => condition.type === 'Ready' && condition.status === 'True');
  };
  return async () => {
    processes.start(join(programs, 'kubelet'), args, { ...process.env, AWS_EC2_METADATA_DISABLED: 'true' });
    await processes.waitUntil('kubelet', isReady);
  };
}

async function startNetworkPrograms({ folder, processes, controlPlane, programs }: Context): Promise<void> {
  const proxyConfig = await controlPlane.issueKubeconfig('kube-proxy', { commonName: 'system:kube-proxy' });
  processes.start(join(programs, 'kube-proxy'), [
    `--kubeconfig=${proxyConfig}`,
    `--hostname-override=${nodeName}`,
    '--proxy-mode=iptables',
    `--cluster-cidr=${podNetwork}`,
    '--conntrack-max-per-core=0',
    '--conntrack-tcp-timeout-established=0',
    '--conntrack-tcp-timeout-close-wait=0',
  ]);
  const corefile = join(folder, 'Corefile');
  const zone = `kubernetes cluster.local in-addr.arpa {\n    kubeconfig ${controlPlane.kubeconfigFile}\n  }`;
  const others = `template ANY ANY {\n    rcode NXDOMAIN\n  }`;
  writeFileSync(
    corefile,
    `cluster.local in-addr.arpa {\n  bind ${podGateway}\n  errors\n  ${zone}\n}\n. {\n  bind ${podGateway}\n  ${others}\n}\n`,
  );
  processes.start(join(programs, 'coredns'), ['-conf', corefile]);
  processes.start(
    join(programs, 'traefik'),
    [
      '--entrypoints.web.address=:80',
      '--providers.kubernetesingress=true',
      '--global.checknewversion=false',
      '--global.sendanonymoususage=false',
    ],
    { ...process.env, KUBECONFIG: controlPlane.kubeconfigFile },
  );
  await processes.waitUntil('traefik', () => fetch('http://127.0.0.1/').then(({ status }) => status === 404));
}

async function createVolumes({ folder, api }: Context): Promise<void> {
  for (const name of volumes) {
    const path = join(folder, 'volumes', name);
    mkdirSync(path, { recursive: true });
    // The kubelet sets no group on a hostPath.
    run('chmod', '0777', path);
    const spec = {
      capacity: { storage: '100Gi' },
      accessModes: ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy: 'Retain',
      hostPath: { path },
    };
    await api.request('POST', '/api/v1/persistentvolumes', { metadata: { name }, spec });
  }
}

function operationsOn(
  { folder, processes, controlPlane }: Context,
  startKubelet: () => Promise<void>,
): Pick<FullNode, 'kubectl' | 'nameImage' | 'loseNode' | 'recoverNode'> {
  return {
    kubectl: async (...args) => {
      const program = join(await provideBinaries(() => undefined), 'kubectl');
      const options = { maxBuffer: 64 * 1_024 * 1_024, timeout: 300_000 };
      const { stdout } = await runFile(program, ['--kubeconfig', controlPlane.kubeconfigFile, ...args], options);
      return stdout;
    },
    nameImage: async (name, secondName) => {
      const full = (one: string): string => `docker.io/library/${one}:${imageTag}`;
      await ctr(folder, 'images', 'tag', full(name), full(secondName));
    },
    loseNode: async (podUids) => {
      await processes.stop('kubelet', 'SIGKILL');
      for (const uid of podUids) killProcesses(basename(folder), `pod${uid}`);
    },
    recoverNode: startKubelet,
  };
}

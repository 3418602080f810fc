import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '@rapporteur/process-identity';
import { stringify } from 'yaml';
import type { ApiClient } from '../api-client.ts';
import type { ControlPlane } from '../control-plane.ts';
import { openProcesses } from '../processes.ts';
import type { Processes } from '../processes.ts';
import { imageTag } from './images.ts';
import { bridge, clusterNetwork } from './node-network.ts';
import type { NodePlace } from './node-network.ts';
import { cniFolder } from './requirements.ts';

export interface NodeSettings {
  readonly controlPlane: ControlPlane;
  /** Folder of kubelet and kube-proxy. */
  readonly programs: string;
  readonly api: ApiClient;
  /** Archives to import. */
  readonly imageFiles: readonly string[];
  readonly seccompProfiles: Readonly<Record<string, string>>;
  readonly taints: readonly { readonly key: string; readonly value: string; readonly effect: string }[];
}

/** The programs of one node. */
export interface RunningNode {
  readonly place: NodePlace;
  readonly processes: Processes;
  /** Runs `ctr` against the node's containerd; rejects with its errors. */
  ctr(...args: readonly string[]): Promise<void>;
  /** Starts the kubelet and waits until its node is ready. */
  startKubelet(): Promise<void>;
}

const importDeadlineMs = 300_000;

/** Starts containerd, imports the images, and starts kubelet and kube-proxy. Rejects with the end of a program's log. */
export async function startNode(place: NodePlace, settings: NodeSettings): Promise<RunningNode> {
  const processes = openProcesses(place.folder, place.enter);
  const socket = join(place.folder, 'containerd.sock');
  const ctr = async (...args: readonly string[]): Promise<void> => {
    const all = ['--address', socket, '--namespace', 'k8s.io', ...args];
    await runProgram({ program: 'ctr', arguments: all, deadlineMs: importDeadlineMs });
  };
  try {
    for (const [name, file] of Object.entries(settings.seccompProfiles))
      cpSync(file, join(place.folder, 'kubelet/seccomp', name), { recursive: true });
    processes.start('containerd', ['--config', configureContainerd(place, socket)]);
    await processes.waitUntil('containerd', () => ctr('version').then(() => true));
    for (const file of settings.imageFiles) await ctr('images', 'import', file);
    const startKubelet = await configureKubelet(place, socket, processes, settings);
    await startKubelet();
    await startProxy(place, processes, settings);
    return { place, processes, ctr, startKubelet };
  } catch (error) {
    await processes.stopAll();
    throw error;
  }
}

/** Returns the file. */
function configureContainerd({ folder, podNetwork }: NodePlace, socket: string): string {
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
  address = "${socket}"
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
  return configuration;
}

/** Returns the function that starts the kubelet and waits until its node is ready. */
async function configureKubelet(
  { name, address, folder, cgroup }: NodePlace,
  socket: string,
  processes: Processes,
  { controlPlane, programs, api, taints }: NodeSettings,
): Promise<() => Promise<void>> {
  const { authority } = controlPlane;
  const user = { commonName: `system:node:${name}`, organization: 'system:nodes' };
  const serving = await authority.issue(`kubelet-${name}`, user);
  const kubeconfig = await controlPlane.issueKubeconfig(name, user, controlPlane.podsHost);
  const configuration = join(folder, 'kubelet.yaml');
  const settings = {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    containerRuntimeEndpoint: `unix://${socket}`,
    tlsCertFile: serving.certificateFile,
    tlsPrivateKeyFile: serving.keyFile,
    authentication: { anonymous: { enabled: false }, x509: { clientCAFile: authority.certificateFile } },
    cgroupDriver: 'cgroupfs',
    cgroupRoot: `/${cgroup}`,
    // CoreDNS runs on the first node.
    clusterDNS: [controlPlane.podsHost],
    clusterDomain: 'cluster.local',
    registerWithTaints: taints,
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
    `--hostname-override=${name}`,
    `--node-ip=${address}`,
  ];
  interface Node {
    readonly status: { readonly conditions: readonly { readonly type: string; readonly status: string }[] };
  }
  const isReady = async (): Promise<boolean> => {
    const { status } = await api.request<Node>('GET', `/api/v1/nodes/${name}`);
    return status.conditions.some((condition) => condition.type === 'Ready' && condition.status === 'True');
  };
  return async () => {
    processes.start(join(programs, 'kubelet'), args, { ...process.env, AWS_EC2_METADATA_DISABLED: 'true' });
    await processes.waitUntil('kubelet', isReady);
  };
}

async function startProxy(
  { name }: NodePlace,
  processes: Processes,
  { controlPlane, programs }: NodeSettings,
): Promise<void> {
  const subject = { commonName: 'system:kube-proxy' };
  const kubeconfig = await controlPlane.issueKubeconfig(`kube-proxy-${name}`, subject, controlPlane.podsHost);
  processes.start(join(programs, 'kube-proxy'), [
    `--kubeconfig=${kubeconfig}`,
    `--hostname-override=${name}`,
    '--proxy-mode=iptables',
    `--cluster-cidr=${clusterNetwork}`,
    '--conntrack-max-per-core=0',
    '--conntrack-tcp-timeout-established=0',
    '--conntrack-tcp-timeout-close-wait=0',
  ]);
}

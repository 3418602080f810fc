import { Resolver } from 'node:dns/promises';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runProgram } from '@rapporteur/process-identity';
import { openApiClient } from '../api-client.ts';
import type { ApiClient } from '../api-client.ts';
import { provideBinaries, provideNodeBinaries } from '../binaries.ts';
import { startControlPlane } from '../control-plane.ts';
import type { ControlPlane } from '../control-plane.ts';
import { nodeAddresses } from '../certificates.ts';
import { imageFiles, imageTag } from './images.ts';
import { killProcesses, nodeFolder } from './namespaces.ts';
import { prepareNetwork, run } from './node-network.ts';
import { startNode } from './node-programs.ts';
import type { RunningNode } from './node-programs.ts';

export interface FullNode {
  readonly kubeconfigFile: string;
  /** Folder of kubectl. */
  readonly programs: string;
  /** The node that runs every pod, and the one for pods that tolerate `secondNodeTaint`. */
  readonly nodeNames: readonly [string, string];
  /** Before a command that is to run on the second node. */
  readonly enterSecond: readonly string[];
  /** Runs kubectl as administrator; returns its output, rejects with its errors or after five minutes. */
  kubectl(...args: readonly string[]): Promise<string>;
  /** Adds a second name to an image on the first node. */
  nameImage(name: string, secondName: string): Promise<void>;
  /** Kills the kubelet of a node and every process of these pods, like a power failure. */
  loseNode(nodeName: string, podUids: readonly string[]): Promise<void>;
  /** Starts the kubelet again and waits until the node is ready. */
  recoverNode(nodeName: string): Promise<void>;
  stop(): Promise<void>;
}

/** Keeps pods off the second node, which has images for those of bots only. */
export const secondNodeTaint = { key: 'only', value: 'bots', effect: 'NoSchedule' } as const;
const imagesOfBots = ['pause', 'rapporteur-runner'];

/** Where pods' volumes are: a PersistentVolume each. */
const volumes = ['volume-1', 'volume-2', 'volume-3'];
const kubectlDeadlineMs = 300_000;

/**
 * A control plane and two nodes that run containers, with DNS (CoreDNS), Services (kube-proxy) and an Ingress controller
 * (Traefik, on port 80 of every address of the first node). Only inside `runInNodeNamespaces`, once.
 */
export async function startFullNode(seccompProfiles: Readonly<Record<string, string>>): Promise<FullNode> {
  const folder = nodeFolder();
  if (folder === null) throw new Error('A full node starts in its own namespaces: npm run test:cluster -- --node.');
  const network = await prepareNetwork(folder);
  const binaries = await provideBinaries(() => undefined);
  const programs = await provideNodeBinaries(() => undefined);
  const controlPlane = await startControlPlane(binaries, nodeAddresses[0]);
  const api = openApiClient(controlPlane.kubeconfigFile);
  const nodes: RunningNode[] = [];
  const stop = async (): Promise<void> => {
    api.close();
    for (const node of nodes.toReversed()) await node.processes.stopAll();
    await controlPlane.stop();
    await network.stop();
  };
  try {
    const common = { controlPlane, programs, api, seccompProfiles };
    const [first, second] = network.places;
    const firstNode = await startNode(first, { ...common, imageFiles: imageFiles(), taints: [] });
    nodes.push(firstNode);
    const imagesOfSecond = imageFiles().filter((file) => imagesOfBots.includes(basename(file, '.tar')));
    nodes.push(await startNode(second, { ...common, imageFiles: imagesOfSecond, taints: [secondNodeTaint] }));
    await startDns(firstNode, controlPlane, programs);
    await startIngress(firstNode, controlPlane, programs);
    await createVolumes(folder, api);
    return {
      ...operationsOn(nodes, binaries, controlPlane),
      kubeconfigFile: controlPlane.kubeconfigFile,
      programs: binaries,
      nodeNames: [first.name, second.name],
      enterSecond: second.enter,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startDns(
  { place, processes }: RunningNode,
  controlPlane: ControlPlane,
  programs: string,
): Promise<void> {
  const corefile = join(place.folder, 'Corefile');
  const zone = `kubernetes cluster.local in-addr.arpa {\n    kubeconfig ${controlPlane.kubeconfigFile}\n  }`;
  const others = `template ANY ANY {\n    rcode NXDOMAIN\n  }`;
  writeFileSync(
    corefile,
    `cluster.local in-addr.arpa {\n  bind ${place.address}\n  errors\n  ${zone}\n}\n. {\n  bind ${place.address}\n  ${others}\n}\n`,
  );
  processes.start(join(programs, 'coredns'), ['-conf', corefile]);
  const resolver = new Resolver({ timeout: 2_000, tries: 1 });
  resolver.setServers([place.address]);
  await processes.waitUntil(
    'coredns',
    async () => (await resolver.resolve4('kubernetes.default.svc.cluster.local')).length > 0,
  );
}

async function startIngress({ processes }: RunningNode, controlPlane: ControlPlane, programs: string): Promise<void> {
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
  await processes.waitUntil('traefik', () => isServed('http://127.0.0.1/', 404));
}

async function isServed(url: string, wantedStatus: number): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
  await response.body?.cancel();
  return response.status === wantedStatus;
}

async function createVolumes(folder: string, api: ApiClient): Promise<void> {
  for (const name of volumes) {
    const path = join(folder, 'volumes', name);
    mkdirSync(path, { recursive: true });
    // The kubelet sets no group on a hostPath.
    await run('chmod', '0777', path);
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
  nodes: readonly RunningNode[],
  binaries: string,
  controlPlane: ControlPlane,
): Pick<FullNode, 'kubectl' | 'nameImage' | 'loseNode' | 'recoverNode'> {
  const nodeOf = (nodeName: string): RunningNode => {
    const node = nodes.find(({ place }) => place.name === nodeName);
    if (node === undefined) throw new Error(`There is no node ${nodeName}.`);
    return node;
  };
  return {
    kubectl: async (...args) => {
      const all = ['--kubeconfig', controlPlane.kubeconfigFile, ...args];
      const program = join(binaries, 'kubectl');
      const { output } = await runProgram({ program, arguments: all, deadlineMs: kubectlDeadlineMs });
      return output.toString();
    },
    nameImage: async (name, secondName) => {
      const full = (one: string): string => `docker.io/library/${one}:${imageTag}`;
      await nodes[0]?.ctr('images', 'tag', full(name), full(secondName));
    },
    loseNode: async (nodeName, podUids) => {
      const { place, processes } = nodeOf(nodeName);
      await processes.stop('kubelet', 'SIGKILL');
      for (const uid of podUids) killProcesses(place.cgroup, `pod${uid}`);
    },
    recoverNode: async (nodeName) => nodeOf(nodeName).startKubelet(),
  };
}

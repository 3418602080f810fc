import { ApiRefusal } from './api-client.ts';
import type { ApiClient, WatchEvent } from './api-client.ts';
import { followObjects } from './follow-objects.ts';

/** Annotations of a pod that set the behaviour of its fake node, and one of a node. */
export const fakeNodeAnnotations = {
  /** `stays` (default), `stays-deaf-to-signals`, `exits-with-7`, `leaves-an-orphan-and-exits`, or one of `ends`. */
  behaviour: 'fake-node/behaviour',
  /** Set on a running pod: its container ends with this exit code. */
  kill: 'fake-node/kill',
  /** Name of a container that is reported beside the others, and runs until the pod is deleted. */
  sidecar: 'fake-node/sidecar',
  /** `true` on a node: it stops reporting and leaves its pods alone. */
  silent: 'fake-node/silent',
} as const;

interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly annotations?: Record<string, string>;
    readonly deletionTimestamp?: string;
    readonly deletionGracePeriodSeconds?: number;
  };
  readonly spec: {
    readonly nodeName?: string;
    readonly activeDeadlineSeconds?: number;
    readonly containers: readonly { readonly name: string; readonly image: string }[];
  };
  readonly status: Record<string, unknown> & { readonly phase?: string };
}

interface End {
  readonly exitCode: number;
  readonly reason: string;
  readonly message?: string;
  /** The status of the pod, beside its container. */
  readonly status?: Record<string, unknown>;
}

/** How a kubelet reports the end of a pod that starts and ends by itself. */
const ends: Readonly<Record<string, End>> = {
  'exits-with-0': { exitCode: 0, reason: 'Completed' },
  'exits-with-7': { exitCode: 7, reason: 'Error', message: 'It ends with 7.\n' },
  'leaves-an-orphan-and-exits': { exitCode: 0, reason: 'Completed' },
  'runs-out-of-memory': { exitCode: 137, reason: 'OOMKilled' },
  'child-runs-out-of-memory': { exitCode: 0, reason: 'OOMKilled' },
  'is-evicted': {
    exitCode: 137,
    reason: 'Error',
    status: { reason: 'Evicted', message: 'The node was low on resource: memory.' },
  },
  'fails-to-start': { exitCode: 128, reason: 'StartError', message: 'exec: "node": executable file not found' },
};
const heartbeatMs = 1_000;
const repeatForMs = 120_000;
const capacity = { cpu: '64', memory: '256Gi', pods: '5000', 'ephemeral-storage': '500Gi' };
const readyTypes = ['Initialized', 'PodScheduled', 'ContainersReady', 'Ready'];

export interface FakeNode {
  stop(): Promise<void>;
}

/** A node without a kubelet: it reports itself ready, and reports pods as a kubelet would after what their annotations request. */
export async function startFakeNode(
  client: ApiClient,
  name: string,
  labels: Record<string, string> = {},
): Promise<FakeNode> {
  const node = new Node(client, name);
  await node.register(labels);
  return node;
}

class Node implements FakeNode {
  readonly #client: ApiClient;
  readonly #name: string;
  readonly #stopped = new AbortController();
  readonly #seen = new Map<string, 'running' | 'ending' | 'over'>();
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Ends of the containers of pods whose sidecar still runs. */
  readonly #endedBeside = new Map<string, End>();
  /** Newest states of pods that changed while it was silent. */
  readonly #unseen = new Map<string, Pod>();
  #silent = false;
  #following: Promise<void> = Promise.resolve();

  constructor(client: ApiClient, name: string) {
    this.#client = client;
    this.#name = name;
  }

  async register(labels: Record<string, string>): Promise<void> {
    const metadata = { name: this.#name, labels: { 'kubernetes.io/hostname': this.#name, ...labels } };
    const taints = [{ key: 'fake-node', effect: 'NoSchedule' }];
    await this.#client.request('POST', '/api/v1/nodes', { metadata, spec: { taints } }).catch(ignore(409));
    await this.#beat();
    const timer = setInterval(() => void this.#beat().catch(() => undefined), heartbeatMs);
    this.#timers.add(timer);
    this.#following = this.#follow();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    for (const timer of this.#timers) clearInterval(timer);
    await this.#following;
    await this.#client.request('DELETE', `/api/v1/nodes/${this.#name}`).catch(ignore(404));
  }

  async #beat(): Promise<void> {
    const path = `/api/v1/nodes/${this.#name}`;
    const node = await this.#client.request<{ metadata: { annotations?: Record<string, string> } }>('GET', path);
    this.#silent = node.metadata.annotations?.[fakeNodeAnnotations.silent] === 'true';
    if (this.#silent) return;
    this.#catchUp();
    const now = new Date().toISOString();
    const ready = {
      type: 'Ready',
      status: 'True',
      reason: 'KubeletReady',
      lastHeartbeatTime: now,
      lastTransitionTime: now,
    };
    const status = { capacity, allocatable: capacity, conditions: [ready] };
    await this.#client.request('PATCH', `${path}/status`, { status });
    const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
    const spec = { holderIdentity: this.#name, leaseDurationSeconds: 8, renewTime: now.replace('Z', '000Z') };
    await this.#client.request('PATCH', `${leases}/${this.#name}`, { spec }).catch(async (error: unknown) => {
      ignore(404)(error);
      await this.#client.request('POST', leases, { metadata: { name: this.#name }, spec }).catch(ignore(409));
    });
  }

  #follow(): Promise<void> {
    const path = `/api/v1/pods?fieldSelector=spec.nodeName=${this.#name}`;
    const handle = ({ type, object }: WatchEvent): void => {
      const pod = object as unknown as Pod;
      if (this.#silent) this.#unseen.set(pod.metadata.uid, pod);
      else if (type !== 'DELETED') void this.#handle(pod).catch(() => undefined);
    };
    return followObjects(this.#client, path, handle, this.#stopped.signal);
  }

  /** What happened while it was silent. */
  #catchUp(): void {
    for (const pod of this.#unseen.values()) void this.#handle(pod).catch(() => undefined);
    this.#unseen.clear();
  }

  async #handle(pod: Pod): Promise<void> {
    const { uid, deletionTimestamp, annotations = {} } = pod.metadata;
    const state = this.#seen.get(uid);
    if (this.#silent || state === 'over') return;
    if (pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed') {
      if (deletionTimestamp !== undefined) await this.#remove(pod);
      return;
    }
    const kill = annotations[fakeNodeAnnotations.kill];
    if (kill !== undefined) {
      await this.#end(pod, { exitCode: Number(kill), reason: Number(kill) === 0 ? 'Completed' : 'Error' });
      if (deletionTimestamp !== undefined) await this.#remove(pod);
      return;
    }
    if (deletionTimestamp !== undefined) return this.#terminate(pod);
    if (state !== undefined) return;
    this.#seen.set(uid, 'running');
    await this.#start(pod);
  }

  async #start(pod: Pod): Promise<void> {
    const running = { running: { startedAt: new Date().toISOString() } };
    await this.#report(pod, 'Running', running);
    const end = ends[pod.metadata.annotations?.[fakeNodeAnnotations.behaviour] ?? 'stays'];
    if (end !== undefined) this.#later(100, () => this.#end(pod, end));
    const { activeDeadlineSeconds } = pod.spec;
    const overdue = {
      reason: 'DeadlineExceeded',
      message: 'Pod was active on the node longer than the specified deadline',
    };
    if (activeDeadlineSeconds !== undefined)
      this.#later(activeDeadlineSeconds * 1_000, () =>
        this.#end(pod, { exitCode: 143, reason: 'Error', status: overdue }),
      );
  }

  async #terminate(pod: Pod): Promise<void> {
    const deaf = pod.metadata.annotations?.[fakeNodeAnnotations.behaviour] === 'stays-deaf-to-signals';
    // A later deletion may shorten the grace period.
    if (this.#seen.get(pod.metadata.uid) === 'ending' && !deaf) return;
    this.#seen.set(pod.metadata.uid, 'ending');
    const afterMs = deaf ? (pod.metadata.deletionGracePeriodSeconds ?? 30) * 1_000 : 50;
    this.#later(afterMs, async () => {
      if (this.#seen.get(pod.metadata.uid) !== 'ending') return;
      await this.#end(pod, this.#endedBeside.get(pod.metadata.uid) ?? { exitCode: deaf ? 137 : 143, reason: 'Error' });
      await this.#remove(pod);
    });
  }

  async #end(pod: Pod, end: End): Promise<void> {
    const { exitCode, reason, message, status = {} } = end;
    const { uid, annotations = {} } = pod.metadata;
    const state = this.#seen.get(uid);
    if (this.#silent || state === 'over') return;
    const besideSidecar = annotations[fakeNodeAnnotations.sidecar] !== undefined && state !== 'ending';
    if (besideSidecar) this.#endedBeside.set(uid, end);
    else this.#seen.set(uid, 'over');
    const terminated = {
      exitCode,
      reason,
      finishedAt: new Date().toISOString(),
      ...(message === undefined ? {} : { message }),
    };
    const phase = exitCode === 0 ? 'Succeeded' : 'Failed';
    await this.#report(pod, besideSidecar ? 'Running' : phase, { terminated }, status);
  }

  async #remove({ metadata: { name, namespace } }: Pod): Promise<void> {
    const path = `/api/v1/namespaces/${namespace}/pods/${name}?gracePeriodSeconds=0`;
    await this.#untilTaken(() => this.#client.request('DELETE', path));
  }

  async #report(pod: Pod, phase: string, state: unknown, more: Record<string, unknown> = {}): Promise<void> {
    const { name, namespace, annotations = {} } = pod.metadata;
    const sidecar = annotations[fakeNodeAnnotations.sidecar];
    const beside = phase === 'Running' ? { running: { startedAt: new Date().toISOString() } } : state;
    const lastTransitionTime = new Date().toISOString();
    const status = (type: string) => (type.endsWith('Ready') && phase !== 'Running' ? 'False' : 'True');
    const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
    const containerStatuses = [
      ...(sidecar === undefined ? [] : [{ name: sidecar, image: 'sidecar', state: beside }]),
      ...pod.spec.containers.map((container) => ({ name: container.name, image: container.image, state })),
    ].map((container) => ({ ...container, imageID: 'fake', ready: phase === 'Running', restartCount: 0 }));
    await this.#untilTaken(async () => {
      const current = await this.#client.request<Pod>('GET', path);
      const kept = ((current.status['conditions'] ?? []) as { type: string }[]).filter(
        ({ type }) => !readyTypes.includes(type),
      );
      const conditions = [...kept, ...readyTypes.map((type) => ({ type, status: status(type), lastTransitionTime }))];
      await this.#client.request('PATCH', `${path}/status`, {
        status: { phase, conditions, containerStatuses, ...more },
      });
    });
  }

  /** Like a kubelet: repeats updates that an absent API server did not accept. A deleted object needs none. */
  async #untilTaken(send: () => Promise<unknown>): Promise<void> {
    const signal = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(repeatForMs)]);
    for (;;) {
      try {
        await send();
        return;
      } catch (error) {
        if (error instanceof ApiRefusal && error.status === 404) return;
        if (signal.aborted) throw error;
      }
      await this.#wait(200);
    }
  }

  #later(ms: number, work: () => Promise<void>): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void work().catch(() => undefined);
    }, ms);
    this.#timers.add(timer);
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#stopped.signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
    });
  }
}

/** For a call whose refusal with this status counts as success. */
function ignore(status: number): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof ApiRefusal && error.status === status) return undefined;
    throw error;
  };
}

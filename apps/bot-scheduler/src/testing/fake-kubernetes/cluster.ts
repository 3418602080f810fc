import type { RunBehaviour } from '../launcher-conformance.ts';
import { FakeApiServer } from './api-server.ts';
import type { StoredObject } from './object-store.ts';

export const jobName = 'batch.kubernetes.io/job-name';

const podName = (run: string): string => `${run}-abcde`;

interface JobTemplate {
  readonly metadata: StoredObject['metadata'];
  readonly spec: Record<string, unknown>;
}

/** The fake API server with a Job controller and a node: Jobs get a pod, pods start, end and are deleted. */
export class FakeCluster extends FakeApiServer {
  /** Behaviour of pods that are created from now on; null: they stay pending. */
  behaviour: RunBehaviour | null = 'stays';
  /** The API server's refusal of pods that are created from now on; null: it accepts them. */
  refusesPods: string | null = null;
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor() {
    super();
    this.onDelete = (object, gracePeriodSeconds) => {
      if (object.kind === 'Job') this.store.remove('Job', object.metadata.name);
      else this.#deletePod(object, gracePeriodSeconds ?? 30);
    };
    this.store.onChange(({ type, object }) => {
      if (object.kind !== 'Job') return;
      if (type === 'ADDED') this.#later(5, () => this.#createPod(object));
      const pod = this.podOf(object.metadata.name);
      if (type === 'DELETED' && pod !== undefined) this.#deletePod(pod, 1);
    });
  }

  podOf(run: string): StoredObject | undefined {
    return this.store.find('Pod', podName(run));
  }

  /** Ends the container of a run as a kubelet reports it. */
  endPod(run: string, end: { exitCode: number; reason?: string }): void {
    const pod = this.podOf(run);
    if (pod === undefined || isOver(pod)) return;
    const phase = end.exitCode === 0 ? 'Succeeded' : 'Failed';
    const terminated = { finishedAt: new Date().toISOString(), ...end };
    this.store.put({ ...pod, status: { ...pod.status, phase, ...container({ terminated }) } });
    this.#finishJob(run, phase === 'Succeeded' ? 'Complete' : 'Failed');
    if (pod.metadata.deletionTimestamp !== undefined) this.store.remove('Pod', pod.metadata.name);
  }

  override async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    await super.close();
  }

  #finishJob(run: string, type: 'Complete' | 'Failed'): void {
    const job = this.store.find('Job', run);
    if (job === undefined) return;
    const reason = type === 'Failed' ? 'BackoffLimitExceeded' : 'CompletionsReached';
    const lastTransitionTime = new Date().toISOString();
    this.store.put({ ...job, status: { conditions: [{ type, status: 'True', reason, lastTransitionTime }] } });
  }

  #createPod(job: StoredObject): void {
    const { template } = job.spec as { template: JobTemplate };
    const run = job.metadata.name;
    if (this.refusesPods !== null) return this.#refusePod(job, this.refusesPods);
    this.store.put({
      kind: 'Pod',
      metadata: { name: podName(run), labels: { ...template.metadata.labels, [jobName]: run } },
      spec: { ...template.spec, nodeName: 'node-1' },
      status: { phase: 'Pending' },
    });
    this.#later(10, () => this.#startPod(run));
  }

  /** As the Job controller reports it. Its next attempt is much later. */
  #refusePod({ metadata: { name, uid } }: StoredObject, reason: string): void {
    this.store.put({
      kind: 'Event',
      metadata: { name: `${name}.${uid}` },
      spec: {},
      status: {},
      involvedObject: { kind: 'Job', name, uid },
      message: `Error creating: pods "${podName(name)}" is forbidden: ${reason}`,
    });
  }

  #startPod(run: string): void {
    const pod = this.podOf(run);
    const { behaviour } = this;
    if (pod === undefined || behaviour === null || isOver(pod)) return;
    const running = { startedAt: new Date().toISOString() };
    this.store.put({ ...pod, status: { phase: 'Running', ...container({ running }) } });
    if (behaviour === 'exits-with-7') {
      this.logs.set(pod.metadata.name, 'It ends with 7.\n');
      this.#later(20, () => this.endPod(run, { exitCode: 7, reason: 'Error' }));
    }
    if (behaviour === 'leaves-an-orphan-and-exits')
      this.#later(20, () => this.endPod(run, { exitCode: 0, reason: 'Completed' }));
  }

  #deletePod(pod: StoredObject, graceSeconds: number): void {
    if (isOver(pod)) return this.store.remove('Pod', pod.metadata.name);
    const run = pod.metadata.labels[jobName] ?? '';
    const deletion = { deletionTimestamp: new Date().toISOString(), deletionGracePeriodSeconds: graceSeconds };
    this.store.put({ ...pod, metadata: { ...pod.metadata, ...deletion } });
    const deaf = this.behaviour === 'stays-deaf-to-signals';
    const end = { exitCode: deaf ? 137 : 143, reason: 'Error' };
    this.#later(deaf ? graceSeconds * 1_000 : 20, () => this.endPod(run, end));
  }

  #later(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, ms);
    this.#timers.add(timer);
  }
}

export async function startFakeCluster(): Promise<FakeCluster> {
  const cluster = new FakeCluster();
  await cluster.start();
  return cluster;
}

function isOver({ status }: StoredObject): boolean {
  return status['phase'] === 'Succeeded' || status['phase'] === 'Failed';
}

function container(state: Record<string, unknown>): Record<string, unknown> {
  return { containerStatuses: [{ name: 'bot-runner', state }] };
}

import { fakeNodeAnnotations, followObjects } from '@rapporteur/cluster';
import type { ApiClient } from '@rapporteur/cluster';
import { systemClock } from '@rapporteur/service-runtime';
import { ticketVariable } from '../launch/kubernetes/job-spec.ts';
import { exitCodes } from './light-runner.ts';
import type { LightRun } from './light-runner.ts';

export interface PodSpec {
  readonly containers: readonly { readonly env?: readonly { name: string; value?: string }[] }[];
}

/** The environment of a pod's container. @throws Error when it has no launch ticket */
export function environmentOf(spec: PodSpec): Record<string, string> {
  const entries = (spec.containers[0]?.env ?? []).map((entry) => [entry.name, entry.value ?? '']);
  const environment = Object.fromEntries(entries) as Record<string, string>;
  if (environment[ticketVariable] === undefined) throw new Error('The pod has no ticket.');
  return environment;
}

interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly deletionTimestamp?: string;
    readonly labels: Readonly<Record<string, string>>;
  };
  readonly spec: PodSpec;
  readonly status?: { readonly phase?: string };
}

interface RunningPod {
  readonly name: string;
  readonly job: string;
  readonly kill: AbortController;
  readonly terminate: AbortController;
}

/** Runs a function for every pod that its fake node reports as running, and reports its result, like a kubelet. */
export class PodRunners {
  readonly #client: ApiClient;
  readonly #pods: string;
  readonly #run: (run: LightRun) => Promise<number>;
  readonly #stopped = new AbortController();
  readonly #running = new Map<string, RunningPod>();
  readonly #seen = new Set<string>();
  readonly #ended: Promise<void>[] = [];
  readonly #following: Promise<void>;

  constructor(client: ApiClient, namespace: string, run: (run: LightRun) => Promise<number>) {
    this.#client = client;
    this.#pods = `/api/v1/namespaces/${namespace}/pods`;
    this.#run = run;
    const handle = ({ object }: { readonly object: object }): void => this.#handle(object as unknown as Pod);
    this.#following = followObjects(client, this.#pods, handle, this.#stopped.signal);
  }

  /** Names of the Jobs with running pods. */
  get running(): string[] {
    return [...this.#running.values()].map(({ job }) => job);
  }

  /** Kills the runner of a Job. False: it does not run. */
  kill(job: string): boolean {
    const pod = [...this.#running.values()].find((running) => running.job === job);
    pod?.kill.abort();
    return pod !== undefined;
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    for (const { kill } of this.#running.values()) kill.abort();
    await Promise.all(this.#ended);
    await this.#following;
  }

  #handle(pod: Pod): void {
    const { uid, deletionTimestamp } = pod.metadata;
    if (deletionTimestamp !== undefined) this.#running.get(uid)?.terminate.abort();
    if (pod.status?.phase !== 'Running' || this.#seen.has(uid)) return;
    this.#seen.add(uid);
    this.#ended.push(this.#start(pod));
  }

  async #start({ metadata, spec }: Pod): Promise<void> {
    const { uid, name } = metadata;
    const job = metadata.labels['batch.kubernetes.io/job-name'] ?? '';
    const running = { name, job, kill: new AbortController(), terminate: new AbortController() };
    this.#running.set(uid, running);
    const exitCode = await this.#run({
      environment: environmentOf(spec),
      killed: running.kill.signal,
      terminated: running.terminate.signal,
    }).catch(() => 1);
    this.#running.delete(uid);
    if (this.#stopped.signal.aborted) return;
    await this.#reportEnd(name, running.kill.signal.aborted ? exitCodes.killed : exitCode);
  }

  /** The API server may be unavailable. */
  async #reportEnd(name: string, exitCode: number): Promise<void> {
    const annotations = { [fakeNodeAnnotations.kill]: String(exitCode) };
    for (let attempt = 0; attempt < 60 && !this.#stopped.signal.aborted; attempt += 1) {
      const reported = await this.#client
        .request('PATCH', `${this.#pods}/${name}`, { metadata: { annotations } })
        .then(() => true)
        .catch((error: { status?: number }) => error.status === 404);
      if (reported) return;
      await systemClock.sleep(500, this.#stopped.signal).catch(() => undefined);
    }
  }
}

import type { ApiClient } from '@rapporteur/cluster';
import { systemClock } from '@rapporteur/service-runtime';
import { queueLabel } from '../launch/kubernetes/job-spec.ts';

interface QueuedJob {
  readonly metadata: { readonly name: string; readonly creationTimestamp: string };
  readonly spec: { readonly suspend?: boolean };
  readonly status?: {
    readonly active?: number;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

const pollMs = 100;

/**
 * Does to Jobs what the controller of Kueue does: resumes suspended Jobs of a queue while fewer than `quota` are
 * admitted, the oldest first and none whose pod still ends; evicts a Job by suspending it and removing its start time.
 * It has no resources, flavors, priorities or webhooks.
 */
export class QueueController {
  quota: number;
  readonly #client: ApiClient;
  readonly #jobs: string;
  readonly #selector: string;
  readonly #stopped = new AbortController();
  readonly #following: Promise<void>;

  constructor(
    client: ApiClient,
    options: { readonly namespace: string; readonly queue: string; readonly quota: number },
  ) {
    this.quota = options.quota;
    this.#client = client;
    this.#jobs = `/apis/batch/v1/namespaces/${options.namespace}/jobs`;
    this.#selector = encodeURIComponent(`${queueLabel}=${options.queue}`);
    this.#following = this.#follow();
  }

  async jobs(): Promise<QueuedJob[]> {
    const path = `${this.#jobs}?labelSelector=${this.#selector}`;
    return (await this.#client.request<{ items: QueuedJob[] }>('GET', path)).items;
  }

  async evict(name: string): Promise<void> {
    await this.#client.request('PATCH', `${this.#jobs}/${name}`, { spec: { suspend: true } });
    // The scheduler may have deleted the Job meanwhile.
    await this.#client
      .request('PATCH', `${this.#jobs}/${name}/status`, { status: { startTime: null } })
      .catch((error: { status?: number }) => {
        if (error.status !== 404) throw error;
      });
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#following;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      await this.#admit().catch(() => undefined);
      await systemClock.sleep(pollMs, signal).catch(() => undefined);
    }
  }

  async #admit(): Promise<void> {
    const unfinished = (await this.jobs()).filter((job) => !isFinished(job));
    const suspended = unfinished.filter(({ spec }) => spec.suspend === true);
    const oldest = suspended.toSorted((one, other) => orderOf(one).localeCompare(orderOf(other)));
    const room = Math.max(0, this.quota - (unfinished.length - suspended.length));
    for (const { metadata } of oldest.filter(({ status }) => (status?.active ?? 0) === 0).slice(0, room))
      await this.#client.request('PATCH', `${this.#jobs}/${metadata.name}`, { spec: { suspend: false } });
  }
}

const orderOf = ({ metadata }: QueuedJob): string => `${metadata.creationTimestamp} ${metadata.name}`;

function isFinished({ status }: QueuedJob): boolean {
  return (status?.conditions ?? []).some(
    ({ type, status: holds }) => holds === 'True' && (type === 'Complete' || type === 'Failed'),
  );
}

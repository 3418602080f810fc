import { BatchV1Api, CoreV1Api, Observable, Watch } from '@kubernetes/client-node';
import type { ConfigurationOptions, KubeConfig, V1Job, V1JobList, V1Pod, V1PodList } from '@kubernetes/client-node';
import type { ListPage, ReflectorOptions, WatchEvent } from './reflector.ts';

type WatchOf<T extends V1Job | V1Pod> = ReflectorOptions<T>['watch'];

/** The calls that bot-scheduler makes, each with a deadline; the Role in docs/runbooks/bots-in-kubernetes.md allows no more. */
export interface JobApi {
  createJob(job: V1Job): Promise<V1Job>;
  readJob(name: string): Promise<V1Job>;
  deleteJob(name: string): Promise<void>;
  deletePod(name: string, gracePeriodSeconds: number): Promise<void>;
  readPodLog(name: string, tailLines: number): Promise<string>;
  listJobs(page: ListPage): Promise<V1JobList>;
  listPods(page: ListPage): Promise<V1PodList>;
  readonly watchJobs: WatchOf<V1Job>;
  readonly watchPods: WatchOf<V1Pod>;
}

export interface JobApiOptions {
  readonly namespace: string;
  readonly labelSelector: string;
}

const callTimeoutMs = 10_000;
const listTimeoutMs = 60_000;

export function openJobApi(config: KubeConfig, { namespace, labelSelector }: JobApiOptions): JobApi {
  const batch = config.makeApiClient(BatchV1Api);
  const core = config.makeApiClient(CoreV1Api);
  const listOf = ({ limit, continueToken }: ListPage) => ({
    namespace,
    labelSelector,
    limit,
    ...(continueToken === undefined ? {} : { _continue: continueToken }),
  });
  return {
    createJob: (body) =>
      batch.createNamespacedJob({ namespace, body, fieldValidation: 'Strict' }, within(callTimeoutMs)),
    readJob: (name) => batch.readNamespacedJob({ namespace, name }, within(callTimeoutMs)),
    deleteJob: async (name) => {
      await batch.deleteNamespacedJob({ namespace, name, propagationPolicy: 'Background' }, within(callTimeoutMs));
    },
    deletePod: async (name, gracePeriodSeconds) => {
      await core.deleteNamespacedPod({ namespace, name, gracePeriodSeconds }, within(callTimeoutMs));
    },
    readPodLog: (name, tailLines) =>
      core.readNamespacedPodLog({ namespace, name, tailLines, limitBytes: 16_384 }, within(callTimeoutMs)),
    listJobs: (page) => batch.listNamespacedJob(listOf(page), within(listTimeoutMs)),
    listPods: (page) => core.listNamespacedPod(listOf(page), within(listTimeoutMs)),
    watchJobs: watchOf(config, `/apis/batch/v1/namespaces/${namespace}/jobs`, labelSelector),
    watchPods: watchOf(config, `/api/v1/namespaces/${namespace}/pods`, labelSelector),
  };
}

/** The client has no deadline of its own for a call. */
function within(timeoutMs: number): ConfigurationOptions {
  return {
    middlewareMergeStrategy: 'append',
    middleware: [
      {
        pre: (context) => {
          context.setSignal(AbortSignal.timeout(timeoutMs));
          return new Observable(Promise.resolve(context));
        },
        post: (context) => new Observable(Promise.resolve(context)),
      },
    ],
  };
}

function watchOf<T extends V1Job | V1Pod>(config: KubeConfig, path: string, labelSelector: string): WatchOf<T> {
  const watch = new Watch(config);
  return ({ resourceVersion, timeoutSeconds, signal }, onEvent) =>
    new Promise<void>((resolve, reject) => {
      const query = { resourceVersion, labelSelector, timeoutSeconds, allowWatchBookmarks: true };
      const onAbort = (controller: AbortController): void => {
        controller.abort(signal.reason);
        reject(signal.reason as Error);
      };
      const receive = (type: string, object: unknown): void => {
        if (!signal.aborted) onEvent({ type, object } as WatchEvent<T>);
      };
      watch
        .watch(path, query, receive, (error: unknown) => (error ? reject(error as Error) : resolve()))
        .then((controller) => {
          if (signal.aborted) onAbort(controller);
          else signal.addEventListener('abort', () => onAbort(controller), { once: true });
        }, reject);
    });
}

import {
  BatchV1Api,
  CoreV1Api,
  Observable,
  PatchStrategy,
  PolicyV1Api,
  setHeaderOptions,
  Watch,
} from '@kubernetes/client-node';
import type {
  ConfigurationOptions,
  KubeConfig,
  CoreV1Event,
  CoreV1EventList,
  V1Job,
  V1JobList,
  V1Node,
  V1NodeList,
  V1Pod,
  V1PodList,
} from '@kubernetes/client-node';
import { containerName } from './job-spec.ts';
import type { ListPage, ReflectorOptions, WatchEvent } from './reflector.ts';

type Watched = V1Job | V1Pod | V1Node | CoreV1Event;
type WatchOf<T extends Watched> = ReflectorOptions<T>['watch'];

/**
 * The API calls of bot-scheduler, each with a deadline; the Role and the ClusterRole in
 * docs/runbooks/bots-in-kubernetes.md allow no others.
 */
export interface JobApi {
  createJob(job: V1Job): Promise<V1Job>;
  readJob(name: string): Promise<V1Job>;
  /** `only`: 409 when the Job is another one, or has changed. */
  deleteJob(name: string, only?: { readonly uid: string; readonly resourceVersion: string }): Promise<void>;
  deletePod(name: string, gracePeriodSeconds: number): Promise<void>;
  readPodLog(name: string, tailLines: number): Promise<string>;
  /** Sets how many pods the PodDisruptionBudget of bots keeps. */
  setBudget(name: string, minAvailable: number): Promise<void>;
  listJobs(page: ListPage): Promise<V1JobList>;
  listPods(page: ListPage): Promise<V1PodList>;
  /** Events of failed pod creations, for all Jobs in the namespace. */
  listRefusals(page: ListPage): Promise<CoreV1EventList>;
  /** Every node of the cluster. */
  listNodes(page: ListPage): Promise<V1NodeList>;
  readonly watchJobs: WatchOf<V1Job>;
  readonly watchPods: WatchOf<V1Pod>;
  readonly watchRefusals: WatchOf<CoreV1Event>;
  readonly watchNodes: WatchOf<V1Node>;
}

export interface JobApiOptions {
  readonly namespace: string;
  readonly labelSelector: string;
}

const callTimeoutMs = 10_000;
const listTimeoutMs = 60_000;
const refusalSelector = 'involvedObject.kind=Job,reason=FailedCreate';

export function openJobApi(config: KubeConfig, { namespace, labelSelector }: JobApiOptions): JobApi {
  const batch = config.makeApiClient(BatchV1Api);
  const core = config.makeApiClient(CoreV1Api);
  const policy = config.makeApiClient(PolicyV1Api);
  const pageOf = ({ limit, continueToken }: ListPage) => ({
    limit,
    ...(continueToken === undefined ? {} : { _continue: continueToken }),
  });
  const listOf = (page: ListPage) => ({ namespace, labelSelector, ...pageOf(page) });
  return {
    createJob: (body) =>
      batch.createNamespacedJob({ namespace, body, fieldValidation: 'Strict' }, within(callTimeoutMs)),
    readJob: (name) => batch.readNamespacedJob({ namespace, name }, within(callTimeoutMs)),
    deleteJob: async (name, only) => {
      const body = { propagationPolicy: 'Background', ...(only === undefined ? {} : { preconditions: only }) };
      await batch.deleteNamespacedJob({ namespace, name, body }, within(callTimeoutMs));
    },
    deletePod: async (name, gracePeriodSeconds) => {
      await core.deleteNamespacedPod({ namespace, name, gracePeriodSeconds }, within(callTimeoutMs));
    },
    readPodLog: (name, tailLines) =>
      core.readNamespacedPodLog(
        { namespace, name, container: containerName, tailLines, limitBytes: 16_384 },
        within(callTimeoutMs),
      ),
    setBudget: async (name, minAvailable) => {
      const patch = { namespace, name, body: { spec: { minAvailable } } };
      const format = setHeaderOptions('Content-Type', PatchStrategy.MergePatch, within(callTimeoutMs));
      await policy.patchNamespacedPodDisruptionBudget(patch, format);
    },
    listJobs: (page) => batch.listNamespacedJob(listOf(page), within(listTimeoutMs)),
    listPods: (page) => core.listNamespacedPod(listOf(page), within(listTimeoutMs)),
    listRefusals: (page) =>
      core.listNamespacedEvent({ namespace, fieldSelector: refusalSelector, ...pageOf(page) }, within(listTimeoutMs)),
    listNodes: (page) => core.listNode(pageOf(page), within(listTimeoutMs)),
    watchJobs: watchOf(config, `/apis/batch/v1/namespaces/${namespace}/jobs`, { labelSelector }),
    watchPods: watchOf(config, `/api/v1/namespaces/${namespace}/pods`, { labelSelector }),
    watchRefusals: watchOf(config, `/api/v1/namespaces/${namespace}/events`, { fieldSelector: refusalSelector }),
    watchNodes: watchOf(config, '/api/v1/nodes', {}),
  };
}

/** The client library has no deadline per call. */
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

function watchOf<T extends Watched>(
  config: KubeConfig,
  path: string,
  selector: Readonly<Record<string, string>>,
): WatchOf<T> {
  const watch = new Watch(config);
  return ({ resourceVersion, timeoutSeconds, signal }, onEvent) =>
    new Promise<void>((resolve, reject) => {
      const query = { ...selector, resourceVersion, timeoutSeconds, allowWatchBookmarks: true };
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

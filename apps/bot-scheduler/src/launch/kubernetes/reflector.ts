import type { KubernetesListObject, KubernetesObject } from '@kubernetes/client-node';
import { LogLimit } from '../log-limit.ts';
import { messageOf, retryDelayMs } from './api-errors.ts';
import type { Context } from '../../schema/context.ts';

export interface ListPage {
  readonly limit: number;
  readonly continueToken?: string;
}

export type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly object: KubernetesObject }
  | { readonly type: 'ERROR'; readonly object: { readonly code?: number; readonly message?: string } };

export interface ReflectorOptions<T extends KubernetesObject> extends Pick<Context, 'clock' | 'logger'> {
  readonly what: string;
  /** What does not work while the server cannot be reached or refuses; for the log. */
  readonly without: string;
  readonly list: (page: ListPage) => Promise<KubernetesListObject<T>>;
  /**
   * Follows changes after `resourceVersion` for `timeoutSeconds`, calls `onEvent` for each and resolves when the server
   * closes the stream. Rejects when the signal aborts or the connection fails.
   */
  readonly watch: (
    request: { readonly resourceVersion: string; readonly timeoutSeconds: number; readonly signal: AbortSignal },
    onEvent: (event: WatchEvent<T>) => void,
  ) => Promise<void>;
  /** The current state of an object. `deleted`: it was deleted, and this is its last state. */
  readonly onObject: (object: T, deleted: boolean) => void;
  /** Called after a complete list that began at `listedAtMs`, with the names of all existing objects. */
  readonly onListed: (names: ReadonlySet<string>, listedAtMs: number) => void;
  /** Objects per page of a list. */
  readonly pageSize: number;
  /** The server ends each watch after this time. A new one costs a request; a stalled one is detected soon after. */
  readonly watchSeconds: number;
}

export interface Reflector {
  /** False until the first list is complete. */
  synced(): boolean;
  /** False also while the server is unreachable: the view may be outdated. */
  current(): boolean;
  /** The error for which the view is outdated; null: it is current, or still being listed. */
  failure(): unknown;
  stop(): Promise<void>;
}

/** How late the server may end a watch before the watch counts as stalled. */
const stallMarginMs = 5_000;
const expired = 410;

/** Keeps a view of one kind of objects by list and watch, across connection failures. */
export function startReflector<T extends KubernetesObject>(options: ReflectorOptions<T>): Reflector {
  const { clock, logger, what, without } = options;
  const stopped = new AbortController();
  let synced = false;
  let resourceVersion: string | null = null;
  let failures = 0;
  let failure: unknown = null;
  const limit = new LogLimit(() => clock.monotonic());
  const follow = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      try {
        if (resourceVersion === null) {
          resourceVersion = await listAll(options);
          synced = true;
          failure = null;
        }
        resourceVersion = await watchOnce(options, resourceVersion, stopped.signal);
        if (failures > 0) logger.info({ what }, 'The Kubernetes API can be watched again.');
        failures = 0;
      } catch (error) {
        if (stopped.signal.aborted) return;
        failures += 1;
        failure = error;
        if (limit.takes(messageOf(error)))
          logger.warn({ err: error, what }, `The Kubernetes API cannot be watched; trying again. ${without}`);
        // Changes that were missed are found only by another list.
        resourceVersion = null;
        await clock.sleep(retryDelayMs(error, failures), stopped.signal).catch(() => undefined);
      }
    }
  };
  const following = follow();
  return {
    synced: () => synced,
    current: () => resourceVersion !== null,
    failure: () => failure,
    stop: async () => {
      stopped.abort();
      await following;
    },
  };
}

async function listAll<T extends KubernetesObject>(options: ReflectorOptions<T>): Promise<string> {
  const names = new Set<string>();
  const listedAtMs = options.clock.now();
  let continueToken: string | undefined;
  for (;;) {
    const page = await options.list({
      limit: options.pageSize,
      ...(continueToken === undefined ? {} : { continueToken }),
    });
    for (const object of page.items) {
      names.add(object.metadata?.name ?? '');
      options.onObject(object, false);
    }
    continueToken = page.metadata?._continue;
    if (continueToken === undefined || continueToken === '') {
      options.onListed(names, listedAtMs);
      return page.metadata?.resourceVersion ?? '';
    }
  }
}

/** Returns the version to watch from, or null when the server has compacted its successors. */
async function watchOnce<T extends KubernetesObject>(
  options: ReflectorOptions<T>,
  from: string,
  stopped: AbortSignal,
): Promise<string | null> {
  let resourceVersion: string | null = from;
  const ended = new AbortController();
  const signal = AbortSignal.any([stopped, ended.signal]);
  const guard = options.clock
    .sleep(options.watchSeconds * 1_000 + stallMarginMs, signal)
    .then(() => ended.abort(new Error(`The watch of ${options.what} was not closed in time.`)))
    .catch(() => undefined);
  try {
    await options.watch({ resourceVersion: from, timeoutSeconds: options.watchSeconds, signal }, (event) => {
      if (event.type === 'ERROR') {
        if (event.object.code === expired) resourceVersion = null;
        else ended.abort(new Error(event.object.message ?? 'The API server ended the watch.'));
        return;
      }
      if (resourceVersion !== null) resourceVersion = event.object.metadata?.resourceVersion ?? resourceVersion;
      if (event.type !== 'BOOKMARK') options.onObject(event.object, event.type === 'DELETED');
    });
    ended.signal.throwIfAborted();
  } finally {
    ended.abort();
    await guard;
  }
  return resourceVersion;
}

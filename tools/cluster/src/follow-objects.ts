import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient, WatchEvent } from './api-client.ts';

const pauseMs = 200;

/**
 * Calls `onEvent` for every object that exists and every later event, until `signal` aborts; an event may come twice.
 * A stream that ended is continued after its last event, and from the beginning when the server no longer has that one.
 * @param path of a list, with its query
 */
export async function followObjects(
  client: ApiClient,
  path: string,
  onEvent: (event: WatchEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const watch = `${path}${path.includes('?') ? '&' : '?'}watch=true&allowWatchBookmarks=true&timeoutSeconds=60`;
  let version: string | undefined;
  const handle = (event: WatchEvent): void => {
    const { resourceVersion } = (event.object['metadata'] ?? {}) as { readonly resourceVersion?: string };
    version = event.type === 'ERROR' ? undefined : resourceVersion;
    if (event.type !== 'ERROR' && event.type !== 'BOOKMARK') onEvent(event);
  };
  while (!signal.aborted) {
    const from = version === undefined ? '' : `&resourceVersion=${version}`;
    await client.watch(`${watch}${from}`, handle, signal).catch(async (error: { readonly status?: number }) => {
      if (error.status === 410) version = undefined;
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    });
  }
}

import type { BotInvocation } from '@rapporteur/contracts';
import { createOutboundHttp } from '@rapporteur/outbound-http';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import type { Clock, Logger } from '@rapporteur/service-runtime/process';
import { createDirectUploads } from './direct-uploads.ts';
import { createGrantStore } from './grant-store.ts';
import type { GrantStore } from './grant-store.ts';
import { createMultipartStore } from './multipart-store.ts';
import type { MultipartStore } from './multipart-store.ts';

export interface Uploads {
  readonly store: GrantStore;
  readonly multipart: MultipartStore;
}

export interface OpenUploadsOptions {
  /** Called after every request that wrote to the store, with its bytes of content and the object's key. */
  onStored(bytes: number, key: string): void;
  /** Called with the reason of a failed upload: the first one, and then one every ten minutes at most. */
  onFailed?(reason: string): void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Longest fragment. Each costs a request to the store. The encoder makes a key frame before this time is over. A killed
 * runner loses the open fragment and the one being uploaded: about 4 s at most.
 */
export const fragmentMs = 3_600;
const failuresEveryMs = 600_000;

function hostAndPort({ protocol, hostname, port }: URL): string {
  return `${hostname}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`;
}

/** Where a run stores its recording: media goes to the object store directly where that is possible. */
export function openUploads(
  { storage, outbound: rules }: Pick<BotInvocation, 'storage' | 'outbound'>,
  options: OpenUploadsOptions,
): Uploads {
  const clients = new Map<string, OutboundHttp>();
  const direct = createDirectUploads({
    ...storage,
    ...options,
    outbound: ({ url, customers }) => {
      // The store of the deployment may be at any address.
      const own = customers ? [] : [hostAndPort(new URL(url))];
      const key = own.join();
      const client = clients.get(key) ?? createOutboundHttp({ ...rules, allow: [...rules.allow, ...own] });
      clients.set(key, client);
      return client;
    },
  });
  let quietUntilMs = -Infinity;
  const onFailed = (reason: string): void => {
    if (options.clock.monotonic() < quietUntilMs) return;
    quietUntilMs = options.clock.monotonic() + failuresEveryMs;
    options.onFailed?.(reason);
  };
  const grant = { ...storage, direct, onStored: options.onStored.bind(options), onFailed };
  return {
    store: createGrantStore(grant),
    multipart: createMultipartStore(grant),
  };
}

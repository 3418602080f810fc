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
  /** How long a fragment of this run may be. */
  fragmentMs(): Promise<number>;
}

export interface OpenUploadsOptions {
  /** Hears of every request that wrote to the store, with its bytes of content. */
  onStored(bytes: number): void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Direct uploads go to stores that charge for each request: their fragments last nearly 4 s, as the encoder makes key frames before
 * this time is over. A killed runner loses the open fragment.
 */
const fragmentMs = { direct: 4_200, proxied: 2_000 };
const directDeadlineMs = 3_000;

/** Where a run stores what it records: media goes to the object store itself where that is possible. */
export function openUploads(
  { storage, outbound: rules }: Pick<BotInvocation, 'storage' | 'outbound'>,
  options: OpenUploadsOptions,
): Uploads {
  let opened: OutboundHttp | null = null;
  const direct = createDirectUploads({
    ...storage,
    ...options,
    outbound: () => (opened ??= createOutboundHttp(rules)),
  });
  const grant = { ...storage, direct, onStored: (bytes: number) => options.onStored(bytes) };
  return {
    store: createGrantStore(grant),
    multipart: createMultipartStore(grant),
    fragmentMs: async () => {
      const isDirect = await direct.takesFragments(AbortSignal.timeout(directDeadlineMs));
      return isDirect ? fragmentMs.direct : fragmentMs.proxied;
    },
  };
}

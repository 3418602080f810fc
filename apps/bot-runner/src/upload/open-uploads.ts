import type { BotInvocation } from '@rapporteur/contracts';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import type { Clock, Logger } from '@rapporteur/service-runtime/process';
import { openOutbound } from '../open-outbound.ts';
import { createDirectUploads } from './direct-uploads.ts';
import { createGrantStore } from './grant-store.ts';
import type { GrantStore } from './grant-store.ts';
import { createMultipartStore } from './multipart-store.ts';
import type { MultipartStore } from './multipart-store.ts';

export interface OpenUploadsOptions {
  /** Hears of every request that wrote to the store, with its bytes of content. */
  onStored(bytes: number): void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Where a run stores what it records: media goes to the object store itself where that is possible. */
export function openUploads(
  { storage, outbound: rules }: Pick<BotInvocation, 'storage' | 'outbound'>,
  options: OpenUploadsOptions,
): { readonly store: GrantStore; readonly multipart: MultipartStore } {
  let opened: OutboundHttp | null = null;
  const direct = createDirectUploads({ ...storage, ...options, outbound: () => (opened ??= openOutbound(rules)) });
  const grant = { ...storage, direct, onStored: (bytes: number) => options.onStored(bytes) };
  return { store: createGrantStore(grant), multipart: createMultipartStore(grant) };
}

import type { ObjectStore } from '../store.ts';
import type { AzureStoreOptions } from './azure-client.ts';

export type { AzureStoreOptions } from './azure-client.ts';
export type { WorkloadIdentity } from './workload-identity.ts';

/** Objects as block blobs of one container. The SDK is loaded now; no connection is opened before `verifyStore`. */
export async function openAzureStore(options: AzureStoreOptions): Promise<ObjectStore> {
  const { AzureStore } = await import('./azure-store.ts');
  return new AzureStore(options);
}

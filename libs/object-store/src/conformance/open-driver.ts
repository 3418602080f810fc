import { openAzureStore, openDiskStore, openS3Store } from '../index.ts';
import type { AzureStoreOptions, DiskStoreOptions, ObjectStore, S3StoreOptions } from '../index.ts';

/** How to open a store, as JSON: it is also passed to the child process that a test kills. */
export type DriverOptions =
  | { readonly driver: 'azure'; readonly azure: AzureStoreOptions }
  | { readonly driver: 'disk'; readonly disk: DiskStoreOptions }
  | { readonly driver: 's3'; readonly s3: S3StoreOptions };

export async function openDriver(options: DriverOptions): Promise<ObjectStore> {
  if (options.driver === 'azure') return await openAzureStore(options.azure);
  return options.driver === 'disk' ? await openDiskStore(options.disk) : openS3Store(options.s3);
}

import { openDiskStore, openS3Store } from '../index.ts';
import type { DiskStoreOptions, ObjectStore, S3StoreOptions } from '../index.ts';

/** How to open a store, as JSON: it is also passed to the child process that a test kills. */
export type DriverOptions =
  | { readonly driver: 'disk'; readonly disk: DiskStoreOptions }
  | { readonly driver: 's3'; readonly s3: S3StoreOptions };

export function openDriver(options: DriverOptions): Promise<ObjectStore> {
  return options.driver === 'disk' ? openDiskStore(options.disk) : Promise.resolve(openS3Store(options.s3));
}

export { startStorage } from './storage-under-test.ts';
export type { GrantHolder, StorageUnderTest } from './storage-under-test.ts';
export { startCustomerStore } from './team-buckets-under-test.ts';
export type { CustomerStore } from './team-buckets-under-test.ts';

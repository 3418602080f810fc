export { openDiskStore } from './disk-store.ts';
export type { DiskStoreOptions } from './disk-store.ts';

import type { api } from '../api/client.ts';

export type StorageConfig = Awaited<ReturnType<typeof api.getStorageConfig>>;

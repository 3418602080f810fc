export { LeaseLost, leasedRows } from './leased-rows.ts';
export type { Claim, LeasedRows, Release, WorkTable } from './leased-rows.ts';
export { QueueWorker } from './queue-worker.ts';
export type { QueueWorkerDependencies } from './queue-worker.ts';

export { rewrapRows } from './rewrap-rows.ts';
export type { Rewrapped, RewrapRows } from './rewrap-rows.ts';
export { rewrapColumns, rewrapTable } from './rewrap-table.ts';
export type { SealedTable } from './rewrap-table.ts';
export { createSecretBox } from './secret-box.ts';
export type { SealPlace, SecretBox, SecretBoxKeys } from './secret-box.ts';

export { oneByOne, rewrapRows } from './rewrap-rows.ts';
export type { Rewrapped, RewrapRows } from './rewrap-rows.ts';
export { createSecretBox } from './secret-box.ts';
export type { SealPlace, SecretBox, SecretBoxKeys } from './secret-box.ts';

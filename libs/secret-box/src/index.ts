export { rewrapRows } from './rewrap-rows.ts';
export type { Rewrapped, RewrapRows } from './rewrap-rows.ts';
export { rewrapColumns } from './rewrap-table.ts';
export { keepKeysRotated, openSecretBox, rotateKeys, rotationOf } from './rotation.ts';
export type { Rotation, RotationDependencies } from './rotation.ts';
export { createSecretBox } from './secret-box.ts';
export type { SealPlace, SecretBox, SecretBoxKeys } from './secret-box.ts';

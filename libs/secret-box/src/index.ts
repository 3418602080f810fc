export { createSecretBox } from './secret-box.ts';
export type { SealPlace, SecretBox, SecretBoxKeys } from './secret-box.ts';

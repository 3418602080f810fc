export { defaultRetentionOf } from './s3-object-lock.ts';
export { openS3Store } from './s3-store.ts';
export type { S3Credentials, S3Encryption, S3StoreOptions } from './s3-client.ts';

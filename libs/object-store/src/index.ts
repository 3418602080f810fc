export { openAzureStore } from './azure/index.ts';
export type { AzureStoreOptions, WorkloadIdentity } from './azure/index.ts';
export { checkRequests } from './check-requests.ts';
export type { SignedRequest as SignedCheckRequest } from './check-requests.ts';
export { contentDisposition } from './content-disposition.ts';
export { openDiskStore } from './disk/index.ts';
export type { DiskStoreOptions } from './disk/index.ts';
export { everyObject } from './every-object.ts';
export { decodeKey, encodeKey, isKeyPrefix, keyProblem } from './keys.ts';
export { defaultRetentionOf, openS3Store } from './s3/index.ts';
export type { S3Credentials, S3Encryption, S3StoreOptions } from './s3/index.ts';
export { signPath, verifySignedPath } from './signed-path.ts';
export type { SignedPath, SignedRequest } from './signed-path.ts';
export type {
  ByteRange,
  DirectUploads,
  CompleteMultipartOptions,
  GetOptions,
  MultipartPart,
  ListOptions,
  ObjectBody,
  ObjectInfo,
  ObjectPage,
  ObjectRead,
  ObjectStore,
  UploadPartOptions,
  PutOptions,
  SignedGetOptions,
  SignedPutOptions,
  SignedRequestToStore,
  SweepOptions,
} from './store.ts';
export { multipartPartBytesMin, multipartPartBytesMax } from './store.ts';
export { storeRefusal } from './store-refusal.ts';
export { withKeyPrefix } from './with-key-prefix.ts';
export { verifyStore } from './verify-store.ts';

import {
  adminConfig,
  databaseConfig,
  durationMs,
  flag,
  httpConfig,
  httpUrl,
  integer,
  internalAuthConfig,
  outboundConfig,
  secret,
  withDefault,
} from '@rapporteur/service-runtime';
import { z } from 'zod';
import { uploadsEndMs } from './direct/direct-objects.store.ts';

export const storageConfig = {
  ...httpConfig,
  ...adminConfig,
  ...databaseConfig,
  ...internalAuthConfig,
  /** Teams' object stores are customers' addresses. */
  ...outboundConfig,
  /** 32 random bytes in base64: the keys of teams' buckets are encrypted with it. */
  secretKey: secret(44),
  /**
   * Keys that were `secretKey` before, separated by commas; what they sealed is sealed again with `secretKey` in the
   * background.
   */
  formerSecretKeys: secret(44).optional(),
  /** Base URL of this service for customers and runners. */
  publicUrl: httpUrl(),
  /** Base URL for runners and the transcriber, where it differs: an address inside the cluster. */
  runnerUrl: httpUrl().optional(),
  storeDriver: z.enum(['azure', 'disk', 's3']),
  /** With driver disk: the folder of all objects. */
  storeFolder: z.string().optional(),
  /** With driver s3; absent: AWS's endpoint of the region. */
  s3Endpoint: httpUrl().optional(),
  /** Address of the same S3 server for customers, when it differs. */
  s3PublicEndpoint: httpUrl().optional(),
  s3Region: z.string().optional(),
  s3Bucket: z.string().optional(),
  /** `keys`: those below. `role`: the AWS SDK's default chain: web identity, EKS Pod Identity, the machine's role. */
  s3Credentials: withDefault(z.enum(['keys', 'role']) as z.ZodType<'keys' | 'role', string>, 'keys'),
  /** The keys are those of the service itself. */
  s3AccessKeyId: z.string().optional(),
  s3SecretAccessKey: secret().optional(),
  /** Of temporary keys. */
  s3SessionToken: secret().optional(),
  s3ForcePathStyle: withDefault(flag(), false),
  /** With driver s3: SSE-S3 or SSE-KMS for every object that is written; absent: what the bucket does by default. */
  s3ServerSideEncryption: z.enum(['AES256', 'aws:kms']).optional(),
  /** With aws:kms: id, alias or ARN of the key; absent: the account's default key for S3. */
  s3KmsKeyId: z.string().optional(),
  /** With driver azure: the storage account. */
  azureAccount: z.string().optional(),
  azureContainer: z.string().optional(),
  /** Absent: `https://<account>.blob.core.windows.net`. */
  azureEndpoint: httpUrl().optional(),
  /** `keys`: the one below. `role`: the workload identity of the pod (Microsoft Entra Workload ID). */
  azureCredentials: withDefault(z.enum(['keys', 'role']) as z.ZodType<'keys' | 'role', string>, 'keys'),
  azureAccountKey: secret().optional(),
  /** With driver s3 or azure: folder of every key, with a slash at its end; absent: none. */
  storeKeyPrefix: z.string().optional(),
  /** Signs artifact links and upload grants. Changing it invalidates every existing link. */
  signingSecret: secret(32),
  /** The largest object a runner may store, in bytes; default 8 GiB. */
  maxObjectBytes: withDefault(integer(1, Number.MAX_SAFE_INTEGER), 8 * 1024 ** 3),
  /** How long an artifact link works; default 4 hours (specification 2.2), at most the 7 days that S3 allows. */
  artifactUrlTtlMs: withDefault(durationMs(1_000, 7 * 86_400_000), 4 * 3_600_000),
  /**
   * How long the fragments of a recording are kept after it is reported as stored; default 24 hours. At least as long as
   * an upload that was permitted before may arrive.
   */
  fragmentRetentionMs: withDefault(durationMs(uploadsEndMs, 30 * 86_400_000), 86_400_000),
} as const;

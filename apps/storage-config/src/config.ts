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

export const storageConfig = {
  ...httpConfig,
  ...adminConfig,
  ...databaseConfig,
  ...internalAuthConfig,
  /** Teams' object stores are customers' addresses. */
  ...outboundConfig,
  /** 32 random bytes in base64: the keys of teams' buckets are encrypted with it. */
  secretKey: secret(44),
  /** Keys that were `secretKey` before, separated by commas; what they sealed is sealed with `secretKey` in the background. */
  formerSecretKeys: secret(44).optional(),
  /** Base URL under which customers and runners reach this service. */
  publicUrl: httpUrl(),
  /** Base URL for runners and the transcriber, where it differs: an address inside the cluster. */
  runnerUrl: httpUrl().optional(),
  storeDriver: z.enum(['disk', 's3']),
  /** With driver disk: the folder of all objects. */
  storeFolder: z.string().optional(),
  /** With driver s3; absent: AWS's own endpoint of the region. */
  s3Endpoint: httpUrl().optional(),
  /** Where customers reach the same S3 server, when that is another address. */
  s3PublicEndpoint: httpUrl().optional(),
  s3Region: z.string().optional(),
  s3Bucket: z.string().optional(),
  /** `keys`: those below. `role`: what the AWS SDK finds in its environment: web identity, EKS Pod Identity, the machine's role. */
  s3Credentials: withDefault(z.enum(['keys', 'role']) as z.ZodType<'keys' | 'role', string>, 'keys'),
  /** The keys are those of the service itself. */
  s3AccessKeyId: z.string().optional(),
  s3SecretAccessKey: secret().optional(),
  /** Of temporary keys. */
  s3SessionToken: secret().optional(),
  s3ForcePathStyle: withDefault(flag(), false),
  /** Signs artifact links and upload grants. Changing it ends every link that is out. */
  signingSecret: secret(32),
  /** The largest object a runner may store, in bytes; default 8 GiB. */
  maxObjectBytes: withDefault(integer(1, Number.MAX_SAFE_INTEGER), 8 * 1024 ** 3),
  /** How long an artifact link works; default 4 hours (specification 2.2), at most the 7 days that S3 allows. */
  artifactUrlTtlMs: withDefault(durationMs(1_000, 7 * 86_400_000), 4 * 3_600_000),
  /** How long the fragments of a recording stay after it is known to be stored; default 24 hours. */
  fragmentRetentionMs: withDefault(durationMs(0, 30 * 86_400_000), 86_400_000),
} as const;

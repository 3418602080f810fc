import { databaseConfig, flag, httpConfig, integer, internalAuthConfig, secret, withDefault } from '@rapporteur/service-runtime';
import { z } from 'zod';

export const storageConfig = {
  ...httpConfig,
  ...databaseConfig,
  ...internalAuthConfig,
  /** Base URL under which customers and runners reach this service, without a slash at its end. */
  publicUrl: z.url(),
  storeDriver: z.enum(['disk', 's3']),
  /** With driver disk: the folder of all objects. */
  storeFolder: z.string().optional(),
  /** With driver s3; the keys are those of the service itself. */
  s3Endpoint: z.url().optional(),
  s3Region: z.string().optional(),
  s3Bucket: z.string().optional(),
  s3AccessKeyId: z.string().optional(),
  s3SecretAccessKey: secret().optional(),
  s3ForcePathStyle: withDefault(flag(), false),
  /** Signs artifact links and upload grants. Changing it ends every link that is out. */
  signingSecret: secret(32),
  /** The largest object a runner may store, in bytes; default 8 GiB. */
  maxObjectBytes: withDefault(integer(1, Number.MAX_SAFE_INTEGER), 8 * 1024 ** 3),
} as const;

/** How long an artifact link works (specification 2.2). */
export const artifactUrlLifetimeMs = 4 * 3600 * 1000;

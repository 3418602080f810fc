import {
  adminConfig,
  databaseConfig,
  durationMs,
  httpConfig,
  httpUrl,
  integer,
  internalAuthConfig,
  outboundConfig,
  secret,
  withDefault,
} from '@rapporteur/service-runtime';
import { uploadsEndMs } from './direct/direct-objects.store.ts';
import { storeSettings } from './open-store.ts';

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
  ...storeSettings,
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

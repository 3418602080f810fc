import {
  busConfig,
  databaseConfig,
  durationMs,
  httpConfig,
  integer,
  internalAuthConfig,
  outboundConfig,
  secret,
  withDefault,
  httpUrl,
} from '@rapporteur/service-runtime';
import type { ConfigOf } from '@rapporteur/service-runtime';

/** Every setting of delivery; `secretKey` is read from `RAPPORTEUR_SECRET_KEY` and so on. */
export const deliveryConfig = {
  ...httpConfig,
  ...databaseConfig,
  ...busConfig,
  ...internalAuthConfig,
  /** Base URL of storage-config for this service. */
  storageUrl: httpUrl(),
  /** Base URL of bot-scheduler for this service: secrets of callbacks. */
  schedulerUrl: httpUrl(),
  /** Base URL of transcriber for this service: transcripts in legacy webhooks. Absent: they contain none. */
  transcriberUrl: httpUrl().optional(),
  /** 32 random bytes in base64: encrypts endpoint secrets. If it is lost, every endpoint needs a new secret. */
  secretKey: secret(44),
  /**
   * Previous values of `secretKey`, separated by commas; secrets that they sealed are sealed with `secretKey` in the
   * background.
   */
  formerSecretKeys: secret(44).optional(),

  ...outboundConfig,

  /** Concurrent attempts in this process, to endpoints and callbacks together. */
  concurrency: withDefault(integer(1, 1_000), 50),
  /** Concurrent attempts to one endpoint, so that an unresponsive one does not delay the others. */
  endpointConcurrency: withDefault(integer(1, 100), 5),
  attemptTimeoutMs: withDefault(durationMs(100, 120_000), 30_000),
  /** Interval of polls for due attempts. */
  pollMs: withDefault(durationMs(10, 60_000), 1_000),
  /** Messages and their attempts are deleted after this time; held messages of a disabled endpoint fail then. */
  retentionDays: withDefault(integer(1, 3_650), 30),
} as const;

export type DeliveryConfig = ConfigOf<typeof deliveryConfig>;

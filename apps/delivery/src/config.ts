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
  /** Base URL of bot-scheduler for this service: secrets of callbacks are asked for there. */
  schedulerUrl: httpUrl(),
  /** Base URL of transcriber for this service: transcripts of legacy webhooks. Absent: they hold none. */
  transcriberUrl: httpUrl().optional(),
  /** 32 random bytes in base64: endpoint secrets are encrypted with it. Losing it means new secrets for every endpoint. */
  secretKey: secret(44),
  /** Keys that were `secretKey` before, separated by commas; what they sealed is sealed with `secretKey` in the background. */
  formerSecretKeys: secret(44).optional(),

  ...outboundConfig,

  /** Attempts in progress in this process, to endpoints and callbacks together. */
  concurrency: withDefault(integer(1, 1_000), 50),
  /** ... and to one endpoint, so that one that hangs does not hold up the others. */
  endpointConcurrency: withDefault(integer(1, 100), 5),
  attemptTimeoutMs: withDefault(durationMs(100, 120_000), 30_000),
  /** Longest pause between two looks for attempts that are due. */
  pollMs: withDefault(durationMs(10, 60_000), 1_000),
  /** Messages and their attempts are removed after this long; those of a disabled endpoint are given up then. */
  retentionDays: withDefault(integer(1, 3_650), 30),
} as const;

export type DeliveryConfig = ConfigOf<typeof deliveryConfig>;

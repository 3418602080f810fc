import { z } from 'zod';
import {
  busConfig,
  databaseConfig,
  durationMs,
  httpConfig,
  httpUrl,
  integer,
  internalAuthConfig,
  outboundConfig,
  secret,
  textList,
  withDefault,
} from '@rapporteur/service-runtime';
import type { ConfigOf } from '@rapporteur/service-runtime';
import { keyedBatchApis, keySettingOf } from '@rapporteur/speech-to-text';
import type { KeySetting } from '@rapporteur/speech-to-text';

const providerKeys = Object.fromEntries(
  keyedBatchApis.map((name) => [keySettingOf(name), secret().optional()]),
) as Record<KeySetting<(typeof keyedBatchApis)[number]>, z.ZodOptional<ReturnType<typeof secret>>>;

/** Every setting of transcriber; `gladiaApiKey` is read from `RAPPORTEUR_GLADIA_API_KEY` and so on. */
export const transcriberConfig = {
  ...httpConfig,
  ...databaseConfig,
  ...busConfig,
  ...internalAuthConfig,
  /** Base URL of storage-config for this service. */
  storageUrl: httpUrl(),
  /** Base URL of bot-scheduler for this service: customers' own keys. */
  schedulerUrl: httpUrl(),
  /** Public address of `webhookPort` for providers. Both or neither; without them providers are polled. */
  publicUrl: httpUrl().optional(),
  /** The only public port of this service; health and metrics are on `port`. */
  webhookPort: integer(0, 65_535).optional(),
  webhookHost: withDefault(z.string(), '127.0.0.1'),

  /** The deployment's keys: `gladiaApiKey` and so on. A provider without one requires customers' own keys. */
  ...providerKeys,
  /** Base URL of an OpenAI-compatible server; `/v1/audio/transcriptions` is below it. */
  openaiCompatibleUrl: httpUrl().optional(),
  /** Base URL of the deployment's own `apps/whisper`, for the provider `local`. */
  localUrl: httpUrl().optional(),
  /**
   * Addresses that replace the vendors' own, for proxies, and those of simulated providers:
   * `gladia=https://...,simulated-deepgram=http://...`.
   */
  providerAddresses: withDefault(textList(), []),
  /**
   * Models in place of the current defaults, for requests that name none: `openai-compatible=whisper-large-v3`. Several
   * of one provider are joined by `+`.
   */
  providerModels: withDefault(textList(), []),

  ...outboundConfig,

  /** Concurrent jobs of this process; each may hold a meeting's transcript in memory, and none of its audio. */
  concurrency: withDefault(integer(1, 100), 4),
  /** Interval of polls for due jobs. */
  sweepMs: withDefault(durationMs(10, 60_000), 1_000),
  /** Time to live of a lease: afterwards another process continues the job. */
  leaseMs: withDefault(durationMs(200, 600_000), 60_000),
  /** First and longest pause between two polls of a provider's job; it doubles. */
  pollFirstMs: withDefault(durationMs(10, 60_000), 2_000),
  pollLongestMs: withDefault(durationMs(10, 600_000), 30_000),
  /** First and longest pause after a temporary failure; it doubles. */
  retryFirstMs: withDefault(durationMs(10, 60_000), 2_000),
  retryLongestMs: withDefault(durationMs(10, 3_600_000), 300_000),
  /** A job that has not ended this long after its request fails. */
  jobDeadlineMs: withDefault(durationMs(1_000, 172_800_000), 21_600_000),
  /** Finished jobs are kept this long for investigation. */
  retentionDays: withDefault(integer(1, 3_650), 30),
} as const;

export type TranscriberConfig = ConfigOf<typeof transcriberConfig>;

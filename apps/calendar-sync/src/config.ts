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

/** Every setting of calendar-sync; `secretKey` is read from `RAPPORTEUR_SECRET_KEY` and so on. */
export const calendarSyncConfig = {
  ...httpConfig,
  ...databaseConfig,
  ...busConfig,
  ...internalAuthConfig,
  /** 32 random bytes in base64: OAuth credentials and bot configurations are encrypted with it. */
  secretKey: secret(44),
  /** Keys that were `secretKey` before, separated by commas. */
  formerSecretKeys: secret(44).optional(),
  schedulerUrl: httpUrl(),
  /**
   * Base address of the public API as the calendar providers reach it, over https. Without it no push channel is opened, and
   * changes are found by the periodic sync alone.
   */
  publicApiUrl: httpUrl().optional(),

  /** Google's OAuth server; below it lies `/token`. */
  googleOauthUrl: withDefault(httpUrl(), 'https://oauth2.googleapis.com'),
  /** Below it lies `/calendar/v3`. */
  googleApiUrl: withDefault(httpUrl(), 'https://www.googleapis.com'),
  /** Below it lies `/{tenant}/oauth2/v2.0/token`. */
  microsoftOauthUrl: withDefault(httpUrl(), 'https://login.microsoftonline.com'),
  /** Below it lies `/v1.0`. */
  microsoftApiUrl: withDefault(httpUrl(), 'https://graph.microsoft.com'),
  /** The control address of a simulator: it receives the requests with its own credentials, and no others. */
  simulatorUrl: httpUrl().optional(),
  ...outboundConfig,
  /** Hosts of links that stand for a simulated meeting. */
  simulatorLinkHosts: withDefault(textList(), []),

  /** Events up to this many days ahead are kept. */
  windowDays: withDefault(integer(14, 88), 60),
  /** Between two syncs of a calendar that no notification asked for. */
  syncEveryMs: withDefault(durationMs(1_000, 86_400_000), 900_000),
  /** Between two syncs that read everything: the longest time for which a change that a provider left out stays unseen. */
  fullSyncEveryMs: withDefault(durationMs(1_000, 7 * 86_400_000), 4 * 3_600_000),
  /** Between two syncs of one calendar, however many notifications come. */
  syncRestMs: withDefault(durationMs(0, 600_000), 10_000),
  /** How often due calendars and bots are looked for. */
  sweepMs: withDefault(durationMs(50, 60_000), 1_000),
  /** Calendars that one process syncs at the same time. */
  concurrency: withDefault(integer(1, 64), 8),
} as const;

export type CalendarSyncConfig = ConfigOf<typeof calendarSyncConfig>;

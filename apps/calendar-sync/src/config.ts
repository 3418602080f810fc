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

/** Every setting of calendar-sync; `secretKey` is read from `RAPPORTEUR_SECRET_KEY` and so on. */
export const calendarSyncConfig = {
  ...httpConfig,
  ...databaseConfig,
  ...busConfig,
  ...internalAuthConfig,
  /** 32 random bytes in base64: encrypts OAuth credentials and bot configurations. */
  secretKey: secret(44),
  /** Previous values of `secretKey`, separated by commas. */
  formerSecretKeys: secret(44).optional(),
  schedulerUrl: httpUrl(),
  /**
   * Base address of the public API for calendar providers, over https. Without it no push channel is opened, and
   * changes are found by the periodic sync only.
   */
  publicApiUrl: httpUrl().optional(),

  /**
   * Where calendar providers redirect the browser after a consent: `/console/calendars` at the public address of the
   * console, registered with the clients below.
   */
  consentRedirectUrl: httpUrl().optional(),
  /** OAuth client at Google with which owners of accounts consent; needs its secret and `consentRedirectUrl`. */
  googleClientId: z.string().min(1).optional(),
  googleClientSecret: secret().optional(),
  /** OAuth client at Microsoft, as for Google. */
  microsoftClientId: z.string().min(1).optional(),
  microsoftClientSecret: secret().optional(),
  /** Whose accounts may consent: `common`, `organizations`, or the id of one directory. */
  microsoftTenant: withDefault(z.string().regex(/^[A-Za-z0-9.-]+$/, 'must be a directory id or a domain'), 'common'),

  /** Google's consent page; `/o/oauth2/v2/auth` is below it. */
  googleConsentUrl: withDefault(httpUrl(), 'https://accounts.google.com'),
  /** Google's OAuth server; `/token` is below it. */
  googleOauthUrl: withDefault(httpUrl(), 'https://oauth2.googleapis.com'),
  /** `/calendar/v3` is below it. */
  googleApiUrl: withDefault(httpUrl(), 'https://www.googleapis.com'),
  /** `/{tenant}/oauth2/v2.0/token` and `authorize` are below it. */
  microsoftOauthUrl: withDefault(httpUrl(), 'https://login.microsoftonline.com'),
  /** `/v1.0` is below it. */
  microsoftApiUrl: withDefault(httpUrl(), 'https://graph.microsoft.com'),
  /** Control address of a simulator: it receives only requests with its own credentials. */
  simulatorUrl: httpUrl().optional(),
  ...outboundConfig,
  /** Hosts of links that lead to a simulated meeting. */
  simulatorLinkHosts: withDefault(textList(), []),

  /** Events up to this many days ahead are stored. */
  windowDays: withDefault(integer(14, 88), 60),
  /** Interval of the periodic sync of a calendar. */
  syncEveryMs: withDefault(durationMs(1_000, 86_400_000), 900_000),
  /** Interval of full syncs: the maximum delay of a change that a provider does not report. */
  fullSyncEveryMs: withDefault(durationMs(1_000, 7 * 86_400_000), 4 * 3_600_000),
  /** Minimum interval between two syncs of one calendar. */
  syncRestMs: withDefault(durationMs(0, 600_000), 10_000),
  /** Interval of polls for due calendars and bots. */
  sweepMs: withDefault(durationMs(50, 60_000), 1_000),
  /** Concurrent calendar syncs of one process. */
  concurrency: withDefault(integer(1, 64), 8),
} as const;

export type CalendarSyncConfig = ConfigOf<typeof calendarSyncConfig>;

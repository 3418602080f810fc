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
  withDefault,
} from '@rapporteur/service-runtime';
import type { ConfigOf } from '@rapporteur/service-runtime';

/** Every setting of sso-idp; `secretKey` is read from `RAPPORTEUR_SECRET_KEY` and so on. */
export const ssoConfig = {
  ...httpConfig,
  ...databaseConfig,
  ...busConfig,
  ...internalAuthConfig,
  /** 32 random bytes in base64: all secrets of customers in this service are encrypted with it. */
  secretKey: secret(44),
  /**
   * Keys that were `secretKey` before, separated by commas; what they sealed is sealed again with `secretKey` in the
   * background.
   */
  formerSecretKeys: secret(44).optional(),

  /** Base URL of bot-scheduler, from which this service reads which bots still need their logins. */
  botSchedulerUrl: httpUrl(),
  /**
   * Base URL of the API for browsers and Google. SSO profiles of customers contain addresses below it: it must not
   * change.
   */
  publicUrl: httpUrl(),
  /** How many bots use one login at the same time. */
  sessionsPerLogin: withDefault(integer(1, 1_000), 20),
  /** Pause between two rounds that release the logins of bots that have ended. */
  sessionSweepMs: withDefault(durationMs(100, 60_000), 5_000),
  /**
   * Replaces the hosts of Google in the verification of workspaces with a reserved example domain, where a simulator
   * runs.
   */
  simulatedGoogleUrl: httpUrl().optional(),

  /** Where Zoom exchanges codes and renews authorisations, at `/oauth/token` below it. */
  zoomOauthUrl: withDefault(httpUrl(), 'https://zoom.us'),
  /** Zoom's REST API, with `/v2/users/me` below it. */
  zoomApiUrl: withDefault(httpUrl(), 'https://api.zoom.us'),
  /** The Zoom accounts of a simulator: they receive the requests with its own credentials, and no others. */
  simulatedZoomUrl: httpUrl().optional(),
  ...outboundConfig,
} as const;

export type SsoConfig = ConfigOf<typeof ssoConfig>;

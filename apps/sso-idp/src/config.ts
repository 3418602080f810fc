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
  /** 32 random bytes in base64: everything that customers entrust to this service is encrypted with it. */
  secretKey: secret(44),
  /** Keys that were `secretKey` before, separated by commas; what they sealed is sealed with `secretKey` in the background. */
  formerSecretKeys: secret(44).optional(),

  /** Base URL of bot-scheduler for this service: it says which bots still need their logins. */
  botSchedulerUrl: httpUrl(),
  /** Base URL of the API as browsers and Google see it. SSO profiles of customers hold addresses below it: it must not change. */
  publicUrl: httpUrl(),
  /** How many bots use one login at the same time. */
  sessionsPerLogin: withDefault(integer(1, 1_000), 20),
  /** Pause between two rounds that release the logins of bots that have ended. */
  sessionSweepMs: withDefault(durationMs(100, 60_000), 5_000),
  /** Stands for the hosts of Google in the verification of workspaces whose domain is reserved for examples, where a simulator runs. */
  simulatedGoogleUrl: httpUrl().optional(),

  /** Where Zoom exchanges codes and renews authorisations; below it lies `/oauth/token`. */
  zoomOauthUrl: withDefault(httpUrl(), 'https://zoom.us'),
  /** Its REST API; below it lies `/v2/users/me`. */
  zoomApiUrl: withDefault(httpUrl(), 'https://api.zoom.us'),
  /** Zoom's accounts of a simulator: they receive the requests with its own credentials, and no others. */
  simulatedZoomUrl: httpUrl().optional(),
  ...outboundConfig,
} as const;

export type SsoConfig = ConfigOf<typeof ssoConfig>;

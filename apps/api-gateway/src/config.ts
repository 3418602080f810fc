import { z } from 'zod';
import {
  busConfig,
  databaseConfig,
  flag,
  httpConfig,
  integer,
  internalAuthConfig,
  secret,
  withDefault,
} from '@rapporteur/service-runtime';

/** Settings of this service; each is read from `RAPPORTEUR_…`, for example RAPPORTEUR_ADMIN_PORT. */
export const gatewayConfig = {
  ...httpConfig,
  ...databaseConfig,
  ...busConfig,
  ...internalAuthConfig,
  /** The admin API: keep it off the public network. */
  adminHost: withDefault(z.string(), '127.0.0.1'),
  adminPort: integer(0, 65_535),
  adminToken: secret(32),
  botSchedulerUrl: z.url(),
  deliveryUrl: z.url(),
  ssoIdpUrl: z.url(),
  /** Checks owners' answers against the contract; for tests and staging. */
  validateResponses: withDefault(flag(), false),
} as const;

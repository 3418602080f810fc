import { z } from 'zod';
import {
  adminConfig,
  busConfig,
  databaseConfig,
  flag,
  httpConfig,
  internalAuthConfig,
  secret,
  withDefault,
} from '@rapporteur/service-runtime';

/** Settings of this service; each is read from `RAPPORTEUR_…`, for example RAPPORTEUR_ADMIN_PORT. */
export const gatewayConfig = {
  ...httpConfig,
  ...adminConfig,
  ...databaseConfig,
  ...busConfig,
  ...internalAuthConfig,
  adminToken: secret(32),
  botSchedulerUrl: z.url(),
  deliveryUrl: z.url(),
  ssoIdpUrl: z.url(),
  /** Checks owners' answers against the contract; for tests and staging. */
  validateResponses: withDefault(flag(), false),
} as const;

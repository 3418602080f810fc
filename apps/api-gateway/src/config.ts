import {
  adminConfig,
  busConfig,
  databaseConfig,
  flag,
  httpConfig,
  httpUrl,
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
  /** Base addresses of the services that own operations. */
  botSchedulerUrl: httpUrl(),
  calendarSyncUrl: httpUrl(),
  deliveryUrl: httpUrl(),
  ssoIdpUrl: httpUrl(),
  /** Base address of the console, served below /console; absent: no console. */
  consoleUrl: httpUrl().optional(),
  storageConfigUrl: httpUrl(),
  /** Validates owners' responses against the contract; for tests and staging. */
  validateResponses: withDefault(flag(), false),
} as const;

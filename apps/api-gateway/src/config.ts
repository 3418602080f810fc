import { join } from 'node:path';
import { z } from 'zod';
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
  /** Folder of the documentation site, served at /docs; the images have it beside the service. */
  docsFolder: withDefault(z.string(), join(import.meta.dirname, '../docs')),
  /** Validates owners' responses against the contract; for tests and staging. */
  validateResponses: withDefault(flag(), false),
} as const;

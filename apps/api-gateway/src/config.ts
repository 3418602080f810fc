import { join } from 'node:path';
import { z } from 'zod';
import {
  adminConfig,
  busConfig,
  databaseConfig,
  flag,
  httpConfig,
  httpUrl,
  integer,
  internalAuthConfig,
  secret,
  textList,
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
  /** Reads (GET) per second and team; absent: they are not limited. */
  readsPerSecond: integer(1, 1_000).optional(),
  /** Origins of web pages that may call the API from a browser, separated by commas; empty: none. */
  corsOrigins: withDefault(origins(), []),
} as const;

function origins(): z.ZodType<string[], string> {
  return textList().refine(
    (list) => list.every((text) => URL.canParse(text) && new URL(text).origin === text),
    'must be a list of origins such as https://app.example.com, without a path',
  ) as never;
}

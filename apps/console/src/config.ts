import { join } from 'node:path';
import { z } from 'zod';
import { httpConfig, httpUrl, integer, outboundConfig, secret, withDefault } from '@rapporteur/service-runtime';

/** Settings of this service; each is read from `RAPPORTEUR_…`, for example RAPPORTEUR_API_URL. */
export const consoleConfig = {
  ...httpConfig,
  ...outboundConfig,
  /** Base address of the public API. */
  apiUrl: httpUrl(),
  /** Address at which browsers reach the console. With https, the session cookie is Secure and bound to this host. */
  publicUrl: httpUrl().optional(),
  /** Base address of links to recordings as the API gives them. */
  publicFilesUrl: httpUrl().optional(),
  /** Base address at which this service reaches these links where it differs, for example inside a cluster; needs `publicFilesUrl`. */
  filesUrl: httpUrl().optional(),
  /** 32 random bytes in base64: sessions are encrypted with it. Another key ends every session. */
  secretKey: secret(44),
  /** Keys that were `secretKey` before, separated by commas: sessions of these stay valid. */
  formerSecretKeys: secret(44).optional(),
  /** A session ends this long after its sign-in. */
  sessionHours: withDefault(integer(1, 720), 24),
  /** The built page; beside the program in a packed app. */
  publicFolder: withDefault(z.string(), join(import.meta.dirname, 'public')),
} as const;

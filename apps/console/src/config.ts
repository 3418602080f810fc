import { join } from 'node:path';
import { z } from 'zod';
import {
  databaseConfig,
  httpConfig,
  httpUrl,
  integer,
  internalAuthConfig,
  outboundConfig,
  secret,
  withDefault,
} from '@rapporteur/service-runtime';
import { accessRules } from './oidc/team-access.ts';

/** Settings of this service; each is read from `RAPPORTEUR_…`, for example RAPPORTEUR_API_URL. */
export const consoleConfig = {
  ...httpConfig,
  ...outboundConfig,
  ...databaseConfig,
  ...internalAuthConfig,
  /** Base address of the public API. */
  apiUrl: httpUrl(),
  /** Address at which browsers reach the console. With https, the session cookie is Secure and bound to this host. */
  publicUrl: httpUrl().optional(),
  /** Base address of links to recordings as the API returns them. */
  publicFilesUrl: httpUrl().optional(),
  /**
   * Base address at which this service reaches these links where it differs, for example inside a cluster; needs
   * `publicFilesUrl`.
   */
  filesUrl: httpUrl().optional(),
  /**
   * 32 random bytes in base64: the stored credentials of sessions are encrypted with it. Another key ends every
   * session.
   */
  secretKey: secret(44),
  /** Keys that were `secretKey` before, separated by commas: sessions of these stay valid. */
  formerSecretKeys: secret(44).optional(),
  /** Address of the deployment's Grafana, a link for operators. */
  grafanaUrl: httpUrl().optional(),
  /** A session ends this long after its sign-in. */
  sessionHours: withDefault(integer(1, 720), 24),
  /** The built page; beside the program in a packed app. */
  publicFolder: withDefault(z.string(), join(import.meta.dirname, 'public')),
  /**
   * Sign-in by OpenID Connect: issuer identifier of the provider, without a query. Needs `publicUrl`, `oidcClientId`
   * and `oidcAccess`.
   */
  oidcIssuer: httpUrl().optional(),
  oidcClientId: z.string().optional(),
  /** Absent: a public client. */
  oidcClientSecret: secret().optional(),
  /**
   * Separated by spaces. `offline_access` keeps sessions beyond the life of an access token, where the provider gives
   * refresh tokens.
   */
  oidcScopes: withDefault(z.string(), 'openid profile email'),
  /** Name of the provider on the sign-in page. */
  oidcName: withDefault(z.string(), 'your organization'),
  /** Claim of the user info or the ID token with the values that `oidcAccess` names: a text or a list of texts. */
  oidcClaim: withDefault(z.string(), 'groups'),
  /**
   * JSON: a list of `{ value, team_id, team_name, role }` with role viewer, member or admin, and of `{ value, role:
   * "operator" }`.
   */
  oidcAccess: accessRules().optional(),
} as const;

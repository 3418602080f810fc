import type { Express } from 'express';
import { fail } from '@rapporteur/failures';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import { createRapporteurClient, RapporteurError } from '@rapporteur/sdk';
import { createApp, sendFailures } from '@rapporteur/service-runtime';
import type { Service } from '@rapporteur/service-runtime';
import { apiProxy } from './api-proxy/api-proxy.routes.ts';
import { artifactRoutes } from './artifacts/artifacts.routes.ts';
import type { FilesAddress } from './artifacts/reachable-url.ts';
import { operatorRoutes } from './operator/operator.routes.ts';
import { oidcRoutes } from './session/oidc.routes.ts';
import type { IdentityProvider } from './oidc/identity-provider.ts';
import type { SignInCookie } from './oidc/sign-in-cookie.ts';
import { createApiCredentials } from './session/api-credentials.ts';
import { sameOriginOnly, sameSiteOnly } from './session/same-origin.ts';
import { sessionRoutes, signedInOnly } from './session/session.routes.ts';
import type { Sessions } from './session/sessions.ts';
import type { PageFiles } from './static-files/page-files.ts';
import { staticFiles } from './static-files/static-files.routes.ts';

export interface ConsoleDependencies {
  readonly service: Service;
  readonly sessions: Sessions;
  readonly outbound: OutboundHttp;
  readonly pageFiles: PageFiles;
  readonly apiUrl: string;
  readonly publicUrl: string | undefined;
  /** Null: links to recordings are used as the API returns them. */
  readonly files: FilesAddress | null;
  /** Address of the dashboards for operators; null: none. */
  readonly grafanaUrl: string | null;
  /** Null: users sign in with API keys only. */
  readonly oidc: OidcParts | null;
}

export interface OidcParts {
  readonly provider: IdentityProvider;
  readonly signInCookie: SignInCookie;
  readonly providerName: string;
  readonly publicUrl: string;
}

const apiMs = 15_000;

/** The console's server, ready to listen: sign-in, the API with the session's key, artifacts, and the page. */
export function createConsoleApp(dependencies: ConsoleDependencies): Express {
  const { service, sessions, outbound, apiUrl, publicUrl, pageFiles, oidc } = dependencies;
  const credentials = createApiCredentials({ auth: service.auth, apiUrl });
  const guards = [sameOriginOnly(publicUrl), ...sessions.handlers];
  const signedIn = signedInOnly(sessions);
  const app = createApp(service);
  const providerName = oidc?.providerName ?? null;
  app.use('/console/session', guards, sessionRoutes({ sessions, checkKey: keyCheck(apiUrl), providerName }));
  if (oidc !== null)
    app.use('/console/oidc', sessions.handlers, oidcRoutes({ ...oidc, sessions, logger: service.logger }));
  const operator = { auth: service.auth, apiUrl, grafanaUrl: dependencies.grafanaUrl };
  app.use('/console/operator', guards, signedIn, operatorRoutes(operator));
  app.use('/console/api', guards, signedIn, apiProxy({ apiUrl, credentials }));
  app.use(
    '/console/artifacts',
    sameSiteOnly,
    sessions.handlers,
    signedIn,
    artifactRoutes({ outbound, files: dependencies.files, clientOf: credentials.clientOf }),
  );
  app.use(staticFiles(pageFiles));
  app.use(...sendFailures(service));
  return app;
}

/** A read that needs full permission: its status shows whether a key is valid. */
function keyCheck(apiUrl: string) {
  return async (apiKey: string): Promise<boolean> => {
    try {
      await createRapporteurClient({ baseUrl: apiUrl, apiKey, timeoutMs: apiMs }).listBots({ limit: 1 });
      return true;
    } catch (error) {
      if (error instanceof RapporteurError && (error.statusCode === 403 || error.statusCode === 401)) return false;
      throw fail('UNAVAILABLE', { cause: error });
    }
  };
}

import { createOutboundHttp, proxyOf, useProxyForFetch } from '@rapporteur/outbound-http';
import { openSecretBox } from '@rapporteur/secret-box';
import type { SecretBox } from '@rapporteur/secret-box';
import { ConfigurationError, runService } from '@rapporteur/service-runtime';
import type { ConfigOf } from '@rapporteur/service-runtime';
import { hostAndPort } from './artifacts/reachable-url.ts';
import type { FilesAddress } from './artifacts/reachable-url.ts';
import { consoleConfig } from './config.ts';
import { createConsoleApp } from './console-app.ts';
import { createIdentityProvider } from './oidc/identity-provider.ts';
import { callbackPath } from './session/oidc.routes.ts';
import { createSignInCookie } from './oidc/sign-in-cookie.ts';
import { openConsoleDatabase } from './session/open-console-database.ts';
import { createSessions } from './session/sessions.ts';
import { readPageFiles } from './static-files/page-files.ts';

const sweepEveryMs = 600_000;

await runService({
  name: 'console',
  config: consoleConfig,
  migrate: async (databaseUrl) => (await openConsoleDatabase(databaseUrl, 1)).close(),
  start: async (service) => {
    const { config, clock } = service;
    const pageFiles = readPageFiles(config.publicFolder);
    const identity = identityOf(config, openSecretBox(config), () => clock.now());
    const database = await openConsoleDatabase(config.databaseUrl.reveal(), config.databasePoolSize);
    service.onStop('connections to the database', () => database.close());
    service.readiness('database', () => database.ping());
    const files = filesAddressOf(config);
    const proxy = proxyOf(config);
    // The libraries of OpenID Connect.
    if (proxy !== null) useProxyForFetch(proxy, [config.apiUrl]);
    const outbound = createOutboundHttp({
      allow: files === null ? config.allowedAddresses : [...config.allowedAddresses, hostAndPort(files.url)],
      requireHttps: config.requireHttps,
      caFile: config.caFile,
      proxy,
    });
    service.onStop('connections to stores', () => outbound.close());
    const sessions = createSessions({ database, config, clock, identity });
    service.repeat({ what: 'Removing expired sessions', everyMs: sweepEveryMs, work: () => sessions.sweep() });
    const { apiUrl, publicUrl } = config;
    const app = createConsoleApp({
      service,
      sessions,
      outbound,
      pageFiles,
      apiUrl,
      publicUrl,
      files,
      grafanaUrl: config.grafanaUrl ?? null,
      oidc: identity,
    });
    await service.listen(app, { host: config.host, port: config.port });
  },
});

/** Dependencies of sign-in by OpenID Connect; null where it is not configured. */
function identityOf(config: ConfigOf<typeof consoleConfig>, box: SecretBox, now: () => number) {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcAccess: rules, publicUrl } = config;
  const given = [issuer, clientId, rules, config.oidcClientSecret].filter((value) => value !== undefined);
  if (given.length === 0) return null;
  if (issuer === undefined || clientId === undefined || rules === undefined || publicUrl === undefined) {
    throw new ConfigurationError(
      'Sign-in by OpenID Connect needs RAPPORTEUR_OIDC_ISSUER, RAPPORTEUR_OIDC_CLIENT_ID, RAPPORTEUR_OIDC_ACCESS and RAPPORTEUR_PUBLIC_URL: one of them is missing.',
    );
  }
  const settings = {
    issuer,
    clientId,
    clientSecret: config.oidcClientSecret?.reveal() ?? null,
    scopes: config.oidcScopes,
    claim: config.oidcClaim,
    redirectUri: `${publicUrl}${callbackPath}`,
    signedOutUri: `${publicUrl}/console`,
  };
  const secure = publicUrl.startsWith('https:');
  return {
    provider: createIdentityProvider(settings, now),
    rules,
    signInCookie: createSignInCookie({ box, now, secure }),
    providerName: config.oidcName,
    publicUrl,
  };
}

function filesAddressOf(config: {
  readonly filesUrl?: string | undefined;
  readonly publicFilesUrl?: string | undefined;
}): FilesAddress | null {
  const { filesUrl: url, publicFilesUrl: publicUrl } = config;
  if (url === undefined && publicUrl === undefined) return null;
  if (url !== undefined && publicUrl !== undefined) return { publicUrl, url };
  throw new Error('RAPPORTEUR_FILES_URL and RAPPORTEUR_PUBLIC_FILES_URL are needed together: one of them is missing.');
}

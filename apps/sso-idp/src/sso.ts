import type { Database } from '@rapporteur/database';
import { createOutboundHttp } from '@rapporteur/outbound-http';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import { createSecretBox } from '@rapporteur/secret-box';
import { createApp, sendFailures } from '@rapporteur/service-runtime';
import type { Listening, Service } from '@rapporteur/service-runtime';
import type { SsoConfig } from './config.ts';
import { AccessTokens } from './platform-credentials/access-tokens.ts';
import { createCredentialSecrets } from './platform-credentials/credential-secrets.ts';
import { credentialRoutes } from './platform-credentials/credentials.routes.ts';
import { joinTokenRoutes } from './platform-credentials/join-tokens.routes.ts';
import { keepSecretsRewrapped } from './platform-credentials/rewrap-secrets.ts';
import { openSsoSchema } from './schema/open-schema.ts';
import { createZoomAccounts } from './zoom/zoom-accounts.ts';

/** Opens everything in order and registers the stops. Resolves once it listens. */
export async function startSso(service: Service, config: SsoConfig): Promise<Listening> {
  const { auth, clock, logger } = service;
  const former = (config.formerSecretKeys?.reveal().split(',') ?? []).map((key) => key.trim()).filter(Boolean);
  const secrets = createCredentialSecrets(createSecretBox({ current: config.secretKey.reveal(), former }));
  const http = openOutbound(service, config);
  const { alphaOauthUrl: oauthUrl, alphaApiUrl: apiUrl } = config;
  const zoom = createZoomAccounts({ http, oauthUrl, apiUrl });
  const database = await openDatabase(service, config);
  if (former.length > 0) {
    const rewrapping = keepSecretsRewrapped({ database, secrets, clock, logger });
    service.onStop('sealing anew', () => rewrapping.stop());
  }
  const accessTokens = new AccessTokens({ database, secrets, zoom, clock, logger });
  const app = createApp(service);
  app.use(credentialRoutes(auth, { database, secrets, zoom, now: () => clock.now() }));
  app.use(joinTokenRoutes(auth, { database, secrets, accessTokens, zoom, clock, logger }));
  app.use(...sendFailures(service));
  return await service.listen(app, { host: config.host, port: config.port });
}

async function openDatabase(service: Service, config: SsoConfig): Promise<Database> {
  const database = await openSsoSchema(config.databaseUrl.reveal(), config.databasePoolSize);
  service.onStop('database', () => database.close());
  service.readiness('database', () => database.ping());
  return database;
}

function openOutbound(service: Service, config: SsoConfig): OutboundHttp {
  const { allowedAddresses: allow, requireHttps, caFile } = config;
  const http = createOutboundHttp({ allow, requireHttps, ...(caFile === undefined ? {} : { caFile }) });
  service.onStop('outgoing connections', () => http.close());
  return http;
}

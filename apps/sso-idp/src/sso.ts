import { internalCalls } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { openStores, startOutbox } from '@rapporteur/event-bus';
import type { Outbox } from '@rapporteur/event-bus';
import { bySimulatedCredentials, measureRequests, openOutbound, providerMetricsOf } from '@rapporteur/outbound-http';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import { keepKeysRotated, openSecretBox, rotationOf } from '@rapporteur/secret-box';
import type { SecretBox } from '@rapporteur/secret-box';
import { createApp, createClient, sendFailures } from '@rapporteur/service-runtime';
import type { Listening, Service } from '@rapporteur/service-runtime';
import type { Router } from 'express';
import type { SsoConfig } from './config.ts';
import { createLoginSecrets } from './logins/login-secrets.ts';
import type { LoginSecrets } from './logins/login-secrets.ts';
import { loginRoutes } from './logins/logins.routes.ts';
import { workspaceRoutes } from './logins/workspaces.routes.ts';
import { readLoginGauges, ssoMetrics } from './metrics.ts';
import { AccessTokens } from './platform-credentials/access-tokens.ts';
import { createCredentialSecrets } from './platform-credentials/credential-secrets.ts';
import { credentialRoutes } from './platform-credentials/credentials.routes.ts';
import { joinTokenRoutes } from './platform-credentials/join-tokens.ts';
import { ssoRoutes } from './saml/sso.routes.ts';
import { openSsoSchema } from './schema/open-schema.ts';
import { LoginPool } from './sessions/login-pool.ts';
import { cleanUpTickets, createReconciler } from './sessions/reconcile-sessions.ts';
import { sessionRoutes } from './sessions/issue-sign-in.ts';
import { createGooglePages } from './verification/google-pages.ts';
import { startNightlyVerification } from './verification/verify-nightly.ts';
import type { LoginRow, WorkspaceRow } from './schema/login-entities.ts';
import type { CredentialRow } from './schema/entities.ts';
import { createVerifyWorkspace } from './verification/verify-workspace.ts';
import { createZoomAccounts } from './zoom/zoom-accounts.ts';

interface Opened {
  readonly service: Service;
  readonly config: SsoConfig;
  readonly box: SecretBox;
  readonly database: Database;
  readonly events: Outbox;
  readonly http: OutboundHttp;
  readonly loginSecrets: LoginSecrets;
}

/** Opens all dependencies in order and registers their stops. Resolves once it listens. */
export async function startSso(service: Service, config: SsoConfig): Promise<Listening> {
  const box = openSecretBox(config);
  const http = openOutbound(service, config);
  const { database, bus } = await openStores(service, config, () =>
    openSsoSchema(config.databaseUrl.reveal(), config.databasePoolSize),
  );
  const events = startOutbox(service, { database, bus });
  const opened = { service, config, box, database, events, http, loginSecrets: createLoginSecrets(box) };
  keepSecretsRotated(opened);
  const app = createApp(service);
  for (const router of [...zoomRouters(opened), ...loginRouters(opened)]) app.use(router);
  app.use(...sendFailures(service));
  return await service.listen(app, { host: config.host, port: config.port });
}

function keepSecretsRotated({ service, box, database, loginSecrets }: Opened): void {
  const { rewrapWorkspace, rewrapLogin } = loginSecrets;
  keepKeysRotated(service, { box, database, what: 'stored credentials' }, [
    rotationOf<CredentialRow>({
      name: 'platform_credentials',
      id: 'credential_id',
      where: 'deleted_at is null',
      rewrap: createCredentialSecrets(box).rewrap,
    }),
    rotationOf<WorkspaceRow>({ name: 'login_workspaces', id: 'workspace_id', rewrap: rewrapWorkspace }),
    rotationOf<LoginRow>({ name: 'logins', id: 'credential_id', rewrap: rewrapLogin }),
  ]);
}

function zoomRouters({ service, config, box, database, http }: Opened): Router[] {
  const { auth, clock, logger } = service;
  const secrets = createCredentialSecrets(box);
  const { zoomOauthUrl: oauthUrl, zoomApiUrl: apiUrl, simulatedZoomUrl: simulated } = config;
  const measured = measureRequests(http, 'zoom', service.metrics.declare(providerMetricsOf(['zoom'])));
  const zoom = bySimulatedCredentials(
    createZoomAccounts({ http: measured, oauthUrl, apiUrl }),
    simulated === undefined ? null : createZoomAccounts({ http, oauthUrl: simulated, apiUrl: simulated }),
  );
  const accessTokens = new AccessTokens({ database, secrets, zoom, clock, logger });
  return [
    credentialRoutes(auth, { database, secrets, zoom, now: () => clock.now() }),
    joinTokenRoutes(auth, { database, secrets, accessTokens, zoom, clock, logger }),
  ];
}

function loginRouters({ service, config, database, events, http, loginSecrets: secrets }: Opened): Router[] {
  const { auth, clock, logger } = service;
  const { sessionsPerLogin } = config;
  const now = () => clock.now();
  const gauges = service.metrics.declare(ssoMetrics);
  service.metrics.collect('logins', Object.values(gauges), () => readLoginGauges(database, gauges, sessionsPerLogin));
  const entityId = `${config.publicUrl.replace(/\/$/, '')}/v2/meet-sso`;
  const addresses = { entityId, signInUrl: `${entityId}/sign-in`, signOutUrl: `${entityId}/sign-out` };
  const scheduler = { auth, service: 'bot-scheduler', baseUrl: config.botSchedulerUrl };
  const bots = createClient(internalCalls.bots, scheduler);
  const reconcile = createReconciler({ database, bots, now, logger });
  service.repeat({ what: 'Reconciling login sessions', everyMs: config.sessionSweepMs, work: reconcile });
  const cleanUp = () => cleanUpTickets({ database, now });
  service.repeat({ what: 'Deleting old sign-in tickets', everyMs: ticketCleanupMs, work: cleanUp });
  const pool = new LoginPool({ database, sessionsPerLogin, reconcile, now });
  const google = createGooglePages({ http, simulatedGoogleUrl: config.simulatedGoogleUrl ?? null });
  const verify = createVerifyWorkspace({ database, secrets, addresses, google, events, now, logger });
  const nightly = startNightlyVerification({ database, verify, clock, logger });
  service.onStop('nightly verification', () => nightly.stop());
  const shared = { database, secrets, now, sessionsPerLogin, addresses, verify };
  return [
    workspaceRoutes(auth, shared),
    loginRoutes(auth, shared),
    sessionRoutes(auth, { ...shared, pool, logger }),
    ssoRoutes(auth, { ...shared, logger }),
  ];
}

const ticketCleanupMs = 3_600_000;

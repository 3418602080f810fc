import { internalCalls } from '@rapporteur/contracts';
import { legacyDocument } from '@rapporteur/contracts/legacy-api';
import { publicDocument } from '@rapporteur/contracts/public-api';
import type { Database } from '@rapporteur/database';
import { openStores, startOutbox } from '@rapporteur/event-bus';
import { createClient, runService } from '@rapporteur/service-runtime';
import type { Clock } from '@rapporteur/service-runtime';
import { createAdminApp } from './admin/admin-app.ts';
import { AuditLog, listAuditLog } from './audit/audit-log.ts';
import { insertEntries, removeEntries } from './audit/audit.store.ts';
import { gatewayConfig } from './config.ts';
import { createOwners } from './forwarding/owners.ts';
import { createGateway } from './gateway.ts';
import { createIdempotencyStore } from './idempotency/idempotency.store.ts';
import { keepSwept } from './idempotency/sweeping.ts';
import { openIdentity } from './identity/open-identity.ts';
import { createPlans } from './identity/plans.store.ts';
import { retentionOperations } from './identity/retention.routes.ts';
import { createTeams } from './identity/teams.store.ts';
import type { Teams } from './identity/teams.store.ts';
import { createKeyCache } from './keys/key-cache.ts';
import { keyOperations } from './keys/keys.routes.ts';
import { findKey, findUserAccess, markUsed } from './keys/keys.store.ts';
import { LastUsed } from './keys/last-used.ts';
import { countDeletionsIn } from './legacy/deletion-limit.store.ts';
import { gatewayMetrics } from './metrics.ts';
import { admitRequest } from './limits/rate-limit.ts';

/** Stops after the public listener, within the same time limit of the process. */
const adminDrainMs = 2_000;
/** A year and a month, so that a yearly audit covers the whole year. */
const auditKeptMs = 396 * 86_400_000;

await runService({
  name: 'api-gateway',
  config: gatewayConfig,
  migrate: async (databaseUrl) => (await openIdentity(databaseUrl, 1)).close(),
  start: async (service) => {
    const { config, clock, logger, auth } = service;
    const { database, bus } = await openStores(service, config, () =>
      openIdentity(config.databaseUrl.reveal(), config.databasePoolSize),
    );
    const outbox = startOutbox(service, { database, bus });

    const lastUsed = new LastUsed({ write: (usedAtMs) => markUsed(database, usedAtMs), clock, logger });
    lastUsed.start();
    service.onStop('last use of keys', () => lastUsed.stop());

    const idempotency = createIdempotencyStore(database, config.internalSecret);
    const sweeping = keepSwept({ sweep: () => idempotency.sweep(), clock, logger });
    service.onStop('sweeping of idempotency keys', () => sweeping.stop());

    const write = insertEntries.bind(null, database);
    const audit = new AuditLog({ write, clock, logger, metrics: service.metrics.declare(gatewayMetrics) });
    audit.start();
    service.onStop('audit log', () => audit.stop());
    const sweep = () => removeEntries(database, new Date(clock.now() - auditKeptMs));
    const auditSweeping = keepSwept({ sweep, clock, logger });
    service.onStop('sweeping of the audit log', () => auditSweeping.stop());

    const owners = createOwners({
      auth,
      addresses: {
        'bot-scheduler': config.botSchedulerUrl,
        'calendar-sync': config.calendarSyncUrl,
        delivery: config.deliveryUrl,
        'sso-idp': config.ssoIdpUrl,
        'storage-config': config.storageConfigUrl,
      },
    });
    service.onStop('connections to owners', () => owners.close());
    const teams = createTeams(database, outbox);
    const gateway = createGateway({
      service,
      docsFolder: config.docsFolder,
      consoleUrl: config.consoleUrl,
      document: publicDocument,
      legacy: { document: legacyDocument, countDeletion: countDeletionsIn(database) },
      validateResponses: config.validateResponses,
      owners,
      ssoPages: createClient(internalCalls.ssoPages, { auth, service: 'sso-idp', baseUrl: config.ssoIdpUrl }),
      authentication: {
        cache: createKeyCache((keyHash) => findKey(database, keyHash), clock),
        clock,
        onUse: (keyId) => lastUsed.note(keyId),
        auth,
        findUser: (teamId, user) => findUserAccess(database, teamId, user),
      },
      rateLimit: { admit: admitRequest.bind(null, database), readsPerSecond: config.readsPerSecond ?? null },
      corsOrigins: config.corsOrigins,
      idempotency,
      auditLog: audit,
      ownOperations: ownOperationsOf(database, clock, teams),
    });
    const admin = createAdminApp(service, config.adminToken, {
      database,
      audit,
      teams,
      plans: createPlans(database, outbox),
      schedulerUrl: config.botSchedulerUrl,
      storageConfigUrl: config.storageConfigUrl,
    });
    await service.listen(admin, { host: config.adminHost, port: config.adminPort, drainMs: adminDrainMs });
    await service.listen(gateway, { host: config.host, port: config.port });
  },
});

function ownOperationsOf(database: Database, clock: Clock, teams: Teams) {
  return { listAuditLog: listAuditLog(database), ...keyOperations(database, clock), ...retentionOperations(teams) };
}

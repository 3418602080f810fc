import { randomUUID } from 'node:crypto';
import type { Writable } from 'node:stream';
import request from 'supertest';
import type { Response } from 'supertest';
import { internalCalls } from '@rapporteur/contracts';
import { legacyDocument } from '@rapporteur/contracts/legacy-api';
import { publicDocument } from '@rapporteur/contracts/public-api';
import type { Database } from '@rapporteur/database';
import { createInternalAuth, createClient, createLogger, createService, Secret } from '@rapporteur/service-runtime';
import type { Clock, Permission, User, Service } from '@rapporteur/service-runtime';
import { createTestDatabase } from '@rapporteur/testbed';
import { AuditLog, listAuditLog } from '../audit/audit-log.ts';
import { insertEntries } from '../audit/audit.store.ts';
import { createOwners } from '../forwarding/owners.ts';
import { createGateway } from '../gateway.ts';
import { createIdempotencyStore } from '../idempotency/idempotency.store.ts';
import type { IdempotencyStore } from '../idempotency/idempotency.store.ts';
import { openIdentity } from '../identity/open-identity.ts';
import { retentionOperations } from '../identity/retention.routes.ts';
import { createTeams } from '../identity/teams.store.ts';
import type { AuthenticationDependencies } from '../keys/authentication.ts';
import { createKeyCache } from '../keys/key-cache.ts';
import { keyOperations } from '../keys/keys.routes.ts';
import { addKey, findKey, findUserAccess, markUsed } from '../keys/keys.store.ts';
import { LastUsed } from '../keys/last-used.ts';
import { countDeletionsIn } from '../legacy/deletion-limit.store.ts';
import { admitRequest } from '../limits/rate-limit.ts';
import { gatewayMetrics } from '../metrics.ts';
import { startStubOwner } from './stub-owner.ts';
import type { StubOwner } from './stub-owner.ts';

/** A separate identity schema, stub owners, and the gateways that a test starts over them. */
export interface Edge {
  readonly database: Database;
  readonly scheduler: StubOwner;
  readonly calendarSync: StubOwner;
  readonly delivery: StubOwner;
  readonly ssoIdp: StubOwner;
  readonly storageConfig: StubOwner;
  readonly idempotency: IdempotencyStore;
  /** Starts one more replica and returns its address. */
  startGateway(options?: GatewayOptions): Promise<string>;
  /** Creates a team without events and returns its id. */
  createTeam(plan?: string): Promise<string>;
  /** The `authorization` header in which a service names a user of a team. */
  authorizationOf(teamId: string, user: User, service?: string): Promise<string>;
  /** The text of a new key. */
  createKey(teamId: string, permission: Permission, expiresAt?: Date | null): Promise<string>;
  stop(): Promise<void>;
}

export interface GatewayOptions {
  readonly clock?: Clock;
  readonly document?: unknown;
  readonly schedulerUrl?: string;
  readonly callerIdleMs?: number;
  /** Response timeout for owners. */
  readonly ownerLimitMs?: number;
  /** Default: one without files. */
  readonly docsFolder?: string;
  /** Default: reads are not limited. */
  readonly readsPerSecond?: number;
  readonly corsOrigins?: readonly string[];
  /** Receives the gateway's log; absent: nothing is logged. */
  readonly log?: Writable;
}

const silentOutbox = { add: () => Promise.resolve(randomUUID()), notify: () => undefined };

async function startStubOwners() {
  return {
    scheduler: await startStubOwner(),
    calendarSync: await startStubOwner(),
    delivery: await startStubOwner(),
    ssoIdp: await startStubOwner(),
    storageConfig: await startStubOwner(),
  };
}

function addressesOf(owners: Awaited<ReturnType<typeof startStubOwners>>, schedulerUrl = owners.scheduler.url) {
  return {
    'bot-scheduler': schedulerUrl,
    'calendar-sync': owners.calendarSync.url,
    delivery: owners.delivery.url,
    'sso-idp': owners.ssoIdp.url,
    'storage-config': owners.storageConfig.url,
  };
}

export async function startEdge(): Promise<Edge> {
  const testDatabase = await createTestDatabase(openIdentity);
  const database = await openIdentity(testDatabase.url);
  const stubOwners = await startStubOwners();
  const internalSecret = new Secret(randomUUID() + randomUUID());
  const services: { stop(): Promise<unknown> }[] = [];
  const teams = createTeams(database, silentOutbox);
  const idempotency = createIdempotencyStore(database, internalSecret);
  return {
    database,
    idempotency,
    ...stubOwners,
    startGateway: async (options = {}) => {
      const { clock, document = publicDocument, schedulerUrl, callerIdleMs, ownerLimitMs, log } = options;
      const logger = createLogger('api-gateway', log === undefined ? 'silent' : 'info', log);
      const service = createService({
        name: 'api-gateway',
        internalSecret,
        logger,
        ...(clock === undefined ? {} : { clock }),
      });
      services.push(service);
      const lastUsed = new LastUsed({ write: markUsed.bind(null, database), clock: service.clock, logger });
      service.onStop('last use of keys', () => lastUsed.stop());
      const owners = createOwners({
        auth: service.auth,
        addresses: addressesOf(stubOwners, schedulerUrl),
        responseMs: ownerLimitMs,
      });
      service.onStop('connections to owners', () => owners.close());
      const app = createGateway({
        docsFolder: options.docsFolder ?? import.meta.dirname,
        service,
        document,
        legacy: { document: legacyDocument, countDeletion: countDeletionsIn(database) },
        validateResponses: true,
        owners,
        ssoPages: ssoPagesOf(service, stubOwners.ssoIdp.url),
        authentication: authenticationOf(service, database, lastUsed),
        rateLimit: { admit: admitRequest.bind(null, database), readsPerSecond: options.readsPerSecond ?? null },
        corsOrigins: options.corsOrigins ?? [],
        idempotency,
        auditLog: startAudit(service, database),
        ownOperations: {
          listAuditLog: listAuditLog(database),
          ...keyOperations(database, service.clock),
          ...retentionOperations(teams),
        },
        ...(callerIdleMs === undefined ? {} : { callerIdleMs }),
      });
      return (await service.listen(app, { host: '127.0.0.1', port: 0 })).url;
    },
    createTeam: async (plan = 'self_hosted') => {
      const { team } = await teams.create({ name: `Team ${randomUUID()}`, plan, tokens: null });
      return team.team_id;
    },
    authorizationOf: async (teamId, user, name = 'console') =>
      `Bearer ${await createInternalAuth(name, internalSecret).sign({ audience: 'api-gateway', teamId, user })}`,
    createKey: async (teamId, permission, expiresAt = null) =>
      (await addKey(database, { teamId, name: 'Key', permission, expiresAt })).text,
    stop: async () => {
      await Promise.all(services.map((service) => service.stop()));
      await Promise.all(Object.values(stubOwners).map((owner) => owner.stop()));
      await database.close();
      await testDatabase.drop();
    },
  };
}

const ssoPagesOf = ({ auth }: Service, baseUrl: string) =>
  createClient(internalCalls.ssoPages, { auth, service: 'sso-idp', baseUrl });

function authenticationOf(
  { clock, auth }: Service,
  database: Database,
  lastUsed: LastUsed,
): AuthenticationDependencies {
  return {
    cache: createKeyCache((keyHash) => findKey(database, keyHash), clock),
    clock,
    onUse: (keyId) => lastUsed.note(keyId),
    auth,
    findUser: (teamId, user) => findUserAccess(database, teamId, user),
  };
}

function startAudit(service: Service, database: Database): AuditLog {
  const { clock, logger } = service;
  const audit = new AuditLog({
    write: (entries) => insertEntries(database, entries),
    clock,
    logger,
    metrics: service.metrics.declare(gatewayMetrics),
  });
  audit.start();
  service.onStop('audit log', () => audit.stop());
  return audit;
}

export interface Call {
  readonly key?: string | undefined;
  readonly body?: unknown;
  /** Sent unchanged, instead of `body`. */
  readonly text?: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response with a JSON object as its body; empty for other content. */
export type Reply = Omit<Response, 'body'> & { readonly body: Record<string, unknown> };

/** Sends one request to a gateway at once. */
export async function send(method: string, url: string, call: Call = {}): Promise<Reply> {
  const { key, body, text = body === undefined ? undefined : JSON.stringify(body), type = 'application/json' } = call;
  const test = request(url)
    [method as 'get']('')
    .set({ ...(key === undefined ? {} : { 'x-service-api-key': key }), ...call.headers })
    .timeout(20_000);
  return text === undefined ? test : test.type(type).send(text);
}

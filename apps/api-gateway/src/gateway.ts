import cors from 'cors';
import type { Express, RequestHandler } from 'express';
import { withClosedResponses } from '@rapporteur/contracts/public-api';
import type { PublicOperation } from '@rapporteur/contracts/public-api';
import { fail } from '@rapporteur/failures';
import { createApp, sendFailures } from '@rapporteur/service-runtime';
import type { Service } from '@rapporteur/service-runtime';
import type { AuditLog } from './audit/audit-log.ts';
import { recordAccess } from './audit/record-access.ts';
import { calendarNotificationRoutes } from './calendar-notifications/calendar-notifications.routes.ts';
import { meetSsoRoutes } from './meet-sso/meet-sso.routes.ts';
import type { SsoPages } from './meet-sso/meet-sso.routes.ts';
import { operatorRoutes } from './operator/operator.routes.ts';
import { consoleRoutes } from './console/console.routes.ts';
import { createContract, refuseMalformedPaths } from './contract/validator.ts';
import type { Contract } from './contract/validator.ts';
import { docsPage, docsAtRoot, docsSite } from './docs-page/docs-page.routes.ts';
import { helpLink } from './docs-page/help-link.ts';
import { forward } from './forwarding/forwarding.ts';
import type { Owners } from './forwarding/owners.ts';
import { idempotent } from './idempotency/idempotency.ts';
import type { IdempotencyStore } from './idempotency/idempotency.store.ts';
import { authenticate, keyHeader } from './keys/authentication.ts';
import type { AuthenticationDependencies } from './keys/authentication.ts';
import { legacyWork } from './legacy/legacy.routes.ts';
import type { LegacyDependencies } from './legacy/legacy.routes.ts';
import { limitRate } from './limits/rate-limit.ts';
import type { RateLimit } from './limits/rate-limit.ts';
import { limitIdleTime } from './limits/idle-timeout.ts';

export interface GatewayDependencies {
  readonly service: Service;
  /** The v2 document. */
  readonly document: unknown;
  /** The legacy API: its document and the dependencies of its rules. */
  readonly legacy: Pick<LegacyDependencies, 'document' | 'countDeletion'>;
  /** Validates every response against the contract, for tests and staging: an invalid one becomes a 500. */
  readonly validateResponses: boolean;
  readonly owners: Owners;
  readonly ssoPages: SsoPages;
  readonly authentication: AuthenticationDependencies;
  readonly rateLimit: RateLimit;
  /** Origins whose pages may call the API; empty: none. */
  readonly corsOrigins: readonly string[];
  readonly idempotency: IdempotencyStore;
  readonly auditLog: AuditLog;
  /** Handlers of the operations that the gateway owns, by id. */
  readonly ownOperations: Readonly<Record<string, RequestHandler>>;
  /** Address of the console's service; absent: no console. */
  readonly consoleUrl?: string | undefined;
  /** Folder of the documentation site; it may appear later. */
  readonly docsFolder: string;
  /** A client that reads nothing of its response for this long is disconnected; default 60 000. */
  readonly callerIdleMs?: number;
}

/** The handlers before an operation's own, in sequence: key and permission, rate limit, contract, Idempotency-Key. */
function guardsOf(dependencies: GatewayDependencies, contract: Contract, operation: PublicOperation): RequestHandler[] {
  return [
    ...contract.watch(operation),
    authenticate(dependencies.authentication, operation),
    ...recordAccess(dependencies.auditLog, operation),
    limitRate(dependencies.rateLimit),
    ...contract.accept(operation),
    ...idempotent(
      { store: dependencies.idempotency, logger: dependencies.service.logger, clock: dependencies.service.clock },
      operation,
    ),
  ];
}

/** The contract of a document. Invalid responses are logged where responses are validated. */
function contractOf(dependencies: GatewayDependencies, document: unknown): Contract {
  return createContract({
    document: dependencies.validateResponses ? withClosedResponses(document) : document,
    onInvalidResponse: dependencies.validateResponses
      ? (operationId, problem) =>
          dependencies.service.logger.error({ operationId, problem }, 'A response violates the contract.')
      : undefined,
  });
}

/** The public app, ready to listen. Throws when a document cannot be used for validation. */
export function createGateway(dependencies: GatewayDependencies): Express {
  const { service, document, validateResponses, owners } = dependencies;
  const [contract, legacy] = [
    contractOf(dependencies, document),
    contractOf(dependencies, dependencies.legacy.document),
  ];
  // Metrics and readiness are on the admin listener.
  const app = createApp(service, { showsMetrics: false, namesChecks: false });
  app.use(limitIdleTime(dependencies.callerIdleMs));
  app.use(sendHsts);
  app.use(refuseMalformedPaths);
  app.use(calendarNotificationRoutes(owners));
  app.use(meetSsoRoutes(dependencies.ssoPages));
  app.use(operatorRoutes(service.auth, owners));
  if (dependencies.consoleUrl !== undefined) app.use(consoleRoutes(dependencies.consoleUrl));
  if (dependencies.corsOrigins.length > 0) app.use(allowOrigins(dependencies.corsOrigins));
  const workOf = (operation: PublicOperation): RequestHandler =>
    operation.owner === 'api-gateway'
      ? ownOperation(dependencies, operation.id)
      : forward(
          { owners, parseResponses: validateResponses },
          { ...operation, owner: operation.owner, csvColumns: contract.csvColumns(operation) },
        );
  const legacyWorkOf = legacyWork({ ...dependencies.legacy, owners, clock: service.clock });
  const admitted = [
    authenticate(dependencies.authentication, { permission: 'full', role: null }),
    limitRate(dependencies.rateLimit),
  ];
  serve(app, admitted, [
    ...contract.operations.map((operation) => ({
      operation,
      handlers: [...guardsOf(dependencies, contract, operation), workOf(operation)],
    })),
    ...legacy.operations.map((operation) => ({
      operation,
      handlers: [...guardsOf(dependencies, legacy, operation), legacyWorkOf(operation)],
    })),
  ]);
  // After the operations, which receive nearly all requests.
  const documents = [
    { path: '/openapi.json', title: 'v2', document },
    { path: '/openapi.legacy.json', title: 'v1, legacy', document: dependencies.legacy.document },
  ];
  app.use(docsPage(documents, () => service.clock.now()));
  app.use(docsAtRoot(dependencies.docsFolder));
  app.use('/docs', docsSite(dependencies.docsFolder));
  app.use(onlyStrangePaths(admitted));
  app.use(...sendFailures(service, { link: helpLink }));
  return app;
}

/** For two years, browsers that reached this address by HTTPS use only HTTPS. Requests over HTTP pass. */
const sendHsts: RequestHandler = (request, response, next) => {
  if (request.headers['x-forwarded-proto'] === 'https')
    response.setHeader('strict-transport-security', 'max-age=63072000');
  next();
};

const hourSeconds = 3_600;

/** Without credentials, as the API reads no cookies, and not for the console. An OPTIONS that is no preflight passes. */
function allowOrigins(origins: readonly string[]): RequestHandler {
  const exposedHeaders = ['idempotency-replayed', 'link', 'location', 'retry-after', 'x-request-id'];
  const limits = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-service-key-problem'];
  const allow = cors({ origin: [...origins], exposedHeaders: [...exposedHeaders, ...limits], maxAge: hourSeconds });
  return (request, response, next) =>
    request.method === 'OPTIONS' && request.headers['access-control-request-method'] === undefined
      ? next()
      : allow(request, response, next);
}

function ownOperation({ ownOperations }: GatewayDependencies, id: string): RequestHandler {
  const work = ownOperations[id];
  if (work === undefined) throw new Error(`The gateway owns ${id} and does not implement it.`);
  return work;
}

function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

interface ServedOperation {
  readonly operation: PublicOperation;
  readonly handlers: readonly RequestHandler[];
}

/**
 * One route per path of the documents: its operations, then a refusal of every other method. A fixed segment precedes a
 * parameter in its place, as in OpenAPI: GET /v2/bots/batch does not match GET /v2/bots/{bot_id}.
 */
function serve(app: Express, admitted: readonly RequestHandler[], served: readonly ServedOperation[]): void {
  const byPath = Map.groupBy(served, ({ operation }) => expressPath(operation.path));
  const paths = [...byPath].toSorted(([a], [b]) => (specificity(a) < specificity(b) ? -1 : 1));
  for (const [path, operations] of paths) {
    const route = app.route(path);
    for (const { operation, handlers } of operations) route[operation.method](...handlers);
    const methods = operations.flatMap(({ operation: { method } }) =>
      method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
    );
    route.all(...admitted, refuseMethod(methods));
  }
}

/** Sorts fixed segments before parameters, from the first segment on. */
const specificity = (path: string): string =>
  path
    .split('/')
    .map((segment) => (segment.startsWith(':') ? '1' : '0'))
    .join('');

/** A known path with an unsupported method. OPTIONS succeeds: it requests the supported methods. */
function refuseMethod(methods: readonly string[]): RequestHandler {
  return (request, response) => {
    response.setHeader('allow', [...methods, 'OPTIONS'].join(', '));
    if (request.method !== 'OPTIONS') throw fail('METHOD_NOT_ALLOWED');
    response.status(204).end();
  };
}

/**
 * Limits `handlers` to paths below /v2 and requests with a key: there, unknown paths are disclosed to full-access keys
 * only.
 */
function onlyStrangePaths(handlers: readonly RequestHandler[]): RequestHandler[] {
  return handlers.map(
    (handler): RequestHandler =>
      (request, response, next) =>
        /^\/v2(?:\/|$)/i.test(request.path) || request.headers[keyHeader] !== undefined
          ? handler(request, response, next)
          : next(),
  );
}

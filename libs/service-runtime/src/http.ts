import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import express from 'express';
import type { ErrorRequestHandler, Express, NextFunction, Request, RequestHandler, Response } from 'express';
import { asFailure, fail, toEnvelope } from '@rapporteur/failures';
import type { Failure } from '@rapporteur/failures';
import { withDeadline } from '@rapporteur/async';
import { followConnections } from './connections.ts';
import { bodyDeadlineMs } from './json-body.ts';
import type { Service, Listening, ListenOptions } from './service.ts';
import { runtimeMetrics } from './runtime-metrics.ts';

interface Readiness {
  readonly ready: boolean;
  /** States by dependency; for operators of the service. */
  readonly checks: Readonly<Record<string, string>>;
}

interface Report {
  readonly readiness: Promise<Readiness>;
  staleAtMs: number;
}

/** Public requests are unlimited: the dependencies are checked once in this time, one round after the other. */
const freshMs = 1_000;
const reports = new WeakMap<Service, Report>();

async function readinessOf(service: Service): Promise<Readiness> {
  const { ready, checks } = await recentReport(service);
  return service.stopping ? { ready: false, checks: { service: 'stopping', ...checks } } : { ready, checks };
}

function recentReport(service: Service): Promise<Readiness> {
  const last = reports.get(service);
  if (last !== undefined && performance.now() < last.staleAtMs) return last.readiness;
  const report: Report = { readiness: checkParts(service), staleAtMs: Infinity };
  reports.set(service, report);
  void report.readiness.then(() => (report.staleAtMs = performance.now() + freshMs));
  return report.readiness;
}

/** Never rejects. */
async function checkParts(service: Service): Promise<Readiness> {
  const checks: Record<string, string> = {};
  let ready = true;
  for (const [what, check] of service.readinessChecks) {
    try {
      await withDeadline(check(), 2_000, `Checking ${what}`);
      checks[what] = 'ok';
    } catch (error) {
      ready = false;
      checks[what] = 'not reachable';
      service.logger.warn({ err: error, what }, `${what} is not ready.`);
    }
  }
  return { ready, checks };
}

const requestIds = new WeakMap<Request, string>();
const fieldsOf = new WeakMap<Request, Record<string, unknown>>();

/** The id of this request in the logs of every service that handles it. */
export function requestIdOf(request: Request): string {
  return requestIds.get(request) ?? 'unknown';
}

/** Adds facts (team, bot, outcome) to the one log line of this request. */
export function addToLog(request: Request, fields: Record<string, unknown>): void {
  Object.assign(fieldsOf.get(request) ?? {}, fields);
}

/**
 * An Express app with request ids, tracing, one wide log line per request, /health/live, /health/ready and /metrics.
 * For a public port switch off `showsMetrics` and `namesChecks`, and show both on another app of the service. Add
 * routes, then `sendFailures(service)` last.
 */
export function createApp(service: Service, { showsMetrics = true, namesChecks = true } = {}): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.use(observed(service));
  app.get('/health/live', (_request, response) => {
    response.json({ status: 'alive' });
  });
  app.get('/health/ready', async (_request, response) => {
    const report = await readinessOf(service);
    response.status(report.ready ? 200 : 503).json(namesChecks ? report : { ready: report.ready });
  });
  if (showsMetrics)
    app.get('/metrics', async (request, response) => {
      const { contentType, text } = await service.metrics.render(request.headers.accept);
      response.setHeader('content-type', contentType);
      response.end(text);
    });
  return app;
}

const quietPaths = new Set(['/health/live', '/health/ready', '/metrics']);

function observed(service: Service): RequestHandler {
  const tracer = trace.getTracer(service.name);
  const { httpDurations } = service.metrics.declare(runtimeMetrics);
  return (request: Request, response: Response, next: NextFunction) => {
    const given = request.headers['x-request-id'];
    const requestId = typeof given === 'string' && /^[\w.:-]{1,100}$/.test(given) ? given : randomUUID();
    requestIds.set(request, requestId);
    fieldsOf.set(request, {});
    response.setHeader('x-request-id', requestId);
    if (quietPaths.has(request.path)) return next();
    const startedAt = performance.now();
    const parent = propagation.extract(context.active(), request.headers);
    const span = tracer.startSpan(request.method, { kind: SpanKind.SERVER }, parent);
    response.on('close', () => {
      const route = routeOf(request);
      const durationMs = performance.now() - startedAt;
      const outcome = response.writableFinished ? 'answered' : 'aborted';
      const labels = { method: request.method, route, status: String(response.statusCode) };
      context.with(trace.setSpan(parent, span), () => httpDurations.observe(labels, durationMs / 1_000));
      span.updateName(`${request.method} ${route}`);
      if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
      const line = {
        requestId,
        method: request.method,
        route,
        status: response.statusCode,
        durationMs: Math.round(durationMs),
        outcome,
        ...fieldsOf.get(request),
      };
      service.logger[response.statusCode >= 500 ? 'error' : 'info'](
        line,
        `${request.method} ${route} ${response.statusCode}`,
      );
    });
    context.with(trace.setSpan(parent, span), next);
  };
}

/** The route pattern, never the path: paths contain ids and would create unlimited metric series. */
function routeOf(request: Request): string {
  const pattern = (request.route as { path?: string } | undefined)?.path;
  return pattern === undefined ? 'unmatched' : `${request.baseUrl}${pattern}`;
}

interface BodyParserError {
  readonly type?: string;
  readonly status?: number;
}

function asBodyFailure(thrown: unknown): Failure | null {
  const { type, status } = (thrown ?? {}) as BodyParserError;
  if (type === 'entity.parse.failed') return fail('VALIDATION', { message: 'The body is not valid JSON.' });
  if (type === 'entity.too.large') return fail('BODY_TOO_LARGE');
  if (type === 'encoding.unsupported' || type === 'charset.unsupported') return fail('UNSUPPORTED_MEDIA_TYPE');
  if (type === 'request.aborted' || type === 'request.size.invalid')
    return fail('VALIDATION', { message: 'The body is incomplete.' });
  // Express raises these for a path with invalid percent-encoding.
  if (thrown instanceof URIError || status === 400) return fail('VALIDATION', { message: 'The path is not valid.' });
  return null;
}

/**
 * The last handlers of an app: 404 for a request that no route handled, and the error envelope for everything thrown.
 * `link`: the header of that name, where the errors of an app have a page.
 */
export function sendFailures(
  service: Service,
  { link }: { readonly link?: string } = {},
): [RequestHandler, ErrorRequestHandler] {
  const { httpFailures } = service.metrics.declare(runtimeMetrics);
  const notFound: RequestHandler = () => {
    throw fail('NOT_FOUND');
  };
  const onError: ErrorRequestHandler = (thrown: unknown, request, response, _next) => {
    const failure = asBodyFailure(thrown) ?? asFailure(thrown, requestIdOf(request));
    httpFailures.inc({ code: failure.code });
    addToLog(request, {
      failure: failure.code,
      ...(failure.statusCode < 500 ? {} : { err: failure.cause ?? failure }),
    });
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (failure.retryAfterSeconds !== null) response.setHeader('retry-after', String(failure.retryAfterSeconds));
    if (link !== undefined) response.setHeader('link', link);
    response.status(failure.statusCode).json(toEnvelope(failure));
  };
  return [notFound, onError];
}

const unreadable: Readonly<Record<string, () => Failure>> = {
  HPE_HEADER_OVERFLOW: () => fail('HEADERS_TOO_LARGE'),
  ERR_HTTP_REQUEST_TIMEOUT: () => fail('REQUEST_TIMEOUT'),
};

/** A request that Node cannot parse does not reach the app: the response is sent here, in the same envelope. */
function respondToUnreadable(
  error: NodeJS.ErrnoException,
  socket: Duplex & { _httpMessage?: ServerResponse | null },
): void {
  const isResponding = socket._httpMessage?.headersSent === true;
  if (!socket.writable || isResponding || error.code === 'ECONNRESET') return void socket.destroy();
  const failure =
    unreadable[error.code ?? '']?.() ?? fail('VALIDATION', { message: 'This is not a valid HTTP request.' });
  const body = JSON.stringify(toEnvelope(failure));
  const head = [
    `HTTP/1.1 ${failure.statusCode} ${failure.entry.error}`,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${randomUUID()}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** The gateway's response timeout is 15 s; no caller waits longer. */
const usualDrainMs = 16_000;

/**
 * Starts an HTTP server for the app and registers its stop: new connections are refused at once, open requests get
 * `drainMs`.
 */
export async function listen(service: Service, app: Express, options: ListenOptions): Promise<Listening> {
  const { drainMs = usualDrainMs, restOfBodyMs = bodyDeadlineMs } = options;
  const server = createServer({ requestTimeout: 60_000, headersTimeout: 15_000, keepAliveTimeout: 20_000 });
  const connections = followConnections(server, { isStopping: () => service.stopping, restOfBodyMs });
  server.on('request', app);
  server.on('clientError', respondToUnreadable);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => resolve());
  });
  service.onStop('HTTP server', () => connections.drain(drainMs), drainMs + 2_000);
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  service.logger.info({ port }, `${service.name} listens on http://${host}:${port}`);
  return { url: `http://${host}:${port}`, port };
}

export { repeatUntilStopped, systemClock, withDeadline } from '@rapporteur/async';
export type { Clock, Repetition, RepetitionOptions } from '@rapporteur/async';
export {
  adminConfig,
  busConfig,
  busTlsConfig,
  ConfigurationError,
  databaseConfig,
  durationMs,
  flag,
  httpConfig,
  httpUrl,
  integer,
  internalAuthConfig,
  outboundConfig,
  proxyConfig,
  proxyExceptions,
  loadConfig,
  runtimeConfig,
  secret,
  textList,
  variableName,
  withDefault,
  withoutEndingSlashes,
} from './config.ts';
export type { ConfigOf, ConfigShape, LogLevel } from './config.ts';
export { dateTime, parseDateTime } from './date-time.ts';
export { forwardRequest } from './forward-request.ts';
export { addToLog, createApp, requestIdOf, sendFailures } from './http.ts';
export type { Listening, ListenOptions } from './service.ts';
export { createClient, serveCall } from './internal-calls.ts';
export type { InternalClient } from './internal-calls.ts';
export { callerOf, createInternalAuth, teamOf } from './internal-auth.ts';
export type { Caller, InternalAuth, InternalRequest, Permission, User } from './internal-auth.ts';
export { jsonBody } from './json-body.ts';
export { createLogger } from './logger.ts';
export type { Logger } from './logger.ts';
export { createMetrics } from './metrics.ts';
export type { Metrics } from './metrics.ts';
export { defineMetrics } from './metric-definitions.ts';
export type { Handles, MetricDefinition, MetricDefinitions } from './metric-definitions.ts';
export { runtimeMetrics } from './runtime-metrics.ts';
export { pageOf, readCursor, readPlace, writeCursor } from './page-cursor.ts';
export type { Page, PageCursor } from './page-cursor.ts';
export { servePublic } from './public-routes.ts';
export type { BodyOf, PublicCall, QueryOf } from './public-routes.ts';
export { fieldName, idOf, invalid, memberOf, readInput } from './read-input.ts';
export { createService, runService } from './run-service.ts';
export type { ServiceDefinition } from './run-service.ts';
export type { Service } from './service.ts';
export { Secret } from './secret.ts';
export { startTracing } from './tracing.ts';

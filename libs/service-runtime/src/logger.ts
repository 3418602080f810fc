import { isSpanContextValid, trace } from '@opentelemetry/api';
import { pino, stdSerializers } from 'pino';
import type { DestinationStream, Logger as PinoLogger } from 'pino';
import type { LogLevel } from './config.ts';

/** Writes one line: fields, then a plain sentence. An error goes under `err`. */
type Write = (fields: object, message: string) => void;

export interface Logger {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
  /** A logger that adds these fields to every line. */
  child(fields: object): Logger;
}

/** Header and field names whose values are never logged, anywhere in the first three levels. */
const secretFields: ReadonlySet<string> = new Set([
  'authorization',
  'x-service-api-key',
  'x-service-secret',
  'cookie',
  'password',
  'secret',
  'token',
  'grant',
  'ticket',
]);
const searchedLevels = 3;
const censor = '••••••';

/** JSON lines on standard output, with service, trace id and level name. */
export function createLogger(service: string, level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { service },
    messageKey: 'message',
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: Record<string, unknown>) => withoutSecrets(fields, searchedLevels),
    },
    serializers: { err: (error: Error) => withoutSecrets(stdSerializers.err(error), searchedLevels - 1) },
    mixin: () => {
      const context = trace.getActiveSpan()?.spanContext();
      return context !== undefined && isSpanContextValid(context) ? { traceId: context.traceId } : {};
    },
  };
  return guarded(destination === undefined ? pino(options) : pino(options, destination));
}

/** Fields of a child are written as they were given: they are redacted here. */
function guarded(logger: PinoLogger): Logger {
  const child = (fields: object) => guarded(logger.child(withoutSecrets(fields, searchedLevels)));
  return Object.assign(Object.create(logger) as PinoLogger, { child });
}

/**
 * The value itself when it contains no secret, which is the usual case: a copy of each line would be most of its cost.
 */
function withoutSecrets<T extends object>(value: T, levels: number): T {
  let copy: Record<string, unknown> | undefined;
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    const safe = secretFields.has(name)
      ? censor
      : isSearched(member, levels)
        ? withoutSecrets(member, levels - 1)
        : member;
    if (safe === member) continue;
    copy ??= (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string, unknown>;
    copy[name] = safe;
  }
  return (copy ?? value) as T;
}

/** Errors are redacted once they are serialized as plain fields. */
function isSearched(member: unknown, levels: number): member is object {
  return levels > 1 && typeof member === 'object' && member !== null && !(member instanceof Error);
}

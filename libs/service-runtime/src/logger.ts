import { types } from 'node:util';
import { isSpanContextValid, trace } from '@opentelemetry/api';
import { pino } from 'pino';
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
    // In place of pino's own, which copies all members of an error.
    serializers: { err: (value: unknown) => value },
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
    const safe = secretFields.has(name) ? censor : withoutSecretMembers(member, levels);
    if (safe === member) continue;
    copy ??= (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string, unknown>;
    copy[name] = safe;
  }
  return (copy ?? value) as T;
}

function withoutSecretMembers(member: unknown, levels: number): unknown {
  if (isError(member)) return errorFields(member, causesShown);
  return levels > 1 && typeof member === 'object' && member !== null ? withoutSecrets(member, levels - 1) : member;
}

/** Also of another realm. */
const isError = (value: unknown): value is Error => types.isNativeError(value) || value instanceof Error;

const causesShown = 5;
const longestMessage = 2_000;

/**
 * An error in a log line: its type, message, stack, code, and of a failed statement the constraint and the text. All
 * other members are left out: libraries keep parameters, headers and bodies there.
 */
function errorFields(error: Error, levels: number): Record<string, unknown> {
  const { code, constraint, query, cause, errors } = error as Error & Record<string, unknown>;
  const nested = (value: unknown) => (isError(value) && levels > 1 ? errorFields(value, levels - 1) : undefined);
  return {
    type: error.name === 'Error' ? error.constructor.name : error.name,
    message: withoutInput(error),
    // The first lines of a stack repeat the message.
    stack: error.stack?.slice(error.stack.indexOf('\n    at ') + 1, longestMessage * 2),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
    ...(typeof query === 'string' ? { statement: query.slice(0, longestMessage) } : {}),
    cause: nested(cause),
    ...(Array.isArray(errors) ? { errors: errors.slice(0, causesShown).map(nested) } : {}),
  };
}

/** The message without what PostgreSQL (class 22), V8 and URL parsers quote in it of their input. */
function withoutInput(error: Error): string {
  const { code } = error as { readonly code?: unknown };
  const quotesInput = error instanceof SyntaxError || (typeof code === 'string' && /^22[\dA-Z]{3}$/.test(code));
  const message = error.message.slice(0, longestMessage);
  const shown = quotesInput ? (/^[^"':]*/.exec(message)?.[0] ?? '') : message;
  return shown.replaceAll(/(\bhttps?:\/\/)[^\s"'<>]*/gi, (address) => {
    if (!URL.canParse(address)) return '(an address)';
    const { origin, pathname } = new URL(address);
    return `${origin}${pathname}`;
  });
}

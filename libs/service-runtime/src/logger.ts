import { isSpanContextValid, trace } from '@opentelemetry/api';
import { pino } from 'pino';
import type { DestinationStream } from 'pino';
import type { LogLevel } from './config.ts';

/** Writes one line: facts as fields, then a sentence a person understands. An error goes under `err`. */
type Write = (fields: object, message: string) => void;

export interface Logger {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
  /** A logger that adds these fields to every line. */
  child(fields: object): Logger;
}

/** Header and field names whose values never reach a log, wherever they sit in the first three levels. */
const secretFields = [
  'authorization',
  'x-service-api-key',
  'x-service-secret',
  'cookie',
  'password',
  'secret',
  'token',
  'grant',
  'ticket',
];

/** JSON lines on standard output, with service, trace id and level in words. */
export function createLogger(service: string, level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { service },
    messageKey: 'message',
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    mixin: () => {
      const context = trace.getActiveSpan()?.spanContext();
      return context !== undefined && isSpanContextValid(context) ? { traceId: context.traceId } : {};
    },
    redact: {
      paths: secretFields.flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`]),
      censor: '••••••',
    },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

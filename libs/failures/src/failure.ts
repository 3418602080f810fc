import { catalogue } from './catalogue.ts';
import type { CatalogueEntry, FailureCode } from './catalogue.ts';

export interface FailureOptions {
  /** Replaces the catalogue's sentence; must be safe to show to the caller. */
  readonly message?: string;
  /** Details for the caller, for example every invalid field. Safe to show. */
  readonly details?: string;
  readonly retryAfterSeconds?: number;
  /** For the log only; never sent. */
  readonly cause?: unknown;
}

/** A failure of the catalogue. Raise it with `throw fail('BOT_NOT_FOUND')`. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly details: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(code: FailureCode, options: FailureOptions = {}) {
    super(options.message ?? catalogue[code].sentence, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'Failure';
    this.code = code;
    this.details = options.details ?? null;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }

  get entry(): CatalogueEntry {
    return catalogue[this.code];
  }
  get statusCode(): number {
    return this.entry.status;
  }
  get fault(): CatalogueEntry['fault'] {
    return this.entry.fault;
  }
  get retryable(): boolean {
    return this.entry.retryable;
  }
}

export function fail(code: FailureCode, options: FailureOptions = {}): Failure {
  return new Failure(code, options);
}

/** The error body of specification 7.1. */
export interface ErrorEnvelope {
  readonly success: false;
  readonly error: string;
  readonly code: string;
  readonly statusCode: number;
  readonly message: string | null;
  readonly details?: string | null;
  readonly retryAfter?: number;
}

/** FORBIDDEN's body is defined by the specification (5.4); the validation variant has no details (7.1). */
const withoutDetails: ReadonlySet<FailureCode> = new Set(['FORBIDDEN', 'VALIDATION']);

/** The response body for this failure. */
export function toEnvelope(failure: Failure): ErrorEnvelope {
  const { error, wireCode, status } = failure.entry;
  return {
    success: false,
    error,
    code: wireCode,
    statusCode: status,
    message: failure.message,
    ...(withoutDetails.has(failure.code) ? {} : { details: failure.details }),
    ...(failure.retryAfterSeconds === null ? {} : { retryAfter: failure.retryAfterSeconds }),
  };
}

const byWireCode = new Map(Object.entries(catalogue).map(([code, { wireCode }]) => [wireCode, code as FailureCode]));
const mostShown = 1_000;

/** The caller's failure that a body of `toEnvelope` states; null: another body, or a failure of the service itself. */
export function callerFailureOf(body: unknown): Failure | null {
  const { code, message } = (body ?? {}) as Partial<Record<'code' | 'message', unknown>>;
  const known = typeof code === 'string' ? byWireCode.get(code) : undefined;
  if (known === undefined || catalogue[known].fault !== 'caller') return null;
  return fail(known, typeof message === 'string' ? { message: message.slice(0, mostShown) } : {});
}

/**
 * Converts anything thrown into a failure of the catalogue. A foreign error becomes INTERNAL with only the request id;
 * the original is the cause, for the log.
 */
export function asFailure(thrown: unknown, requestId?: string): Failure {
  if (thrown instanceof Failure) return thrown;
  return fail('INTERNAL', {
    cause: thrown,
    ...(requestId === undefined ? {} : { details: `request id ${requestId}` }),
  });
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { context, propagation } from '@opentelemetry/api';
import { fail } from '@rapporteur/failures';
import type { Secret } from './secret.ts';

export type Permission = 'full' | 'sending';

/** Who calls an internal route, and for whom. */
export interface Caller {
  readonly service: string;
  readonly teamId: string | null;
  readonly permission: Permission | null;
  readonly requestId: string | null;
}

export interface TokenSubject {
  readonly audience: string;
  readonly teamId?: string;
  readonly permission?: Permission;
  readonly requestId?: string;
}

export interface InternalRequest extends RequestInit {
  readonly teamId?: string;
  readonly permission?: Permission;
  readonly requestId?: string;
  /** Total time for the response; default 10 000. */
  readonly timeoutMs?: number;
}

const lifetimeSeconds = 30;
/** How far the clocks of two machines of one deployment may be apart. */
const toleranceSeconds = 5;
/** The only header there is: a token that names any other algorithm is not ours. */
const tokenHeader = Buffer.from('{"alg":"HS256"}').toString('base64url');
const callers = new WeakMap<Request, Caller>();

/** Signed, short-lived tokens between the services of one deployment. */
export interface InternalAuth {
  /** A token that only `audience` accepts, for 30 seconds. */
  sign(subject: TokenSubject): Promise<string>;
  /** What a call carries in its headers: token, trace and request id. */
  headersFor(subject: TokenSubject): Record<string, string>;
  /** Lets only these services in; anything else is INTERNAL_TOKEN_REJECTED. The caller is then in `callerOf(req)`. */
  require(services: readonly string[]): RequestHandler;
  /** fetch with token, trace, request id and deadline. Rejects like fetch does, and with TimeoutError. */
  fetch(audience: string, url: string, init?: InternalRequest): Promise<Response_>;
}
type Response_ = globalThis.Response;

export function createInternalAuth(service: string, secret: Secret): InternalAuth {
  const key = secret.reveal();
  const signatureOf = (text: string) => createHmac('sha256', key).update(text).digest();

  const token = (subject: TokenSubject): string => {
    const nowSeconds = Math.floor(Date.now() / 1_000);
    const claims = {
      team: subject.teamId,
      permission: subject.permission,
      request: subject.requestId,
      iss: service,
      aud: subject.audience,
      iat: nowSeconds,
      exp: nowSeconds + lifetimeSeconds,
    };
    const signed = `${tokenHeader}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
    return `${signed}.${signatureOf(signed).toString('base64url')}`;
  };

  const headersFor = (subject: TokenSubject): Record<string, string> => {
    const headers: Record<string, string> = { authorization: `Bearer ${token(subject)}` };
    if (subject.requestId !== undefined) headers['x-request-id'] = subject.requestId;
    propagation.inject(context.active(), headers);
    return headers;
  };

  const verify = (header: string | undefined, services: readonly string[]): Caller => {
    const claims = openToken(header, signatureOf);
    const nowSeconds = Date.now() / 1_000;
    const fits =
      claims?.aud === service &&
      typeof claims.iss === 'string' &&
      services.includes(claims.iss) &&
      typeof claims.exp === 'number' &&
      claims.exp + toleranceSeconds > nowSeconds;
    if (!fits) throw fail('INTERNAL_TOKEN_REJECTED');
    return {
      service: claims.iss as string,
      teamId: claims.team ?? null,
      permission: claims.permission ?? null,
      requestId: claims.request ?? null,
    };
  };

  return {
    sign: (subject) => Promise.resolve(token(subject)),
    headersFor,
    require: (services) => (request: Request, _response: Response, next: NextFunction) => {
      callers.set(request, verify(request.headers.authorization, services));
      next();
    },
    fetch: async (audience, url, init = {}) => {
      const { teamId, permission, requestId, timeoutMs = 10_000, ...rest } = init;
      const headers = new Headers(rest.headers);
      const subject = {
        audience,
        ...(teamId === undefined ? {} : { teamId }),
        ...(permission === undefined ? {} : { permission }),
        ...(requestId === undefined ? {} : { requestId }),
      };
      for (const [name, value] of Object.entries(headersFor(subject))) headers.set(name, value);
      const deadline = AbortSignal.timeout(timeoutMs);
      const signal = rest.signal == null ? deadline : AbortSignal.any([rest.signal, deadline]);
      return fetch(url, { ...rest, headers, signal, redirect: 'error' });
    },
  };
}

interface Claims {
  readonly iss?: unknown;
  readonly aud?: unknown;
  readonly exp?: unknown;
  readonly team?: string;
  readonly permission?: Permission;
  readonly request?: string;
}

/** The claims of a JSON Web Token that this key signed; null for anything else, another algorithm included. */
function openToken(header: string | undefined, signatureOf: (text: string) => Buffer): Claims | null {
  const [head, body, signature, ...rest] = header?.startsWith('Bearer ') === true ? header.slice(7).split('.') : [];
  if (head !== tokenHeader || body === undefined || signature === undefined || rest.length > 0) return null;
  const given = Buffer.from(signature, 'base64url');
  const wanted = signatureOf(`${head}.${body}`);
  if (given.byteLength !== wanted.byteLength || !timingSafeEqual(given, wanted)) return null;
  return JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Claims;
}

/** The caller that `require` let in. Throws when the route forgot to require one: that is a programming error. */
export function callerOf(request: Request): Caller {
  const caller = callers.get(request);
  if (caller === undefined) throw new Error('This route reads its caller but lets nobody in: add auth.require().');
  return caller;
}

/** The team the call is made for; INTERNAL_TOKEN_REJECTED when the token names none. */
export function teamOf(request: Request): string {
  const { teamId } = callerOf(request);
  if (teamId === null) throw fail('INTERNAL_TOKEN_REJECTED', { message: 'The internal token names no team.' });
  return teamId;
}

import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { context, propagation } from '@opentelemetry/api';
import { fail } from '@rapporteur/failures';
import { jwtVerify, SignJWT } from 'jose';
import type { Secret } from './secret.ts';

export type Permission = 'full' | 'sending';

/** A signed-in user of the console, and their role in the team: a viewer reads, an admin does everything. */
export interface User {
  readonly id: string;
  /** Name in logs. */
  readonly name: string;
  readonly role: 'viewer' | 'member' | 'admin';
}

/** The caller of an internal route, and its team. */
export interface Caller {
  readonly service: string;
  readonly teamId: string | null;
  readonly permission: Permission | null;
  /** The team's API key of the request. */
  readonly keyId: string | null;
  readonly requestId: string | null;
  readonly user: User | null;
}

export interface TokenSubject {
  readonly audience: string;
  readonly teamId?: string;
  readonly permission?: Permission;
  readonly keyId?: string;
  readonly requestId?: string;
  readonly user?: User;
}

export interface InternalRequest extends RequestInit {
  readonly teamId?: string;
  readonly permission?: Permission;
  readonly keyId?: string;
  readonly requestId?: string;
  /** Total time for the response; default 10 000. */
  readonly timeoutMs?: number;
}

const lifetimeSeconds = 30;
/** Tolerated clock skew between two machines of one deployment. */
const toleranceSeconds = 5;
const alg = 'HS256';
const callers = new WeakMap<Request, Caller>();

/** Signed, short-lived tokens between the services of one deployment. */
export interface InternalAuth {
  /** A token that only `audience` accepts, for 30 seconds. */
  sign(subject: TokenSubject): Promise<string>;
  /** Headers of an internal request: token, trace and request id. */
  headersFor(subject: TokenSubject): Promise<Record<string, string>>;
  /**
   * The sender of a header `authorization`; INTERNAL_TOKEN_REJECTED for one that is not signed by these services for
   * this one.
   */
  verify(header: string | undefined, services: readonly string[]): Promise<Caller>;
  /** Admits only these services; anything else is INTERNAL_TOKEN_REJECTED. The caller is then in `callerOf(req)`. */
  require(services: readonly string[]): RequestHandler;
  /** fetch with token, trace, request id and deadline. Rejects like fetch does, and with TimeoutError. */
  fetch(audience: string, url: string, init?: InternalRequest): Promise<Response_>;
}
type Response_ = globalThis.Response;

export function createInternalAuth(service: string, secret: Secret): InternalAuth {
  const bytes = new TextEncoder().encode(secret.reveal());
  // Imported once: jose imports other kinds of keys for each token.
  const importing = crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);

  const sign = async ({ audience, teamId, permission, keyId, requestId, user }: TokenSubject): Promise<string> =>
    new SignJWT({ team: teamId, permission, key: keyId, request: requestId, user })
      .setProtectedHeader({ alg })
      .setIssuer(service)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime(`${lifetimeSeconds} s`)
      .sign(await importing);

  const headersFor = async (subject: TokenSubject): Promise<Record<string, string>> => {
    const headers: Record<string, string> = { authorization: `Bearer ${await sign(subject)}` };
    if (subject.requestId !== undefined) headers['x-request-id'] = subject.requestId;
    propagation.inject(context.active(), headers);
    return headers;
  };

  const verify = async (header: string | undefined, services: readonly string[]): Promise<Caller> => {
    const token = /^Bearer (.+)$/.exec(header ?? '')?.[1] ?? '';
    const { payload } = await jwtVerify<Claims>(token, await importing, {
      algorithms: [alg],
      audience: service,
      issuer: [...services],
      requiredClaims: ['exp'],
      clockTolerance: toleranceSeconds,
    }).catch((cause: unknown) => {
      throw fail('INTERNAL_TOKEN_REJECTED', { cause });
    });
    return {
      service: String(payload.iss),
      teamId: payload.team ?? null,
      permission: payload.permission ?? null,
      keyId: payload.key ?? null,
      requestId: payload.request ?? null,
      user: payload.user ?? null,
    };
  };

  return {
    sign,
    headersFor,
    verify,
    require: (services) => async (request: Request, _response: Response, next: NextFunction) => {
      callers.set(request, await verify(request.headers.authorization, services));
      next();
    },
    fetch: async (audience, url, init = {}) => {
      const { teamId, permission, keyId, requestId, timeoutMs = 10_000, ...rest } = init;
      const headers = new Headers(rest.headers);
      const subject = {
        audience,
        ...(teamId === undefined ? {} : { teamId }),
        ...(permission === undefined ? {} : { permission }),
        ...(keyId === undefined ? {} : { keyId }),
        ...(requestId === undefined ? {} : { requestId }),
      };
      for (const [name, value] of Object.entries(await headersFor(subject))) headers.set(name, value);
      const deadline = AbortSignal.timeout(timeoutMs);
      const signal = rest.signal == null ? deadline : AbortSignal.any([rest.signal, deadline]);
      return fetch(url, { ...rest, headers, signal, redirect: 'error' });
    },
  };
}

interface Claims {
  readonly team?: string;
  readonly permission?: Permission;
  readonly key?: string;
  readonly request?: string;
  readonly user?: User;
}

/** The caller that `require` admitted. Throws when the route does not require one: a programming error. */
export function callerOf(request: Request): Caller {
  const caller = callers.get(request);
  if (caller === undefined) throw new Error('This route reads its caller without authentication: add auth.require().');
  return caller;
}

/** The team of the call; INTERNAL_TOKEN_REJECTED when the token contains none. */
export function teamOf(request: Request): string {
  const { teamId } = callerOf(request);
  if (teamId === null) throw fail('INTERNAL_TOKEN_REJECTED', { message: 'The internal token names no team.' });
  return teamId;
}

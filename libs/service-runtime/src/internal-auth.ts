import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { context, propagation } from '@opentelemetry/api';
import { jwtVerify, SignJWT } from 'jose';
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
  /** Total time for the answer; default 10 000. */
  readonly timeoutMs?: number;
}

const lifetimeSeconds = 30;
const callers = new WeakMap<Request, Caller>();

/** Signed, short-lived tokens between the services of one deployment. */
export interface InternalAuth {
  /** A token that only `audience` accepts, for 30 seconds. */
  sign(subject: TokenSubject): Promise<string>;
  /** Lets only these services in; anything else is INTERNAL_TOKEN_REJECTED. The caller is then in `callerOf(req)`. */
  require(services: readonly string[]): RequestHandler;
  /** fetch with token, trace, request id and deadline. Rejects like fetch does, and with TimeoutError. */
  fetch(audience: string, url: string, init?: InternalRequest): Promise<Response_>;
}
type Response_ = globalThis.Response;

export function createInternalAuth(service: string, secret: Secret): InternalAuth {
  const key = new TextEncoder().encode(secret.reveal());

  const sign = (subject: TokenSubject): Promise<string> =>
    new SignJWT({ team: subject.teamId, permission: subject.permission, request: subject.requestId })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(service)
      .setAudience(subject.audience)
      .setIssuedAt()
      .setExpirationTime(`${lifetimeSeconds}s`)
      .sign(key);

  const verify = async (header: string | undefined, services: readonly string[]): Promise<Caller> => {
    const token = /^Bearer (.+)$/.exec(header ?? '')?.[1];
    if (token === undefined) throw fail('INTERNAL_TOKEN_REJECTED');
    try {
      const { payload } = await jwtVerify(token, key, {
        audience: service,
        issuer: [...services],
        algorithms: ['HS256'],
        clockTolerance: 5,
        requiredClaims: ['exp'],
      });
      return {
        service: String(payload.iss),
        teamId: (payload['team'] as string | undefined) ?? null,
        permission: (payload['permission'] as Permission | undefined) ?? null,
        requestId: (payload['request'] as string | undefined) ?? null,
      };
    } catch (error) {
      throw fail('INTERNAL_TOKEN_REJECTED', { cause: error });
    }
  };

  return {
    sign,
    require: (services) => async (request: Request, _response: Response, next: NextFunction) => {
      callers.set(request, await verify(request.headers.authorization, services));
      next();
    },
    fetch: async (audience, url, init = {}) => {
      const { teamId, permission, requestId, timeoutMs = 10_000, ...rest } = init;
      const headers = new Headers(rest.headers);
      headers.set(
        'authorization',
        `Bearer ${await sign({
          audience,
          ...(teamId === undefined ? {} : { teamId }),
          ...(permission === undefined ? {} : { permission }),
          ...(requestId === undefined ? {} : { requestId }),
        })}`,
      );
      if (requestId !== undefined) headers.set('x-request-id', requestId);
      propagation.inject(context.active(), headers, { set: (carrier, name, value) => carrier.set(name, value) });
      const deadline = AbortSignal.timeout(timeoutMs);
      const signal = rest.signal == null ? deadline : AbortSignal.any([rest.signal, deadline]);
      return fetch(url, { ...rest, headers, signal, redirect: 'error' });
    },
  };
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

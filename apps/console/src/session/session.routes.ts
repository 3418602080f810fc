import { Router } from 'express';
import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import { fail } from '@rapporteur/failures';
import { jsonBody } from '@rapporteur/service-runtime';
import type { SessionCookie } from './session-cookie.ts';
import type { Session, Sessions } from './sessions.ts';

/** Whether the API accepts a key for everything that the console does. Throws UNAVAILABLE without a response. */
export type CheckKey = (apiKey: string) => Promise<boolean>;

export interface SessionDependencies {
  readonly sessions: Sessions;
  readonly cookie: SessionCookie;
  readonly checkKey: CheckKey;
}

const signIn = z.strictObject({ api_key: z.string().trim().min(1).max(200) });

/** Sign in, out, and the state of the session, below `/console/session`. */
export function sessionRoutes({ sessions, cookie, checkKey }: SessionDependencies): Router {
  const router = Router();
  router.post('/', jsonBody({ limitBytes: 4_096 }), async (request, response) => {
    const input = signIn.safeParse(request.body);
    if (!input.success) throw fail('VALIDATION', { message: 'body/api_key: enter an API key.' });
    const { api_key: apiKey } = input.data;
    // A header holds no other characters; and no key has them.
    if (!/^[\w-]+$/.test(apiKey) || !(await checkKey(apiKey))) {
      throw fail('CONSOLE_SIGN_IN', {
        message: 'This API key is not valid, or it may only send bots. Use a key with full permission.',
      });
    }
    const { value, session } = sessions.create(apiKey);
    cookie.set(response, value, session.expiresAt);
    response.json({ success: true, data: describe(session) });
  });
  router.get('/', (request, response) => {
    const session = sessionOf(request, { sessions, cookie });
    response.json({ success: true, data: session === null ? { signed_in: false } : describe(session) });
  });
  router.delete('/', (_request, response) => {
    cookie.clear(response);
    response.json({ success: true, data: { signed_in: false } });
  });
  return router;
}

function describe({ apiKey, expiresAt }: Session) {
  // As the operator's list of keys shows it.
  return { signed_in: true, key_start: apiKey.slice(0, 8), expires_at: new Date(expiresAt).toISOString() };
}

export function sessionOf(
  request: Request,
  { sessions, cookie }: Pick<SessionDependencies, 'sessions' | 'cookie'>,
): Session | null {
  const value = cookie.read(request);
  return value === null ? null : sessions.read(value);
}

const keys = new WeakMap<Request, string>();

/** Lets a request through that belongs to a session; throws CONSOLE_SIGN_IN. */
export function signedInOnly(dependencies: Pick<SessionDependencies, 'sessions' | 'cookie'>): RequestHandler {
  return (request, _response, next) => {
    const session = sessionOf(request, dependencies);
    if (session === null) throw fail('CONSOLE_SIGN_IN');
    keys.set(request, session.apiKey);
    next();
  };
}

/** The API key of a request that `signedInOnly` let through. */
export function apiKeyOf(request: Request): string {
  const key = keys.get(request);
  if (key === undefined) throw new Error('No session was required before.');
  return key;
}

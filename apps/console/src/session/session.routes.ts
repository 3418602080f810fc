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
  /** Name of the identity provider on the sign-in button; null without one. */
  readonly providerName: string | null;
}

const signIn = z.strictObject({ api_key: z.string().trim().min(1).max(200) });
const teamChoice = z.strictObject({ team_id: z.uuid() });

/** Sign in with a key, out, and the state of the session, below `/console/session`. */
export function sessionRoutes(dependencies: SessionDependencies): Router {
  const { sessions, cookie, checkKey, providerName } = dependencies;
  const signedOut = { signed_in: false, provider_name: providerName };
  const router = Router();
  router.post('/', jsonBody({ limitBytes: 4_096 }), async (request, response) => {
    const input = signIn.safeParse(request.body);
    if (!input.success) throw fail('VALIDATION', { message: 'api_key: enter an API key.' });
    const { api_key: apiKey } = input.data;
    // A header allows no other characters, and no key has them.
    if (!/^[\w-]+$/.test(apiKey) || !(await checkKey(apiKey))) {
      throw fail('CONSOLE_SIGN_IN', {
        message: 'This API key is not valid, or it may only send bots. Use a key with full permission.',
      });
    }
    const before = cookie.read(request);
    const { value, session } = await sessions.createForKey(apiKey);
    if (before !== null) await sessions.end(before);
    cookie.set(response, value, session.expiresAt);
    response.json({ success: true, data: describe(session) });
  });
  router.get('/', async (request, response) => {
    const session = await readSession(request, dependencies);
    response.json({ success: true, data: session === null ? signedOut : describe(session) });
  });
  router.post('/team', jsonBody({ limitBytes: 4_096 }), async (request, response) => {
    const input = teamChoice.safeParse(request.body);
    if (!input.success) throw fail('VALIDATION', { message: 'team_id: choose a team.' });
    const session = await readSession(request, dependencies);
    if (session === null) throw fail('CONSOLE_SIGN_IN');
    response.json({ success: true, data: describe(await sessions.chooseTeam(session, input.data.team_id)) });
  });
  router.delete('/', async (request, response) => {
    const value = cookie.read(request);
    const url = value === null ? null : await sessions.end(value);
    cookie.clear(response);
    response.json({ success: true, data: { ...signedOut, ...(url === null ? {} : { sign_out_url: url.href }) } });
  });
  return router;
}

function describe(session: Session) {
  const expires_at = new Date(session.expiresAt).toISOString();
  // The start of a key identifies it in the operator's list of keys.
  if (session.kind === 'key')
    return { signed_in: true, expires_at, role: 'admin', key_start: session.apiKey.slice(0, 8) };
  const { name: user, role, teamId: team_id, teams } = session;
  return { signed_in: true, expires_at, role, user, team_id, teams };
}

async function readSession(
  request: Request,
  { sessions, cookie }: Pick<SessionDependencies, 'sessions' | 'cookie'>,
): Promise<Session | null> {
  const value = cookie.read(request);
  return value === null ? null : sessions.read(value);
}

const known = new WeakMap<Request, Session>();

/** Admits a request that belongs to a session; throws CONSOLE_SIGN_IN. */
export function signedInOnly(dependencies: Pick<SessionDependencies, 'sessions' | 'cookie'>): RequestHandler {
  return async (request, _response, next) => {
    const session = await readSession(request, dependencies);
    if (session === null) throw fail('CONSOLE_SIGN_IN');
    known.set(request, session);
    next();
  };
}

/** The session of a request that `signedInOnly` admitted. */
export function sessionOf(request: Request): Session {
  const session = known.get(request);
  if (session === undefined) throw new Error('No session was required before.');
  return session;
}

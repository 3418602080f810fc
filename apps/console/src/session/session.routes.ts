import { Router } from 'express';
import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import { fail } from '@rapporteur/failures';
import { jsonBody } from '@rapporteur/service-runtime';
import type { Session, Sessions } from './sessions.ts';

/** Whether the API accepts a key for everything that the console does. Throws UNAVAILABLE without a response. */
export type CheckKey = (apiKey: string) => Promise<boolean>;

export interface SessionDependencies {
  readonly sessions: Sessions;
  readonly checkKey: CheckKey;
  /** Name of the identity provider on the sign-in button; null without one. */
  readonly providerName: string | null;
}

const signIn = z.strictObject({ api_key: z.string().trim().min(1).max(200) });
const teamChoice = z.strictObject({ team_id: z.uuid() });

/** Sign in with a key, out, and the state of the session, below `/console/session`. */
export function sessionRoutes(dependencies: SessionDependencies): Router {
  const { sessions, checkKey, providerName } = dependencies;
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
    const session = await sessions.createForKey(request, apiKey);
    response.json({ success: true, data: describe(request, session) });
  });
  router.get('/', async (request, response) => {
    const session = await sessions.read(request);
    response.json({ success: true, data: session === null ? signedOut : describe(request, session) });
  });
  router.post('/team', jsonBody({ limitBytes: 4_096 }), async (request, response) => {
    const input = teamChoice.safeParse(request.body);
    if (!input.success) throw fail('VALIDATION', { message: 'team_id: choose a team.' });
    const session = await sessions.read(request);
    if (session === null) throw fail('CONSOLE_SIGN_IN');
    const chosen = await sessions.chooseTeam(request, session, input.data.team_id);
    response.json({ success: true, data: describe(request, chosen) });
  });
  router.delete('/', async (request, response) => {
    const url = await sessions.end(request, response);
    response.json({ success: true, data: { ...signedOut, ...(url === null ? {} : { sign_out_url: url.href }) } });
  });
  return router;
}

function describe(request: Request, session: Session) {
  const expires_at = request.session.cookie.expires?.toISOString();
  // The start of a key identifies it in the operator's list of keys.
  if (session.kind === 'key')
    return { signed_in: true, expires_at, role: 'admin', key_start: session.apiKey.slice(0, 8) };
  const { name: user, role, teamId: team_id, teams } = session;
  return { signed_in: true, expires_at, role, user, team_id, teams };
}

const known = new WeakMap<Request, Session>();

/** Admits a request that belongs to a session; throws CONSOLE_SIGN_IN. */
export function signedInOnly(sessions: Sessions): RequestHandler {
  return async (request, _response, next) => {
    const session = await sessions.read(request);
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

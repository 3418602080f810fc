import { Router, urlencoded } from 'express';
import type { Request, Response } from 'express';
import { fail, Failure } from '@rapporteur/failures';
import type { Logger } from '@rapporteur/service-runtime';
import * as oidc from 'openid-client';
import type { Sessions } from './sessions.ts';
import type { IdentityProvider } from '../oidc/identity-provider.ts';
import type { SignInCookie } from '../oidc/sign-in-cookie.ts';

export interface OidcDependencies {
  readonly provider: IdentityProvider;
  readonly sessions: Sessions;
  readonly signInCookie: SignInCookie;
  readonly logger: Logger;
  /** Address at which browsers reach the console, without a slash at its end. */
  readonly publicUrl: string;
}

export const callbackPath = '/console/oidc/callback';

/**
 * Sign-in by OpenID Connect, below `/console/oidc`: `start` redirects the browser to the provider (authorization code,
 * PKCE, state, nonce), `callback` receives it back, `backchannel-logout` is called by the provider when a user signed
 * out there.
 */
export function oidcRoutes(dependencies: OidcDependencies): Router {
  const { provider, sessions, signInCookie } = dependencies;
  const router = Router();
  router.get('/start', async (_request, response) => {
    const request = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() };
    const place = await provider.start(request).then(
      ({ href }) => href,
      (error: unknown) => problemAddress(error, dependencies.logger),
    );
    signInCookie.set(response, request);
    response.set('cache-control', 'no-store').redirect(303, place);
  });
  router.get('/callback', async (request, response) => {
    const outcome = await signIn(dependencies, request, response);
    response.set('cache-control', 'no-store').redirect(303, outcome);
  });
  router.post('/backchannel-logout', urlencoded({ extended: false, limit: '64kb' }), async (request, response) => {
    response.set('cache-control', 'no-store');
    const { logout_token: token } = (request.body ?? {}) as { logout_token?: unknown };
    if (typeof token !== 'string') throw fail('VALIDATION', { message: 'logout_token is missing.' });
    await sessions.endOf(await provider.readLogoutToken(token));
    response.status(200).end();
  });
  return router;
}

/** Where the browser is redirected: the console, which shows why a sign-in failed. */
async function signIn(dependencies: OidcDependencies, request: Request, response: Response): Promise<string> {
  const { provider, sessions, signInCookie, logger, publicUrl } = dependencies;
  const kept = signInCookie.take(request, response);
  try {
    if (kept === null)
      throw fail('CONSOLE_SIGN_IN', { message: 'The sign-in took too long or began elsewhere.', details: 'late' });
    const { search } = new URL(request.originalUrl, publicUrl);
    const user = await provider.finish(new URL(`${publicUrl}${callbackPath}${search}`), kept);
    await sessions.createForUser(request, user);
    return '/console';
  } catch (error) {
    return problemAddress(error, logger);
  }
}

/** The sign-in page, with a code only: a forged address must not choose the text of the page. */
function problemAddress(error: unknown, logger: Logger): string {
  if (!(error instanceof Failure)) throw error;
  logger.warn({ err: error }, 'A sign-in was refused.');
  const problem = error.code === 'UNAVAILABLE' ? 'unavailable' : (error.details ?? 'refused');
  return `/console?${new URLSearchParams({ sign_in_problem: problem })}`;
}

import { Router } from 'express';
import type { Request, Response } from 'express';
import { signInTicketCookie } from '@rapporteur/contracts';
import type { internalCalls, SsoPage } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import { invalid } from '@rapporteur/service-runtime';
import type { InternalClient } from '@rapporteur/service-runtime';

const root = '/v2/meet-sso';
const signInPath = `${root}/sign-in`;
const signOutPath = `${root}/sign-out`;

/** Client of sso-idp's pages. */
export type SsoPages = InternalClient<typeof internalCalls.ssoPages>;

/**
 * The identity provider's endpoints for browsers, which carry no API key. The parameters and the ticket are validated by
 * sso-idp.
 */
export function meetSsoRoutes({ signIn, signOut }: SsoPages): Router {
  const router = Router();
  // Express routes HEAD to GET, which would consume a ticket.
  router.head([signInPath, signOutPath], refuseMethod);
  router.get(signInPath, async (request, response) => {
    sendPage(response, await signIn({ ...samlParametersOf(request), ticket: cookieOf(request) }));
  });
  router.get(signOutPath, async (request, response) => {
    response.clearCookie(signInTicketCookie, { path: root });
    sendPage(response, await signOut(samlParametersOf(request)));
  });
  router.all([signInPath, signOutPath], refuseMethod);
  return router;
}

function refuseMethod(_request: Request, response: Response): never {
  response.set('allow', 'GET');
  throw fail('METHOD_NOT_ALLOWED');
}

function samlParametersOf(request: Request) {
  return { samlRequest: onlyParameter(request, 'SAMLRequest'), relayState: onlyParameter(request, 'RelayState') };
}

function sendPage(response: Response, { status, html, policy, location }: SsoPage): void {
  if (location !== null) response.set('location', location);
  response
    .status(status)
    .set({ 'cache-control': 'no-store', 'content-security-policy': policy, 'x-content-type-options': 'nosniff' })
    .type('text/html')
    .send(html);
}

/** Null when the parameter is missing. Throws VALIDATION when it is repeated. */
function onlyParameter(request: Request, name: string): string | null {
  const [, query = ''] = request.originalUrl.split('?', 2);
  const values = new URLSearchParams(query).getAll(name);
  if (values.length > 1) throw invalid(name, 'It must be present once.');
  return values[0] ?? null;
}

function cookieOf(request: Request): string | null {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
  const values = pairs.filter(([name]) => name === signInTicketCookie).map(([, value = '']) => value);
  return values.length === 1 ? (values[0] ?? null) : null;
}

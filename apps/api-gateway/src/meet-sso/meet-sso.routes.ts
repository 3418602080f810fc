import { Router } from 'express';
import type { Request, Response } from 'express';
import type { internalCalls, SsoPage } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import type { InternalClient } from '@rapporteur/service-runtime';

const root = '/v2/meet-sso';
const signInPath = `${root}/sign-in`;
const signOutPath = `${root}/sign-out`;
/** Cookie in which a bot's browser carries its sign-in ticket. */
const ticketCookie = 'rapporteur_sign_in';
/** sso-idp refuses longer parameters; they are not forwarded. */
const longestParameter = 20_000;

/** Client of sso-idp's pages. */
export type SsoPages = InternalClient<typeof internalCalls.ssoPages>;

/**
 * The identity provider's endpoints for browsers, which carry no API key: an assertion is issued for a ticket only, and
 * requests without one are refused before they are parsed.
 */
export function meetSsoRoutes({ signIn, signOut }: SsoPages): Router {
  const router = Router();
  // Express routes HEAD to GET, which would consume a ticket.
  router.head([signInPath, signOutPath], refuseMethod);
  router.get(signInPath, async (request, response) => {
    sendPage(response, await signIn({ ...samlParametersOf(request), ticket: cookieOf(request) }));
  });
  router.get(signOutPath, async (request, response) => {
    response.clearCookie(ticketCookie, { path: root });
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

/** Null when the parameter is missing, repeated or too long. */
function onlyParameter(request: Request, name: string): string | null {
  const [, query = ''] = request.originalUrl.split('?', 2);
  const values = new URLSearchParams(query).getAll(name);
  const [value] = values;
  return values.length !== 1 || value === undefined || value.length > longestParameter ? null : value;
}

function cookieOf(request: Request): string | null {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
  const values = pairs.filter(([name]) => name === ticketCookie).map(([, value = '']) => value);
  return values.length === 1 ? (values[0] ?? null) : null;
}

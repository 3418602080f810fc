import { Router } from 'express';
import type { Request, Response } from 'express';
import { internalRoutes, ssoPage } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import type { SendRequest } from '@rapporteur/service-runtime';

const root = '/v2/meet-sso';
/** Name of the cookie in which the browser of a bot carries its sign-in ticket. */
const ticketCookie = 'rapporteur_sign_in';
/** Longer parameters are refused by sso-idp; nothing longer than this is sent to it. */
const longestParameter = 20_000;

/**
 * The identity provider's addresses for browsers, which carry no API key: an assertion is given for a ticket only, and what comes
 * without one is refused before it is parsed.
 */
export function meetSsoRoutes(sendRequest: SendRequest): Router {
  const router = Router();
  router.get(`${root}/sign-in`, async (request, response) => {
    const body = {
      samlRequest: onlyParameter(request, 'SAMLRequest'),
      relayState: onlyParameter(request, 'RelayState'),
      ticket: cookieOf(request),
    };
    const page = await sendRequest({ path: internalRoutes.meetSignIn, body, reply: ssoPage });
    sendPage(response.set('content-security-policy', page.policy), page.status, page.html);
  });
  router.get(`${root}/sign-out`, (_request, response) => {
    response.clearCookie(ticketCookie, { path: root });
    response.set('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
    sendPage(
      response,
      200,
      '<!doctype html><html lang="en"><title>Signed out</title><p>The bot is signed out.</p></html>',
    );
  });
  router.all([`${root}/sign-in`, `${root}/sign-out`], (_request, response) => {
    response.set('allow', 'GET, HEAD');
    throw fail('METHOD_NOT_ALLOWED');
  });
  return router;
}

function sendPage(response: Response, status: number, html: string): void {
  response
    .status(status)
    .set({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    .type('text/html')
    .send(html);
}

/** Null when the parameter is missing, repeated or far too long. */
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

import { setTimeout as sleep } from 'node:timers/promises';
import express from 'express';
import type { Request, Response } from 'express';
import { consentOptions } from './oauth-accounts.ts';
import type { OauthAccounts, OauthResponse, OauthFault } from './oauth-accounts.ts';

/** Zoom's OAuth and the parts of its REST API for stored credentials, as at `zoom.us` and `api.zoom.us`. */
export function oauthRoutes(accounts: OauthAccounts): express.Router {
  const router = express.Router();
  const reply = (at: OauthFault['at'], truth: (request: Request) => OauthResponse) => {
    return async (request: Request, response: Response): Promise<void> => {
      const fault = accounts.takeFault(at);
      if (fault !== null) await sleep(fault.delayMs);
      if (fault?.status === 429) response.setHeader('retry-after', '1');
      const { status, body } = fault?.status === undefined ? truth(request) : outage(fault.status);
      response.status(status).json(body);
    };
  };
  // The real address shows a page of consent to its user; here every request is a consent.
  router.get('/oauth/authorize', (request, response) => {
    const redirectUri = textOf(request.query['redirect_uri']);
    if (!URL.canParse(redirectUri)) return void response.status(400).send('Invalid redirect: (4,700)');
    const { code } = accounts.consent(consentOptions.parse({ redirectUri }));
    const target = new URL(redirectUri);
    target.searchParams.set('code', code);
    if (typeof request.query['state'] === 'string') target.searchParams.set('state', request.query['state']);
    response.redirect(302, target.href);
  });
  router.post(
    '/oauth/token',
    express.urlencoded({ extended: false, limit: 65_536 }),
    reply('token', (request) => accounts.token(appOf(request), (request.body ?? {}) as Record<string, unknown>)),
  );
  router.get(
    '/v2/users/me',
    reply('user', (request) => accounts.user(bearerOf(request))),
  );
  router.get(
    '/v2/users/me/token',
    reply('obf', (request) =>
      request.query['type'] === 'onbehalf'
        ? accounts.mint(bearerOf(request), textOf(request.query['meeting_id']))
        : { status: 400, body: { code: 300, message: 'Invalid field.' } },
    ),
  );
  return router;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function outage(status: number): OauthResponse {
  const message =
    status === 429 ? 'You have reached the maximum per-second rate limit for this API.' : 'Internal error.';
  return { status, body: { code: status, message } };
}

function appOf(request: Request): { readonly id: string; readonly secret: string } {
  const pair = Buffer.from((request.headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString();
  const colon = pair.indexOf(':');
  return { id: pair.slice(0, colon), secret: pair.slice(colon + 1) };
}

function bearerOf(request: Request): string {
  return (request.headers.authorization ?? '').replace(/^Bearer /, '');
}

import express from 'express';
import type { Request, Response } from 'express';
import type { GoogleDomains } from './google-domains.ts';

const sessionCookies = ['SID', 'HSID', 'SSID', '__Secure-1PSID'];

/** The user signed in to Google in the browser of this request; null: none. */
export function googleUserOf(domains: GoogleDomains, request: Request): string | null {
  return domains.userOf(cookieOf(request, 'SID'));
}

/** The pages of `mail.google.com`, `www.google.com` and `accounts.google.com` around a sign-in by SAML. */
export function googleRoutes(domains: GoogleDomains, hostOf: (request: Request) => string): express.Router {
  const router = express.Router();
  const onlyAt = (host: string): express.RequestHandler => {
    return (request, _response, next) => (hostOf(request) === host ? next() : next('route'));
  };
  router.get('/a/:domain', onlyAt('mail.google.com'), async (request, response) => {
    const domain = String(request.params['domain']);
    if (googleUserOf(domains, request) !== null)
      return page(response, { status: 200, title: 'Inbox', sentence: 'You have no new mail.' });
    const address = domains.requestsName(domain) ? null : await domains.signInAddress(domain, mailOf(domain));
    response.redirect(302, address ?? 'https://accounts.google.com/v3/signin/identifier');
  });
  router.get('/v3/signin/identifier', onlyAt('accounts.google.com'), (_request, response) =>
    page(response, { status: 200, title: 'Sign in', sentence: 'Use your Google Account', more: identifierForm }),
  );
  router.post(
    '/v3/signin/identifier',
    onlyAt('accounts.google.com'),
    express.urlencoded({ extended: false, limit: 20_000 }),
    async (request, response) => {
      const [, domain = ''] = textOf((request.body as Record<string, unknown>)['identifier']).split('@');
      if (domains.behaviorOf(domain) === 'asks-more')
        return page(response, {
          status: 200,
          title: 'Keep your account safe',
          sentence: '',
          more: '<input name="phoneNumber">',
        });
      const address = await domains.signInAddress(domain, mailOf(domain));
      if (address !== null) return response.redirect(303, address);
      const sentence = "Couldn't find your Google Account";
      return page(response, { status: 200, title: 'Sign in', sentence, more: identifierForm });
    },
  );
  router.post(
    '/a/:domain/acs',
    onlyAt('www.google.com'),
    express.urlencoded({ extended: false, limit: 200_000 }),
    async (request, response) => {
      const domain = String(request.params['domain']);
      const reply = await domains.take(domain, (request.body ?? {}) as { SAMLResponse?: unknown });
      if (!reply.accepted) return page(response, { status: 403, title: 'Google - Error', sentence: reply.sentence });
      const behavior = domains.behaviorOf(domain);
      if (behavior === 'stalls') return page(response, { status: 200, title: 'Loading', sentence: 'One moment' });
      if (behavior === 'confirms')
        return response.redirect(302, `https://accounts.google.com/speedbump/samlconfirmaccount?s=${reply.session}`);
      startSession(response, reply);
      response.redirect(302, `https://mail.google.com/a/${domain}`);
    },
  );
  router.get('/speedbump/samlconfirmaccount', onlyAt('accounts.google.com'), (request, response) => {
    const session = textOf(request.query['s']);
    const email = domains.userOf(session);
    if (email === null)
      return page(response, { status: 400, title: 'Google - Error', sentence: 'Something went wrong' });
    if (request.query['go'] === undefined) {
      const form = `<form><input type="hidden" name="s" value="${session}"><input type="hidden" name="go" value="1"><button>Continue</button></form>`;
      return page(response, {
        status: 200,
        title: 'Verify it is you',
        sentence: `Do you know this account? ${email}`,
        more: form,
      });
    }
    startSession(response, { email, session });
    page(response, { status: 200, title: 'Google Account', sentence: 'Welcome' });
  });
  return router;
}

const mailOf = (domain: string): string => `https://mail.google.com/a/${domain}`;

/** As Google's: the field of the password is there already, out of sight. */
const identifierForm =
  '<form method="post"><input type="email" id="identifierId" name="identifier"><input type="password" name="hiddenPassword" aria-hidden="true" tabindex="-1" style="position:absolute;opacity:0.01"><div id="identifierNext"><button>Next</button></div></form>';

function startSession(
  response: Response,
  { email, session }: { readonly email: string; readonly session: string },
): void {
  const options = { domain: 'google.com', path: '/', secure: true, sameSite: 'none' } as const;
  for (const name of sessionCookies) response.cookie(name, session, { ...options, httpOnly: true });
  // Pages of the meeting read the signed-in user.
  response.cookie('simulated-account', email, options);
}

function cookieOf(request: Request, name: string): string | undefined {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([key]) => key === name)?.[1];
}

interface ShownPage {
  readonly status: number;
  readonly title: string;
  readonly sentence: string;
  readonly more?: string;
}

function page(response: Response, { status, title, sentence, more = '' }: ShownPage): void {
  response
    .status(status)
    .set('cache-control', 'no-store')
    .type('html')
    .send(
      `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><p>${escaped(sentence)}</p>${more}</html>`,
    );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

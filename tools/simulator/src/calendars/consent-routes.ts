import express from 'express';
import type { Request, Response } from 'express';
import type { CalendarStore, Provider } from './calendar-store.ts';
import type { AuthorizationRequest, Consents } from './consents.ts';
import { textOf } from './provider-requests.ts';

export interface ConsentRouteDependencies {
  readonly store: Pick<CalendarStore, 'all'>;
  readonly consents: Consents;
}

const paths = { google: '/o/oauth2/v2/auth', microsoft: '/:tenant/oauth2/v2.0/authorize' } as const;

/**
 * The authorization endpoint of a provider: a page on which the owner of a simulated account allows or declines. Its
 * form is sent to the same address and redirects to the app.
 */
export function consentRoutes(provider: Provider, { store, consents }: ConsentRouteDependencies): express.Router {
  const router = express.Router();
  router.get(paths[provider], (request, response) => {
    const asked = readRequest(request);
    const refusal = consents.refusalOf(provider, asked);
    if (refusal !== null) return page(response, 400, `<h1>Access blocked</h1><p>${escaped(refusal)}</p>`);
    const emails = store.all().flatMap((one) => (one.provider === provider ? [one.email] : []));
    page(response, 200, form(provider, asked, [...new Set(emails)]));
  });
  router.post(paths[provider], express.urlencoded({ extended: false }), (request, response) => {
    const asked = readRequest(request);
    const refusal = consents.refusalOf(provider, asked);
    if (refusal !== null) return page(response, 400, `<h1>Access blocked</h1><p>${escaped(refusal)}</p>`);
    const body = (request.body ?? {}) as Record<string, unknown>;
    const scopes = [body['scope'] ?? []].flat().map(String);
    const outcome = consents.decide(provider, asked, {
      email: textOf(body['email']),
      isAllowed: body['decision'] === 'allow',
      scopes,
    });
    const target = new URL(asked.redirectUri);
    for (const [name, value] of Object.entries({ ...outcome, state: asked.state }))
      target.searchParams.set(name, value);
    response.redirect(302, target.href);
  });
  return router;
}

function readRequest({ query }: Request): AuthorizationRequest {
  return {
    clientId: textOf(query['client_id']),
    redirectUri: textOf(query['redirect_uri']),
    responseType: textOf(query['response_type']),
    scopes: textOf(query['scope']).split(' ').filter(Boolean),
    state: textOf(query['state']),
    challenge: textOf(query['code_challenge']),
    challengeMethod: textOf(query['code_challenge_method']),
    offline: query['access_type'] === 'offline',
    prompt: textOf(query['prompt']),
  };
}

function form(provider: Provider, { scopes }: AuthorizationRequest, emails: readonly string[]): string {
  const accounts = emails.map((email) => `<option>${escaped(email)}</option>`).join('');
  const boxes = scopes.map((scope) =>
    provider === 'google'
      ? `<p><label><input type="checkbox" name="scope" value="${escaped(scope)}" checked> ${escaped(scope)}</label></p>`
      : `<li>${escaped(scope)}</li>`,
  );
  return `<h1>Rapporteur wants to access your ${provider === 'google' ? 'Google' : 'Microsoft'} account</h1>
<form method="post"><p><label>Account <select name="email" required>${accounts}</select></label></p>${boxes.join('')}
<button name="decision" value="allow">Allow</button> <button name="decision" value="decline" formnovalidate>Cancel</button></form>
<p>This page belongs to the simulator. No real account is involved.</p>`;
}

function page(response: Response, status: number, content: string): void {
  response
    .status(status)
    .type('html')
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><title>Simulated consent</title><body style="font-family:sans-serif;max-width:40em;margin:2em auto;padding:0 1em">${content}`,
    );
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0) ?? 0};`);
}

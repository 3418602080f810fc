import { randomBytes } from 'node:crypto';
import type { SsoPage } from '@rapporteur/contracts';
import type { RequestRefused } from './authn-request.ts';
import type { SignInForm } from './sign-in.ts';

const nothing = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/** A page that posts the response to the service provider by itself. */
export function formPage({ acsUrl, samlResponse, relayState }: SignInForm): SsoPage {
  const nonce = randomBytes(16).toString('base64');
  const hidden = (name: string, value: string) => `<input type="hidden" name="${name}" value="${escaped(value)}">`;
  const fields = [
    hidden('SAMLResponse', samlResponse),
    ...(relayState === null ? [] : [hidden('RelayState', relayState)]),
  ];
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Signing in</title></head><body>
<form method="post" action="${escaped(acsUrl)}">${fields.join('')}<noscript><button>Continue</button></noscript></form>
<script nonce="${nonce}">document.forms[0].submit();</script></body></html>`;
  return { status: 200, html, policy: `${nothing}; script-src 'nonce-${nonce}'`, location: null };
}

export function refusalPage({ message, reason }: RequestRefused): SsoPage {
  return plainPage(reason === 'ticket' ? 403 : 400, 'Sign-in refused', message);
}

/** Redirects to this address where there is one. */
export function signedOutPage(location: string | null): SsoPage {
  const page = plainPage(200, 'Signed out', 'The bot is signed out.');
  return location === null ? page : { ...page, status: 302, location };
}

function plainPage(status: number, title: string, sentence: string): SsoPage {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title></head><body>
<h1>${escaped(title)}</h1><p>${escaped(sentence)}</p></body></html>`;
  return { status, html, policy: nothing, location: null };
}

function escaped(value: string): string {
  return value.replaceAll(/[&<>"'\r\n]/g, (character) => `&#${character.charCodeAt(0)};`);
}

import { randomBytes } from 'node:crypto';
import { Router } from 'express';
import type { Request } from 'express';
import { internalCalls } from '@rapporteur/contracts';
import type { SsoPage } from '@rapporteur/contracts';
import { addToLog, serveCall } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { RequestRefused } from './authn-request.ts';
import { signIn } from './sign-in.ts';
import type { SignInCall, SignInDependencies, SignInForm } from './sign-in.ts';
import { signOut } from './sign-out.ts';

const denyAllPolicy = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/** The identity provider as browsers of bots reach it through the gateway. */
export function ssoRoutes(auth: InternalAuth, dependencies: SignInDependencies): Router {
  const shown = (request: Request, { page, refused }: Reply): SsoPage => {
    if (refused !== null) addToLog(request, { refused });
    return page;
  };
  return Router().use(
    serveCall(auth, internalCalls.ssoPages.signIn, async (call, request) =>
      shown(request, await reply(dependencies, call)),
    ),
    serveCall(auth, internalCalls.ssoPages.signOut, async (call, request) =>
      shown(request, await signOutReply(dependencies, call)),
    ),
  );
}

interface Reply {
  readonly page: SsoPage;
  readonly refused: string | null;
}

async function signOutReply(dependencies: SignInDependencies, call: Omit<SignInCall, 'ticket'>): Promise<Reply> {
  if (call.samlRequest === null) return { page: signedOutPage(null), refused: null };
  try {
    return { page: signedOutPage(await signOut(dependencies, call)), refused: null };
  } catch (error) {
    if (!(error instanceof RequestRefused)) throw error;
    // The user is signed out in any case.
    return { page: signedOutPage(null), refused: error.reason };
  }
}

async function reply(dependencies: SignInDependencies, call: SignInCall): Promise<Reply> {
  try {
    const form = await signIn(dependencies, call);
    return { page: formPage(form), refused: form.refused };
  } catch (error) {
    if (!(error instanceof RequestRefused)) throw error;
    dependencies.logger.warn({ reason: error.reason }, 'A SAML sign-in was refused.');
    return { page: refusalPage(error), refused: error.reason };
  }
}

/** A page that posts the response to the service provider by itself. */
function formPage({ acsUrl, samlResponse, relayState }: SignInForm): SsoPage {
  const nonce = randomBytes(16).toString('base64');
  const hidden = (name: string, value: string) => `<input type="hidden" name="${name}" value="${escaped(value)}">`;
  const fields = [
    hidden('SAMLResponse', samlResponse),
    ...(relayState === null ? [] : [hidden('RelayState', relayState)]),
  ];
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Signing in</title></head><body>
<form method="post" action="${escaped(acsUrl)}">${fields.join('')}<noscript><button>Continue</button></noscript></form>
<script nonce="${nonce}">document.forms[0].submit();</script></body></html>`;
  return { status: 200, html, policy: `${denyAllPolicy}; script-src 'nonce-${nonce}'`, location: null };
}

function refusalPage({ message, reason }: RequestRefused): SsoPage {
  return plainPage(reason === 'ticket' ? 403 : 400, 'Sign-in refused', message);
}

/** Redirects to this address where there is one. */
function signedOutPage(location: string | null): SsoPage {
  const page = plainPage(200, 'Signed out', 'The bot is signed out.');
  return location === null ? page : { ...page, status: 302, location };
}

function plainPage(status: number, title: string, sentence: string): SsoPage {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title></head><body>
<h1>${escaped(title)}</h1><p>${escaped(sentence)}</p></body></html>`;
  return { status, html, policy: denyAllPolicy, location: null };
}

function escaped(value: string): string {
  return value.replaceAll(/[&<>"'\r\n]/g, (character) => `&#${character.charCodeAt(0)};`);
}

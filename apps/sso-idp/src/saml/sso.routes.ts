import { randomBytes, sign } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { Router } from 'express';
import type { Request } from 'express';
import { internalCalls } from '@rapporteur/contracts';
import type { SsoPage } from '@rapporteur/contracts';
import { addToLog, serveCall } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import type { Database } from '@rapporteur/database';
import type { ServiceProvider, WorkspaceRow } from '../schema/login-entities.ts';
import { RequestRefused, readLogoutRequest } from './authn-request.ts';
import type { LogoutRequest } from './authn-request.ts';
import { signIn, checkFreshness, currentPair, signingKeyOf } from './sign-in.ts';
import type { SignInCall, SignInDependencies, SignInForm } from './sign-in.ts';
import { logoutResponse, workspaceOfSession } from './saml-response.ts';

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

type SignOutCall = Pick<SignInCall, 'samlRequest' | 'relayState'>;

const signatureAlgorithm = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
/** The limit in the specification of the binding. */
const longestRelayState = 1_024;

/**
 * The redirect address that responds to a LogoutRequest of a registered service provider (HTTP-Redirect binding). No
 * session ends: a bot's browser has no session of this identity provider.
 * @throws RequestRefused
 */
async function signOut(
  { database, secrets, addresses, now }: Omit<SignInDependencies, 'logger'>,
  { samlRequest, relayState }: SignOutCall,
): Promise<string> {
  if (samlRequest === null) throw new RequestRefused('no-request', 'The SAMLRequest is missing.');
  if ((relayState?.length ?? 0) > longestRelayState)
    throw new RequestRefused('relay-state', 'The RelayState is too long.');
  const request = readLogoutRequest(samlRequest);
  checkFreshness(request, { address: addresses.signOutUrl, nowMs: now() });
  const found = await findLogout(database, request);
  if (found === null) throw new RequestRefused('service-provider', 'No service provider with a logout_url sent this.');
  const { workspace, logoutUrl } = found;
  const xml = logoutResponse({
    issuer: addresses.entityId,
    destination: logoutUrl,
    requestId: request.id,
    nowMs: now(),
  });
  const { key } = signingKeyOf(currentPair(secrets, workspace, now()));
  const response = [`SAMLResponse=${encodeURIComponent(deflateRawSync(Buffer.from(xml)).toString('base64'))}`];
  if (relayState !== null) response.push(`RelayState=${encodeURIComponent(relayState)}`);
  const signed = [...response, `SigAlg=${encodeURIComponent(signatureAlgorithm)}`].join('&');
  const signature = encodeURIComponent(sign('RSA-SHA256', Buffer.from(signed), key).toString('base64'));
  return `${logoutUrl}${logoutUrl.includes('?') ? '&' : '?'}${signed}&Signature=${signature}`;
}

/**
 * The workspace that signed the user in, and the logout address of its service provider. Teams register any domain, any
 * user and any entity id: only the session index originates from this service. Without one, the user must be a login of
 * one workspace alone.
 */
async function findLogout(
  database: Database,
  { issuer, nameId, sessionIndex }: LogoutRequest,
): Promise<{ readonly workspace: WorkspaceRow; readonly logoutUrl: string } | null> {
  if (nameId === null) return null;
  const ofSession = sessionIndex === null ? null : workspaceOfSession(sessionIndex);
  const [workspace, another] = await database.query<WorkspaceRow>(
    `select workspace.* from logins join login_workspaces workspace on workspace.workspace_id = logins.workspace_id
     where logins.email_key = $1 and ($2::uuid is null or workspace.workspace_id = $2) limit 2`,
    [nameId.toLowerCase(), ofSession],
  );
  if (workspace === undefined || another !== undefined) return null;
  const provider = workspace.service_providers?.find(isThat(issuer));
  return provider?.logout_url == null ? null : { workspace, logoutUrl: provider.logout_url };
}

function isThat(issuer: string): (provider: ServiceProvider) => boolean {
  return ({ entity_id, logout_url }) => entity_id === issuer && logout_url !== null;
}

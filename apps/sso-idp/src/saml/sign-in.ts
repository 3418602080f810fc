import { createHash } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { Database } from '@rapporteur/database';
import type { Logger } from '@rapporteur/service-runtime';
import { readCertificate, readKey } from '../logins/key-pairs.ts';
import type { LoginSecrets, PemPair } from '../logins/login-secrets.ts';
import { serviceProvidersOf } from '../logins/workspace-shape.ts';
import type { SsoAddresses } from '../logins/workspace-shape.ts';
import type { LoginRow, ServiceProvider, WorkspaceRow } from '../schema/login-rows.ts';
import { findTicket, takeTicket } from '../sessions/sign-in-tickets.store.ts';
import { readAuthnRequest, RequestRefused } from './authn-request.ts';
import type { AuthnRequest } from './authn-request.ts';
import { signedResponse } from './saml-response.ts';
import type { SigningKey } from './saml-response.ts';

export interface SignInDependencies {
  readonly database: Database;
  readonly secrets: LoginSecrets;
  readonly addresses: SsoAddresses;
  /** Epoch ms. */
  readonly now: () => number;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** One call of the sign-in address. Null: the parameter or cookie is missing, or came more than once. */
export interface SignInCall {
  readonly samlRequest: string | null;
  readonly relayState: string | null;
  readonly ticket: string | null;
}

/** What the browser posts to the service provider. */
export interface SignInForm {
  readonly acsUrl: string;
  /** Base64. */
  readonly samlResponse: string;
  /** As it came. */
  readonly relayState: string | null;
}

/** How far the clocks of the service provider and this one may be apart. */
const clockSkewMs = 3 * 60_000;
const longestRequestAgeMs = 5 * 60_000;
const longestRelayState = 8_192;

/**
 * Signs in the user for whom a live runner carries a ticket. A ticket and a request are good for one assertion.
 * @throws RequestRefused
 */
export async function signIn(dependencies: SignInDependencies, call: SignInCall): Promise<SignInForm> {
  const { database, secrets, now, logger } = dependencies;
  const at = now();
  // First of all, so that whoever has no ticket costs one look-up and nothing is parsed for them.
  const ticket = call.ticket === null ? null : await findTicket(database, call.ticket, new Date(at));
  if (ticket === null) throw withoutTicket();
  const { login, workspace } = ticket;
  if (login.state !== 'active' || workspace.state !== 'active') {
    throw new RequestRefused('inactive', 'The login of this bot is not active any more.');
  }
  if (call.samlRequest === null) throw new RequestRefused('no-request', 'There is not exactly one SAMLRequest.');
  checkRelayState(call.relayState);
  const request = readAuthnRequest(call.samlRequest);
  const provider = checkRequest(dependencies, { request, login, workspace });
  const pair = currentPair(secrets, workspace, at);
  const taken = await takeTicket(database, {
    ticket: call.ticket ?? '',
    requestHash: createHash('sha256')
      .update(`${workspace.workspace_id}\n${request.issuer}\n${request.id}`)
      .digest('hex'),
    at: new Date(at),
  });
  if (taken === 'ticket-used') throw withoutTicket();
  if (taken === 'request-used') throw new RequestRefused('replay', 'This request was used before.');
  const form = respond({ pair, login, provider, request }, { issuer: dependencies.addresses.entityId, nowMs: at });
  const facts = { teamId: login.team_id, botId: ticket.bot_id, credentialId: login.credential_id };
  logger.info({ ...facts, workspaceId: workspace.workspace_id, acsUrl: form.acsUrl }, 'A bot was signed in.');
  return { ...form, relayState: call.relayState };
}

function withoutTicket(): RequestRefused {
  return new RequestRefused('ticket', 'This address signs in meeting bots only. Nobody else can use it.');
}

interface Responded {
  readonly pair: PemPair;
  readonly login: Pick<LoginRow, 'email'>;
  readonly provider: ServiceProvider;
  readonly request: Pick<AuthnRequest, 'id'>;
}

/** The signed response to a request that was checked. */
export function respond(
  { pair, login, provider, request }: Responded,
  { issuer, nowMs }: { readonly issuer: string; readonly nowMs: number },
): Omit<SignInForm, 'relayState'> {
  const xml = signedResponse(
    {
      issuer,
      email: login.email,
      acsUrl: provider.acs_url,
      audience: provider.audience ?? provider.entity_id,
      requestId: request.id,
      nowMs,
    },
    signingKeyOf(pair),
  );
  return { acsUrl: provider.acs_url, samlResponse: Buffer.from(xml).toString('base64') };
}

function checkRelayState(relayState: string | null): void {
  if (relayState !== null && relayState.length > longestRelayState) {
    throw new RequestRefused('relay-state', 'The RelayState is too long.');
  }
}

/** The registered service provider that sent this request. @throws RequestRefused */
export function checkRequest(
  { addresses, now }: Pick<SignInDependencies, 'addresses' | 'now'>,
  {
    request,
    login,
    workspace,
  }: { readonly request: AuthnRequest; readonly login: LoginRow; readonly workspace: WorkspaceRow },
): ServiceProvider {
  const ageMs = now() - request.issuedAtMs;
  if (ageMs > longestRequestAgeMs || ageMs < -clockSkewMs) {
    throw new RequestRefused('stale', 'The request is too old, or its clock is wrong.');
  }
  if (request.destination !== null && request.destination !== addresses.signInUrl) {
    throw new RequestRefused('destination', 'The request is for another address.');
  }
  const provider = serviceProvidersOf(workspace).find(
    ({ entity_id, acs_url }) => entity_id === request.issuer && (request.acsUrl === null || request.acsUrl === acs_url),
  );
  if (provider === undefined) {
    throw new RequestRefused('service-provider', 'The workspace has no such service provider with this ACS URL.');
  }
  if (request.subject !== null && request.subject.toLowerCase() !== login.email_key) {
    throw new RequestRefused('subject', 'The request is for another user.');
  }
  return provider;
}

/** A rotation's new pair signs before its time only when the certificate in use has expired. */
export function currentPair(secrets: LoginSecrets, workspace: WorkspaceRow, nowMs: number): PemPair {
  const [signing, next] = [secrets.signingPair(workspace), secrets.nextPair(workspace)];
  if (signing === null) throw new Error(`Workspace ${workspace.workspace_id} has no key.`);
  const expired = (readCertificate(signing.certPem)?.validToDate.getTime() ?? 0) <= nowMs;
  return expired && next !== null ? next : signing;
}

/** Parsing a key costs as much as a signature. */
const keys = new Map<string, SigningKey>();
const mostKeys = 256;

function signingKeyOf({ certPem, keyPem }: PemPair): SigningKey {
  const id = `${keyPem}\n${certPem}`;
  const known = keys.get(id);
  if (known !== undefined) return known;
  const [key, certificate] = [readKey(keyPem), readCertificate(certPem)];
  if (key === null || certificate === null) throw new Error('A stored pair of certificate and key cannot be read.');
  const made: { key: KeyObject; certificate: string } = { key, certificate: certificate.raw.toString('base64') };
  const oldest = keys.size >= mostKeys ? keys.keys().next().value : undefined;
  if (oldest !== undefined) keys.delete(oldest);
  keys.set(id, made);
  return made;
}

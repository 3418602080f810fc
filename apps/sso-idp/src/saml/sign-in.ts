import { createHash } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { Database } from '@rapporteur/database';
import type { Logger } from '@rapporteur/service-runtime';
import { readCertificate, readKey } from '../logins/key-pairs.ts';
import type { LoginSecrets, PemPair } from '../logins/login-secrets.ts';
import { serviceProvidersOf } from '../logins/workspace-shape.ts';
import type { SsoAddresses } from '../logins/workspace-shape.ts';
import type { LoginRow, ServiceProvider, WorkspaceRow } from '../schema/login-entities.ts';
import { findTicket, takeTicket } from '../sessions/sign-in-tickets.store.ts';
import { readAuthnRequest, RequestRefused } from './authn-request.ts';
import type { AuthnRequest, Unmet } from './authn-request.ts';
import { signedErrorResponse, signedResponse } from './saml-response.ts';
import type { SigningKey } from './saml-response.ts';

export interface SignInDependencies {
  readonly database: Database;
  readonly secrets: LoginSecrets;
  readonly addresses: SsoAddresses;
  /** Epoch ms. */
  readonly now: () => number;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** One request to the sign-in address. Null: the parameter is missing; the cookie is missing or repeated. */
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
  /** Unchanged from the request. */
  readonly relayState: string | null;
  /** Why the response contains no assertion, as a short identifier; null: it contains one. */
  readonly refused: string | null;
}

/** Tolerated clock skew between the service provider and this service. */
const clockSkewMs = 3 * 60_000;
const longestRequestAgeMs = 5 * 60_000;
const longestRelayState = 8_192;

/**
 * Signs in the user of a ticket that an active runner holds. A ticket and a request are valid for one assertion.
 * @throws RequestRefused
 */
export async function signIn(dependencies: SignInDependencies, call: SignInCall): Promise<SignInForm> {
  const { database, secrets, now, logger } = dependencies;
  const at = now();
  // Checked first: a request without a ticket costs one query, and nothing of it is parsed.
  const ticket = call.ticket === null ? null : await findTicket(database, call.ticket, new Date(at));
  if (ticket === null) throw withoutTicket();
  const { login, workspace } = ticket;
  if (login.state !== 'active' || workspace.state !== 'active') {
    throw new RequestRefused('inactive', 'The login of this bot is no longer active.');
  }
  if (call.samlRequest === null) throw new RequestRefused('no-request', 'The SAMLRequest is missing.');
  checkRelayState(call.relayState);
  const request = readAuthnRequest(call.samlRequest);
  const provider = checkRequest(dependencies, { request, workspace });
  const pair = currentPair(secrets, workspace, at);
  const { entityId: issuer } = dependencies.addresses;
  const unmet = unmetBy(request, login);
  if (unmet !== null) {
    logger.warn({ reason: unmet.reason, botId: ticket.bot_id }, 'A SAML request has a requirement that is not met.');
    const form = respondUnmet({ pair, provider, request }, { unmet, issuer, nowMs: at });
    return { ...form, relayState: call.relayState, refused: unmet.reason };
  }
  const taken = await takeTicket(database, {
    ticket: call.ticket ?? '',
    requestHash: createHash('sha256')
      .update(`${workspace.workspace_id}\n${request.issuer}\n${request.id}`)
      .digest('hex'),
    at: new Date(at),
  });
  if (taken === 'ticket-used') throw withoutTicket();
  if (taken === 'request-used') throw new RequestRefused('replay', 'This request was used before.');
  const form = respond({ workspace, pair, login, provider, request }, { issuer, nowMs: at });
  const facts = { teamId: login.team_id, botId: ticket.bot_id, credentialId: login.credential_id };
  logger.info({ ...facts, workspaceId: workspace.workspace_id, acsUrl: form.acsUrl }, 'A bot was signed in.');
  return { ...form, relayState: call.relayState, refused: null };
}

function withoutTicket(): RequestRefused {
  return new RequestRefused('ticket', 'Only meeting bots can sign in at this address.');
}

type ResponseForm = Pick<SignInForm, 'acsUrl' | 'samlResponse'>;

interface Responded {
  readonly workspace: Pick<WorkspaceRow, 'workspace_id'>;
  readonly pair: PemPair;
  readonly login: Pick<LoginRow, 'email'>;
  readonly provider: ServiceProvider;
  readonly request: Pick<AuthnRequest, 'id'>;
}

/** The signed response to a request that was checked. */
export function respond(
  { workspace, pair, login, provider, request }: Responded,
  { issuer, nowMs }: { readonly issuer: string; readonly nowMs: number },
): ResponseForm {
  const xml = signedResponse(
    {
      issuer,
      email: login.email,
      acsUrl: provider.acs_url,
      audience: provider.audience ?? provider.entity_id,
      requestId: request.id,
      nowMs,
      workspaceId: workspace.workspace_id,
    },
    signingKeyOf(pair),
  );
  return { acsUrl: provider.acs_url, samlResponse: Buffer.from(xml).toString('base64') };
}

/** The signed response for a requirement that is not met. */
function respondUnmet(
  { pair, provider, request }: Omit<Responded, 'login' | 'workspace'>,
  { unmet, issuer, nowMs }: { readonly unmet: Unmet; readonly issuer: string; readonly nowMs: number },
): ResponseForm {
  const status = { codes: unmet.status, message: unmet.sentence };
  const parts = { issuer, destination: provider.acs_url, requestId: request.id, nowMs, status };
  const xml = signedErrorResponse(parts, signingKeyOf(pair));
  return { acsUrl: provider.acs_url, samlResponse: Buffer.from(xml).toString('base64') };
}

/** The requirement of a checked request that this login does not meet; null: none. */
export function unmetBy(request: AuthnRequest, login: Pick<LoginRow, 'email_key'>): Unmet | null {
  if (request.subject === null || request.subject.toLowerCase() === login.email_key) return request.unmet;
  return {
    reason: 'subject',
    sentence: 'The request is for another user.',
    status: ['Responder', 'UnknownPrincipal'],
  };
}

function checkRelayState(relayState: string | null): void {
  if (relayState !== null && relayState.length > longestRelayState) {
    throw new RequestRefused('relay-state', 'The RelayState is too long.');
  }
}

/** The registered service provider that sent this request. @throws RequestRefused */
export function checkRequest(
  { addresses, now }: Pick<SignInDependencies, 'addresses' | 'now'>,
  { request, workspace }: { readonly request: AuthnRequest; readonly workspace: WorkspaceRow },
): ServiceProvider {
  checkFreshness(request, { address: addresses.signInUrl, nowMs: now() });
  const provider = serviceProvidersOf(workspace).find(
    ({ entity_id, acs_url }) => entity_id === request.issuer && (request.acsUrl === null || request.acsUrl === acs_url),
  );
  if (provider === undefined) {
    throw new RequestRefused('service-provider', 'The workspace has no such service provider with this ACS URL.');
  }
  return provider;
}

/** A request must be for this address and recent. @throws RequestRefused */
export function checkFreshness(
  request: Pick<AuthnRequest, 'issuedAtMs' | 'destination'>,
  { address, nowMs }: { readonly address: string; readonly nowMs: number },
): void {
  const ageMs = nowMs - request.issuedAtMs;
  if (ageMs > longestRequestAgeMs || ageMs < -clockSkewMs) {
    throw new RequestRefused('stale', "The request is too old, or the service provider's clock is wrong.");
  }
  if (request.destination !== null && request.destination !== address) {
    throw new RequestRefused('destination', 'The request is for another address.');
  }
}

/** During a rotation the new pair signs early only when the certificate in use has expired. */
export function currentPair(secrets: LoginSecrets, workspace: WorkspaceRow, nowMs: number): PemPair {
  const [signing, next] = [secrets.signingPair(workspace), secrets.nextPair(workspace)];
  if (signing === null) throw new Error(`Workspace ${workspace.workspace_id} has no key.`);
  const expired = (readCertificate(signing.certPem)?.validToDate.getTime() ?? 0) <= nowMs;
  return expired && next !== null ? next : signing;
}

/** Parsing a key costs as much as a signature. */
const keys = new Map<string, SigningKey>();
const mostKeys = 256;

/** @throws Error for a pair that cannot be read */
export function signingKeyOf({ certPem, keyPem }: PemPair): SigningKey {
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

import { createHash, randomBytes } from 'node:crypto';
import type { Provider } from './calendar-store.ts';

/** A request at the authorization endpoint, read from its query. */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly responseType: string;
  readonly scopes: readonly string[];
  readonly state: string;
  readonly challenge: string;
  readonly challengeMethod: string;
  readonly offline: boolean;
  readonly prompt: string;
}

/** What the account's owner does on the consent page. */
export interface Decision {
  readonly email: string;
  readonly isAllowed: boolean;
  /** Scopes that stay ticked. Microsoft does not let users untick any. */
  readonly scopes: readonly string[];
}

interface IssuedCode {
  readonly request: AuthorizationRequest;
  readonly email: string;
  readonly scopes: readonly string[];
  readonly withRefreshToken: boolean;
  readonly endsAtMs: number;
  isRedeemed: boolean;
}

/** Outcome of redeeming a code: the granted consent, or the provider's error. */
export type Redeemed =
  | { readonly email: string; readonly scopes: readonly string[]; readonly withRefreshToken: boolean }
  | { readonly error: string; readonly aadsts: number | null };

const codeMs = 600_000;
const offlineScope = 'offline_access';
/** A resource's name before a scope of Microsoft, which responses omit. */
const graph = 'https://graph.microsoft.com/';

/**
 * Authorization requests and codes of both providers, as strict as they are: registered redirect addresses match
 * exactly, codes are used once within ten minutes with the same redirect address and the PKCE verifier, Google issues a
 * refresh token only for offline access and a shown consent page, Microsoft only for `offline_access`.
 */
export class Consents {
  readonly #now: () => number;
  readonly #redirects: Record<Provider, readonly string[]>;
  readonly #codes = new Map<string, IssuedCode>();
  /** Apps and accounts with an earlier consent. */
  readonly #before = new Set<string>();
  /** Accounts whose organization lets only administrators consent. */
  readonly #administered = new Set<string>();

  constructor(now: () => number, redirects: readonly string[]) {
    this.#now = now;
    this.#redirects = { google: redirects, microsoft: redirects };
  }

  /** Replaces the redirect addresses of the provider's simulated app. */
  register(provider: Provider, redirectUris: readonly string[]): void {
    this.#redirects[provider] = redirectUris;
  }

  administer(email: string, needsAdministrator: boolean): void {
    if (needsAdministrator) this.#administered.add(email);
    else this.#administered.delete(email);
  }

  needsAdministrator(email: string): boolean {
    return this.#administered.has(email);
  }

  /** Null: the redirect address is registered for this app, and errors may be sent there. */
  refusalOf(provider: Provider, request: AuthorizationRequest): string | null {
    if (request.clientId !== `simulated-${provider}-client`)
      return provider === 'google' ? 'Error 401: invalid_client' : 'AADSTS700016: The application was not found.';
    if (this.#redirects[provider].includes(request.redirectUri)) return null;
    return provider === 'google'
      ? 'Error 400: redirect_uri_mismatch'
      : 'AADSTS50011: The redirect URI does not match the redirect URIs configured for the application.';
  }

  /** Parameters of the redirect after a decision, without `state`. */
  decide(provider: Provider, request: AuthorizationRequest, decision: Decision): Record<string, string> {
    if (request.responseType !== 'code') return { error: 'unsupported_response_type' };
    if (request.scopes.length === 0) return { error: 'invalid_scope' };
    if (request.challenge !== '' && !['S256', 'plain'].includes(request.challengeMethod))
      return { error: 'invalid_request' };
    if (!decision.isAllowed || this.#administered.has(decision.email)) return refusal(provider, decision.isAllowed);
    const scopes =
      provider === 'google' ? request.scopes.filter((scope) => decision.scopes.includes(scope)) : request.scopes;
    if (scopes.length === 0) return { error: 'access_denied' };
    const consent = `${request.clientId} ${decision.email}`;
    const isShown = request.prompt.split(' ').includes('consent') || !this.#before.has(consent);
    this.#before.add(consent);
    const code = `simulated-code-${randomBytes(16).toString('hex')}`;
    this.#codes.set(code, {
      request,
      email: decision.email,
      scopes,
      withRefreshToken: provider === 'google' ? request.offline && isShown : scopes.includes(offlineScope),
      endsAtMs: this.#now() + codeMs,
      isRedeemed: false,
    });
    return { code, ...(provider === 'google' ? { scope: scopes.join(' ') } : {}) };
  }

  /** Redeems the code of an authenticated client's token request. */
  redeem(form: Readonly<Record<string, unknown>>): Redeemed {
    const code = this.#codes.get(String(form['code']));
    if (code === undefined || code.request.clientId !== form['client_id'])
      return { error: 'invalid_grant', aadsts: 9_002_313 };
    if (code.isRedeemed) return { error: 'invalid_grant', aadsts: 54_005 };
    code.isRedeemed = true;
    if (code.endsAtMs <= this.#now()) return { error: 'invalid_grant', aadsts: 70_008 };
    if (code.request.redirectUri !== form['redirect_uri'])
      return {
        error: code.request.clientId.includes('google') ? 'redirect_uri_mismatch' : 'invalid_grant',
        aadsts: 50_011,
      };
    if (!isVerified(code.request, form['code_verifier'])) return { error: 'invalid_grant', aadsts: 501_481 };
    const { email, withRefreshToken } = code;
    const scopes = code.scopes.filter((scope) => scope !== offlineScope).map((scope) => scope.replace(graph, ''));
    return { email, scopes, withRefreshToken };
  }
}

function refusal(provider: Provider, needsAdministrator: boolean): Record<string, string> {
  if (provider === 'google') return { error: 'access_denied' };
  return {
    error: 'access_denied',
    error_subcode: 'cancel',
    error_description: needsAdministrator
      ? 'AADSTS90094: An administrator must grant the permissions that the application requests.'
      : 'AADSTS65004: User declined to consent to access the app.',
  };
}

function isVerified({ challenge, challengeMethod }: AuthorizationRequest, verifier: unknown): boolean {
  if (challenge === '') return verifier === undefined;
  if (typeof verifier !== 'string') return false;
  return challengeMethod === 'plain'
    ? verifier === challenge
    : createHash('sha256').update(verifier).digest('base64url') === challenge;
}

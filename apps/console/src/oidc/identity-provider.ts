import { fail } from '@rapporteur/failures';
import * as oidc from 'openid-client';
import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import { z } from 'zod';
import { claimOf, valuesOf } from './team-access.ts';

export interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Null: a public client, protected by PKCE alone. */
  readonly clientSecret: string | null;
  readonly scopes: string;
  /** The claim whose values map to teams and roles. */
  readonly claim: string;
  /** Redirect addresses after the sign-in, and after the sign-out. */
  readonly redirectUri: string;
  readonly signedOutUri: string;
}

/** The callback must match the values of its sign-in. */
export interface SignInRequest {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export const providerTokens = z.strictObject({
  access: z.string(),
  refresh: z.string().nullable(),
  /** Shown to the provider at the sign-out. */
  id: z.string(),
  /** The source of the claim. An ID token is only renewed by a refresh token. */
  claimIn: z.enum(['userinfo', 'id_token']),
});
export type ProviderTokens = z.infer<typeof providerTokens>;

export interface SignedInUser {
  readonly subject: string;
  readonly providerSession: string | null;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly values: readonly string[];
  readonly tokens: ProviderTokens;
}

export type KeepTokens = (renewed: ProviderTokens) => Promise<void>;

/** At least one of the two. */
export interface LoggedOut {
  readonly subject: string | undefined;
  readonly providerSession: string | undefined;
}

export interface Confirmed {
  /** Null: the provider renewed the sign-in and sent no ID token with it (OpenID Connect Core 12.2). */
  readonly values: readonly string[] | null;
}

export interface IdentityProvider {
  readonly issuer: string;
  /** The name of the claim whose values give teams and roles. */
  readonly claim: string;
  /** The address that the browser opens to sign in. Throws UNAVAILABLE. */
  start(request: SignInRequest): Promise<URL>;
  /** Throws CONSOLE_SIGN_IN for a response that is invalid or of another request, UNAVAILABLE. */
  finish(currentUrl: URL, request: SignInRequest): Promise<SignedInUser>;
  /**
   * The current values of the claim; null: the sign-in is no longer valid at the provider. Renewed tokens are given to
   * `keep`, because those before are used up, and the next request waits for it. Throws UNAVAILABLE.
   */
  confirm(subject: string, tokens: ProviderTokens, keep: KeepTokens): Promise<Confirmed | null>;
  /** Where the browser signs out of the provider; null: the provider has no such address, or does not respond. */
  signOutUrl(tokens: ProviderTokens): Promise<URL | null>;
  /** The user or session that a logout token ends. Throws VALIDATION for one that is not valid, UNAVAILABLE. */
  readLogoutToken(token: string): Promise<LoggedOut>;
}

type Claims = Readonly<Record<string, unknown>>;

const timeoutSeconds = 5;
const discoveredForMs = 3_600_000;
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

export function createIdentityProvider(settings: ProviderSettings, now: () => number): IdentityProvider {
  const configuration = discoverOnce(settings, now);
  const keys = signingKeys();
  return {
    issuer: settings.issuer,
    claim: settings.claim,
    start: async (request) => authorizationUrl(await configuration(), settings, request),
    finish: async (currentUrl, request) => {
      const config = await configuration();
      try {
        return await finishSignIn(config, { claim: settings.claim, currentUrl, request });
      } catch (error) {
        if (isRefusal(error) || isInvalid(error))
          throw fail('CONSOLE_SIGN_IN', { message: 'The response was not accepted.', cause: error });
        throw fail('UNAVAILABLE', { message: awayMessage, cause: error });
      }
    },
    confirm: async (subject, tokens, keep) => {
      try {
        return await confirmUser(await configuration(), { claim: settings.claim, subject, tokens, keep });
      } catch (error) {
        if (isRefusal(error)) return null;
        throw fail('UNAVAILABLE', { message: awayMessage, cause: error });
      }
    },
    signOutUrl: async ({ id }) => {
      const config = await configuration().catch(() => null);
      if (config?.serverMetadata().end_session_endpoint === undefined) return null;
      const query = { id_token_hint: id, post_logout_redirect_uri: settings.signedOutUri };
      return oidc.buildEndSessionUrl(config, query);
    },
    readLogoutToken: async (token) => {
      const { jwks_uri: uri = '', issuer } = (await configuration()).serverMetadata();
      return readLogoutToken(token, { keys: keys(uri), issuer, audience: settings.clientId });
    },
  };
}

async function authorizationUrl(
  config: oidc.Configuration,
  { redirectUri, scopes }: ProviderSettings,
  { state, nonce, verifier }: SignInRequest,
): Promise<URL> {
  return oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: scopes,
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    // Providers issue a refresh token for this scope only with it.
    ...(scopes.split(' ').includes('offline_access') ? { prompt: 'consent' } : {}),
  });
}

interface Finishing {
  readonly claim: string;
  readonly currentUrl: URL;
  readonly request: SignInRequest;
}

async function finishSignIn(config: oidc.Configuration, given: Finishing): Promise<SignedInUser> {
  const { claim, currentUrl, request } = given;
  const response = await oidc.authorizationCodeGrant(config, currentUrl, {
    expectedState: request.state,
    expectedNonce: request.nonce,
    pkceCodeVerifier: request.verifier,
    idTokenExpected: true,
  });
  const { access_token: access, refresh_token: refresh = null, id_token: id = '' } = response;
  const fromToken: Claims = response.claims() ?? {};
  const subject = String(fromToken['sub']);
  const info = await userInfo(config, access, subject);
  const claimIn =
    claimOf(info, claim) === undefined && claimOf(fromToken, claim) !== undefined ? 'id_token' : 'userinfo';
  const claims: Claims = { ...fromToken, ...info };
  const { sid } = fromToken;
  return {
    subject,
    providerSession: typeof sid === 'string' ? sid : null,
    claims,
    values: valuesOf(claimOf(claimIn === 'userinfo' ? info : fromToken, claim)),
    tokens: { access, refresh, id, claimIn },
  };
}

interface Confirming {
  readonly claim: string;
  readonly subject: string;
  readonly tokens: ProviderTokens;
  readonly keep: KeepTokens;
}

async function confirmUser(config: oidc.Configuration, given: Confirming): Promise<Confirmed | null> {
  const { claim, subject, tokens } = given;
  if (tokens.claimIn === 'id_token') {
    const next = await renewed(config, given);
    return next && { values: next.claims === null ? null : valuesOf(claimOf(next.claims, claim)) };
  }
  try {
    const info = await userInfo(config, tokens.access, subject);
    return { values: valuesOf(claimOf(info, claim)) };
  } catch (error) {
    if (!isRefusal(error) || tokens.refresh === null) throw error;
  }
  const next = await renewed(config, given);
  if (next === null) return null;
  const info = await userInfo(config, next.access, subject);
  return { values: valuesOf(claimOf(info, claim)) };
}

async function renewed(config: oidc.Configuration, { subject, tokens, keep }: Confirming) {
  if (tokens.refresh === null) return null;
  const response = await oidc.refreshTokenGrant(config, tokens.refresh);
  const { access_token: access, refresh_token: refresh = tokens.refresh, id_token: id = tokens.id } = response;
  const claims: Claims | null = response.claims() ?? null;
  if (claims !== null && claims['sub'] !== subject) return null;
  await keep({ ...tokens, access, refresh, id });
  return { claims, access };
}

async function userInfo(config: oidc.Configuration, access: string, subject: string): Promise<Claims> {
  return config.serverMetadata().userinfo_endpoint === undefined ? {} : oidc.fetchUserInfo(config, access, subject);
}

type SigningKeys = ReturnType<typeof createRemoteJWKSet>;

/** The keys at an address, read when they are first needed. */
function signingKeys(): (uri: string) => SigningKeys {
  let known: { readonly uri: string; readonly keys: SigningKeys } | null = null;
  return (uri) => {
    if (known?.uri !== uri)
      known = { uri, keys: createRemoteJWKSet(new URL(uri), { timeoutDuration: timeoutSeconds * 1_000 }) };
    return known.keys;
  };
}

const keysUnreadable: ReadonlySet<string> = new Set(['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID']);

async function readLogoutToken(
  token: string,
  { keys, issuer, audience }: { readonly keys: SigningKeys; readonly issuer: string; readonly audience: string },
): Promise<LoggedOut> {
  const checks = { issuer, audience, maxTokenAge: '5 minutes', clockTolerance: 30, requiredClaims: ['jti', 'events'] };
  const { payload } = await jwtVerify(token, keys, checks).catch((cause: unknown) => {
    // The provider repeats a sign-out that was not received.
    if (!(cause instanceof errors.JOSEError) || keysUnreadable.has(cause.code))
      throw fail('UNAVAILABLE', { message: awayMessage, cause });
    throw fail('VALIDATION', { message: 'logout_token: it is not valid.', cause });
  });
  const events = payload['events'] as Record<string, unknown> | null;
  const { sub: subject, sid } = payload;
  const providerSession = typeof sid === 'string' ? sid : undefined;
  const isLogout = typeof events?.[logoutEvent] === 'object' && payload['nonce'] === undefined;
  if (!isLogout || (subject ?? providerSession) === undefined)
    throw fail('VALIDATION', { message: 'logout_token: it is not a logout token.' });
  return { subject, providerSession };
}

const awayMessage = 'The identity provider does not respond. Try again.';

/** The provider's discovery document, read on first use and again after an hour. */
function discoverOnce(settings: ProviderSettings, now: () => number): () => Promise<oidc.Configuration> {
  let known: { readonly at: number; readonly response: Promise<oidc.Configuration> } | null = null;
  return () => {
    if (known !== null && now() - known.at < discoveredForMs) return known.response;
    const response = discover(settings).catch((error: unknown) => {
      known = null;
      throw fail('UNAVAILABLE', { message: awayMessage, cause: error });
    });
    known = { at: now(), response };
    return response;
  };
}

function discover({ issuer, clientId, clientSecret }: ProviderSettings): Promise<oidc.Configuration> {
  const authentication = clientSecret === null ? oidc.None() : oidc.ClientSecretBasic(clientSecret);
  return oidc.discovery(new URL(issuer), clientId, undefined, authentication, {
    timeout: timeoutSeconds,
    // The signature of the ID token is verified, too; the connection alone is not sufficient.
    execute: [oidc.enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [])],
  });
}

/** Whether the provider responded with a refusal. */
function isRefusal(error: unknown): boolean {
  if (error instanceof oidc.ResponseBodyError) return error.status < 500 && error.status !== 429;
  if (error instanceof oidc.AuthorizationResponseError) return true;
  return error instanceof oidc.WWWAuthenticateChallengeError && error.status === 401;
}

const invalid: ReadonlySet<unknown> = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
]);

/** The response violates OpenID Connect: another state, nonce, audience, signature, or an expired token. */
function isInvalid(error: unknown): boolean {
  return error instanceof oidc.ClientError && invalid.has(error.code);
}

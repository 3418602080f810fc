import type { OutboundHttp } from '@rapporteur/outbound-http';
import * as oauth from 'openid-client';
import { ProviderError } from './calendar-provider.ts';
import type { Consent, ConsentScope, OauthApp } from './calendar-provider.ts';

export type ConsentRefusalReason =
  | 'declined'
  | 'administrator'
  | 'scope_missing'
  | 'no_refresh_token'
  | 'code_refused'
  | 'provider_error';

/** The provider gave no consent that suffices. */
export class ConsentRefusal extends Error {
  readonly reason: ConsentRefusalReason;

  constructor(reason: ConsentRefusalReason, options: { readonly cause?: unknown } = {}) {
    super(reason, options);
    this.name = 'ConsentRefusal';
    this.reason = reason;
  }
}

export interface ConsentOptions {
  readonly http: Pick<OutboundHttp, 'request'>;
  /** The provider's name in errors. */
  readonly provider: string;
  readonly scopes: readonly ConsentScope[];
  /** Parameters for a refresh token. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly endpointsOf: (app: OauthApp) => { readonly authorization: string; readonly token: string };
  /** Whether one of the granted scopes permits reading calendars. */
  readonly readsCalendars: (scope: string) => boolean;
}

const timeoutSeconds = 20;
const largestResponseBytes = 64 * 1_024;
const usualExpiresInSeconds = 3_600;
/** Microsoft's codes for permissions that only an administrator may grant. */
const administratorCodes = /AADSTS(?:90093|90094|90095|65001)\b/;

export function createConsent(options: ConsentOptions): Consent {
  const { provider, scopes, parameters, readsCalendars } = options;
  return {
    consentScopes: scopes,
    authorizationUrl: async (app, { redirectUrl, state, verifier }) =>
      oauth.buildAuthorizationUrl(configurationOf(options, app), {
        redirect_uri: redirectUrl,
        scope: scopes.map(({ scope }) => scope).join(' '),
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...parameters,
      }),
    redeemCode: async (app, { redirectUrl, state, verifier }, response) => {
      const address = new URL(`${redirectUrl}?${new URLSearchParams(response).toString()}`);
      const checks = { expectedState: state, pkceCodeVerifier: verifier };
      const reply = await oauth
        .authorizationCodeGrant(configurationOf(options, app), address, checks)
        .catch((error: unknown) => Promise.reject(refusalOf(error, provider)));
      // A provider that omits the scopes granted what was requested.
      if (reply.scope !== undefined && !reply.scope.split(' ').some(readsCalendars))
        throw new ConsentRefusal('scope_missing');
      if (reply.refresh_token === undefined) throw new ConsentRefusal('no_refresh_token');
      const expiresInMs = (reply.expires_in ?? usualExpiresInSeconds) * 1_000;
      return { accessToken: reply.access_token, refreshToken: reply.refresh_token, expiresInMs };
    },
  };
}

function configurationOf({ http, provider, endpointsOf }: ConsentOptions, app: OauthApp): oauth.Configuration {
  const { authorization, token } = endpointsOf(app);
  const server = {
    issuer: new URL(authorization).origin,
    authorization_endpoint: authorization,
    token_endpoint: token,
  };
  const configuration = new oauth.Configuration(server, app.clientId, {}, oauth.ClientSecretPost(app.clientSecret));
  configuration[oauth.customFetch] = fetchThrough(http, provider);
  if (token.startsWith('http:')) oauth.allowInsecureRequests(configuration);
  return configuration;
}

/** The library's requests leave through the guarded client, like every other. */
function fetchThrough(http: ConsentOptions['http'], provider: string): oauth.CustomFetch {
  return async (url, { method, headers, body }) => {
    const response = await http.request({
      url,
      method: method as 'POST',
      headers,
      body: Buffer.from(body instanceof URLSearchParams ? body.toString() : ''),
      timeoutMs: timeoutSeconds * 1_000,
      maxResponseBytes: largestResponseBytes,
      // A code works once.
      once: true,
    });
    const { status } = response;
    if (status >= 500 || status === 429)
      throw new ProviderError('unreachable', `${provider} responded with HTTP status ${status}.`);
    const type = response.headers['content-type'] ?? '';
    return new Response(new Uint8Array(response.bodyPrefix), {
      status,
      headers: { 'content-type': type },
    });
  };
}

function refusalOf(error: unknown, provider: string): Error {
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError) {
    return new ConsentRefusal(reasonOf(error.error, error.error_description ?? ''), { cause: error });
  }
  const { code, cause } = error instanceof oauth.ClientError ? error : { code: undefined, cause: error };
  if (code !== undefined) return new ConsentRefusal('provider_error', { cause: error });
  return cause instanceof ProviderError
    ? cause
    : new ProviderError('unreachable', `${provider} could not be reached.`, { cause: error });
}

function reasonOf(error: string, description: string): ConsentRefusalReason {
  if (administratorCodes.test(description.slice(0, 1_000))) return 'administrator';
  switch (error) {
    case 'access_denied':
      return 'declined';
    case 'consent_required':
    case 'admin_policy_enforced':
      return 'administrator';
    case 'invalid_grant':
      return 'code_refused';
    default:
      return 'provider_error';
  }
}

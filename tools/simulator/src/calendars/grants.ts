import { randomBytes } from 'node:crypto';
import type { Provider } from './calendar-store.ts';
import type { Consents } from './consents.ts';

/** Consent of one account to one app. */
export interface Grant {
  readonly provider: Provider;
  readonly email: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly refreshToken: string;
}

interface GrantState extends Grant {
  revoked: boolean;
  /** False: it may sign in and may not read calendars. */
  permitted: boolean;
  readonly scopes: readonly string[];
  /** Refresh tokens that work: the newest, and the one before it until the newest or its access token is used. */
  readonly valid: string[];
}

interface Access {
  readonly state: GrantState;
  readonly refreshToken: string;
  readonly endsAtMs: number;
}

export interface TokenResponse {
  readonly status: number;
  readonly body: object;
}

export type AccessCheck =
  | { readonly allowed: true; readonly email: string }
  | { readonly allowed: false; readonly reason: 'unauthenticated' | 'forbidden' };

const calendarScopes = {
  google: 'https://www.googleapis.com/auth/calendar.readonly',
  microsoft: 'Calendars.Read',
} as const;

/** Whether granted scopes include reading calendars. */
function isCovered(provider: Provider, scopes: readonly string[]): boolean {
  return scopes.some((scope) =>
    scope.startsWith(provider === 'google' ? 'https://www.googleapis.com/auth/calendar' : 'Calendars.Read'),
  );
}

const fresh = (kind: string): string => `simulated-${kind}-${randomBytes(16).toString('hex')}`;

/** OAuth clients, refresh tokens and access tokens of both providers. Microsoft's refresh tokens rotate with each use. */
export class Grants {
  readonly counts = { issued: 0, refused: 0 };
  readonly #now: () => number;
  readonly #consents: Consents;
  readonly #grants: GrantState[] = [];
  readonly #access = new Map<string, Access>();
  accessSeconds = 3_600;

  constructor(now: () => number, consents: Consents) {
    this.#now = now;
    this.#consents = consents;
  }

  create(provider: Provider, email: string, scopes: readonly string[] = [calendarScopes[provider]]): Grant {
    const refreshToken = fresh('refresh');
    const made = {
      provider,
      email,
      clientId: `simulated-${provider}-client`,
      clientSecret: `simulated-${provider}-secret`,
      refreshToken,
    };
    this.#grants.push({
      ...made,
      revoked: false,
      permitted: isCovered(provider, scopes),
      scopes,
      valid: [refreshToken],
    });
    return made;
  }

  revoke(email: string): number {
    return this.#each(email, (state) => (state.revoked = true));
  }

  permit(email: string, permitted: boolean): number {
    return this.#each(email, (state) => (state.permitted = permitted));
  }

  /** Access tokens issued so far become invalid. */
  expireAccess(): void {
    this.#access.clear();
  }

  /** The response of the token endpoint. */
  token(provider: Provider, form: Record<string, unknown>): TokenResponse {
    if (form['grant_type'] === 'authorization_code') return this.#redeem(provider, form);
    const state = this.#grants.find(
      (one) => one.provider === provider && one.valid.includes(String(form['refresh_token'])),
    );
    if (form['grant_type'] !== 'refresh_token') return this.#refuse('unsupported_grant_type');
    if (state !== undefined && (state.clientId !== form['client_id'] || state.clientSecret !== form['client_secret']))
      return this.#refuse('invalid_client', provider === 'microsoft' ? 7_000_215 : null);
    if (state === undefined || state.revoked)
      return this.#refuse('invalid_grant', provider === 'microsoft' ? 700_082 : null);
    const used = String(form['refresh_token']);
    const next = provider === 'microsoft' ? fresh('refresh') : used;
    state.valid.splice(0, state.valid.length, ...new Set([used, next]));
    return this.#issue(state, next, next !== used);
  }

  #redeem(provider: Provider, form: Record<string, unknown>): TokenResponse {
    const isMicrosoft = provider === 'microsoft';
    if (
      form['client_id'] !== `simulated-${provider}-client` ||
      form['client_secret'] !== `simulated-${provider}-secret`
    )
      return this.#refuse('invalid_client', isMicrosoft ? 7_000_215 : null);
    const redeemed = this.#consents.redeem(form);
    if ('error' in redeemed) return this.#refuse(redeemed.error, isMicrosoft ? redeemed.aadsts : null);
    const { refreshToken } = this.create(provider, redeemed.email, redeemed.scopes);
    const state = this.#grants.at(-1) as GrantState;
    return this.#issue(state, refreshToken, redeemed.withRefreshToken);
  }

  #issue(state: GrantState, refreshToken: string, isShown: boolean): TokenResponse {
    const accessToken = fresh('access');
    const endsAtMs = this.#now() + this.accessSeconds * 1_000;
    this.#access.set(accessToken, { state, refreshToken, endsAtMs });
    this.counts.issued += 1;
    return {
      status: 200,
      body: {
        access_token: accessToken,
        expires_in: this.accessSeconds,
        token_type: 'Bearer',
        scope: state.scopes.join(' '),
        ...(isShown ? { refresh_token: refreshToken } : {}),
      },
    };
  }

  check(provider: Provider, authorization: string | undefined): AccessCheck {
    const access = this.#access.get((authorization ?? '').replace(/^Bearer /i, ''));
    if (
      access === undefined ||
      access.state.provider !== provider ||
      access.state.revoked ||
      access.endsAtMs <= this.#now()
    )
      return { allowed: false, reason: 'unauthenticated' };
    // The first use of a new token invalidates the one before it.
    const { valid } = access.state;
    if (valid.includes(access.refreshToken)) valid.splice(0, valid.length, access.refreshToken);
    return access.state.permitted
      ? { allowed: true, email: access.state.email }
      : { allowed: false, reason: 'forbidden' };
  }

  /** @param aadsts Microsoft's own code */
  #refuse(error: string, aadsts: number | null = null): TokenResponse {
    this.counts.refused += 1;
    const body =
      aadsts === null
        ? { error, error_description: 'Simulated.' }
        : { error, error_description: `AADSTS${aadsts}: Simulated.`, error_codes: [aadsts] };
    return { status: error === 'invalid_client' ? 401 : 400, body };
  }

  #each(email: string, change: (state: GrantState) => void): number {
    const found = this.#grants.filter((state) => state.email === email);
    for (const state of found) change(state);
    return found.length;
  }
}

import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { simulatedApp } from './zoom-options.ts';

const usualAccessSeconds = 3_600;

/** The user who consents, and the permissions of the code for the consent. */
export const consentOptions = z.strictObject({
  userId: z.string().min(1).max(100).default('simulated-zoom-user'),
  accountId: z.string().min(1).max(100).default('simulated-zoom-account'),
  email: z.string().max(254).default('ada@zoom.example'),
  displayName: z.string().max(255).default('Ada Zoom'),
  redirectUri: z.string().max(2_000).default('https://customer.example/zoom/callback'),
  scope: z.string().max(1_000).default('user:read:token user:read:user'),
  codeSeconds: z.int().min(0).max(86_400).default(300),
  /** The lifetime of the first access token; a renewed one lasts an hour. */
  accessSeconds: z.int().min(1).max(86_400).default(usualAccessSeconds),
});
export type ConsentOptions = z.infer<typeof consentOptions>;

/** Faults of the real service. */
export const oauthFaultSchema = z.strictObject({
  /** The request that it affects. */
  at: z.enum(['token', 'user', 'obf']),
  /** Status of the response; omitted: the usual response, delayed. */
  status: z.union([z.literal(429), z.literal(500), z.literal(503)]).optional(),
  delayMs: z.int().min(0).max(60_000).default(0),
  times: z.int().min(1).max(1_000).default(1),
});
export type OauthFault = z.infer<typeof oauthFaultSchema>;

interface Consent extends ConsentOptions {
  revoked: boolean;
}
interface Granted {
  readonly consent: Consent;
  readonly endsAtMs: number;
}

/** Requests and responses, by kind. */
export interface OauthCounts {
  exchanged: number;
  renewed: number;
  refused: number;
  minted: number;
}

export type OauthResponse = { readonly status: number; readonly body: object };

const obfSeconds = 7_200;

/** The accounts of Zoom: codes, tokens and their users. Tokens rotate as the real ones do: each renews once. */
export class OauthAccounts {
  readonly counts: OauthCounts = { exchanged: 0, renewed: 0, refused: 0, minted: 0 };
  readonly #now: () => number;
  readonly #codes = new Map<string, Granted>();
  readonly #access = new Map<string, Granted>();
  readonly #refresh = new Map<string, Consent>();
  readonly #obf = new Map<string, { readonly meetingId: string; readonly endsAtMs: number }>();
  readonly #faults: (OauthFault & { left: number })[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The user has pressed "Allow". */
  consent(options: ConsentOptions): { readonly code: string } {
    const code = fresh('code');
    this.#codes.set(code, {
      consent: { ...options, revoked: false },
      endsAtMs: this.#now() + options.codeSeconds * 1_000,
    });
    return { code };
  }

  /** The user has revoked the consent: all its tokens are invalid. */
  revoke(userId: string): number {
    const consents = [...this.#refresh.values(), ...[...this.#access.values()].map(({ consent }) => consent)];
    const theirs = new Set(consents.filter((consent) => consent.userId === userId && !consent.revoked));
    for (const consent of theirs) consent.revoked = true;
    return theirs.size;
  }

  strike(fault: OauthFault): void {
    this.#faults.push({ ...fault, left: fault.times });
  }

  heal(): void {
    this.#faults.length = 0;
  }

  /** The fault for this request; consumes one occurrence. */
  takeFault(at: OauthFault['at']): OauthFault | null {
    const fault = this.#faults.find((one) => one.at === at && one.left > 0);
    if (fault === undefined) return null;
    fault.left -= 1;
    return fault;
  }

  /** `POST /oauth/token`. */
  token(app: { readonly id: string; readonly secret: string }, form: Readonly<Record<string, unknown>>): OauthResponse {
    if (app.id !== simulatedApp.key || app.secret !== simulatedApp.secret) {
      return this.#refuse(401, { reason: 'Invalid client_id or client_secret', error: 'invalid_client' });
    }
    if (form['grant_type'] === 'authorization_code') return this.#exchange(form);
    if (form['grant_type'] === 'refresh_token') return this.#renew(form);
    return this.#refuse(400, { reason: 'unsupported grant type', error: 'unsupported_grant_type' });
  }

  /** `GET /v2/users/me`. */
  user(accessToken: string): OauthResponse {
    const consent = this.#consentOf(accessToken);
    if (consent === null) return this.#refuse(401, { code: 124, message: 'Invalid access token.' });
    const { userId, accountId, email, displayName } = consent;
    return { status: 200, body: { id: userId, account_id: accountId, email, display_name: displayName } };
  }

  /** `GET /v2/users/me/token?type=onbehalf`. */
  mint(accessToken: string, meetingId: string): OauthResponse {
    const consent = this.#consentOf(accessToken);
    if (consent === null) return this.#refuse(401, { code: 124, message: 'Invalid access token.' });
    if (!consent.scope.split(' ').includes('user:read:token')) {
      return this.#refuse(400, { code: 4711, message: 'Invalid access token, does not contain scopes.' });
    }
    const token = fresh('obf');
    this.#obf.set(token, { meetingId, endsAtMs: this.#now() + obfSeconds * 1_000 });
    this.counts.minted += 1;
    return { status: 200, body: { token } };
  }

  /** Whether the token opens the meeting on behalf of its user. */
  opens(obfToken: string, meetingId: string): boolean {
    const minted = this.#obf.get(obfToken);
    return minted !== undefined && minted.meetingId === meetingId && this.#now() < minted.endsAtMs;
  }

  #exchange({ code, redirect_uri }: Readonly<Record<string, unknown>>): OauthResponse {
    const granted = typeof code === 'string' ? this.#codes.get(code) : undefined;
    this.#codes.delete(String(code));
    if (granted === undefined || this.#now() >= granted.endsAtMs) {
      return this.#refuse(400, { reason: 'Invalid authorization code', error: 'invalid_grant' });
    }
    if (redirect_uri !== granted.consent.redirectUri) {
      return this.#refuse(400, { reason: 'Redirect URI mismatch.', error: 'invalid_request' });
    }
    this.counts.exchanged += 1;
    return this.#grant(granted.consent, granted.consent.accessSeconds);
  }

  #renew({ refresh_token }: Readonly<Record<string, unknown>>): OauthResponse {
    const consent = this.#refresh.get(String(refresh_token));
    this.#refresh.delete(String(refresh_token));
    if (consent === undefined || consent.revoked) {
      return this.#refuse(400, { reason: 'Invalid Token!', error: 'invalid_grant' });
    }
    this.counts.renewed += 1;
    return this.#grant(consent, usualAccessSeconds);
  }

  #grant(consent: Consent, accessSeconds: number): OauthResponse {
    const access = fresh('access');
    const refresh = fresh('refresh');
    this.#access.set(access, { consent, endsAtMs: this.#now() + accessSeconds * 1_000 });
    this.#refresh.set(refresh, consent);
    const body = {
      access_token: access,
      token_type: 'bearer',
      refresh_token: refresh,
      expires_in: accessSeconds,
      scope: consent.scope,
    };
    return { status: 200, body };
  }

  #consentOf(accessToken: string): Consent | null {
    const granted = this.#access.get(accessToken);
    if (granted === undefined || granted.consent.revoked || this.#now() >= granted.endsAtMs) return null;
    return granted.consent;
  }

  #refuse(status: number, body: object): OauthResponse {
    this.counts.refused += 1;
    return { status, body };
  }
}

/** As long and unpredictable as the real ones, with a prefix that none of them has. */
function fresh(kind: string): string {
  return `simulated-${kind}-${randomBytes(48).toString('base64url')}`;
}

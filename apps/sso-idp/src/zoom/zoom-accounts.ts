import { OutboundFailure } from '@rapporteur/outbound-http';
import type { OutboundHttp, OutboundResponse } from '@rapporteur/outbound-http';
import { z } from 'zod';
import { readRetryAfter } from '@rapporteur/async';
import { Failure } from '@rapporteur/failures';

/** Zoom refused the request: a retry changes nothing. `sentence` may be shown to the customer. */
export class ZoomRefusal extends Error {
  readonly status: number;
  /** Zoom's own error code, when it has the usual form; null otherwise. */
  readonly reason: string | null;

  constructor(status: number, reason: string | null) {
    super(`Zoom refused it (HTTP status ${status}${reason === null ? '' : `, ${reason}`})`);
    this.name = 'ZoomRefusal';
    this.status = status;
    this.reason = reason;
  }
}

/** Zoom gave no usable response: too many requests, an error on its side, or none. Retryable. */
export class ZoomTimeout extends Error {
  /** The delay that Zoom requested. */
  readonly retryAfterMs: number | null;

  constructor(what: string, options: { readonly retryAfterMs?: number | null; readonly cause?: unknown } = {}) {
    super(what, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'ZoomTimeout';
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

interface ZoomRequest {
  readonly url: string;
  readonly authorization: string;
  /** Null: GET. */
  readonly form: Readonly<Record<string, string>> | null;
}

const timeoutMs = 6_000;
const longestResponseBytes = 65_536;

/** OAuth errors have `error`, REST API errors `code`. */
const refusal = z.object({ error: z.string().optional(), code: z.union([z.number(), z.string()]).optional() });

/** Returns the JSON of a response with status 200. @throws ZoomRefusal, ZoomTimeout */
async function requestZoom(http: Pick<OutboundHttp, 'request'>, internalRequest: ZoomRequest): Promise<unknown> {
  const { status, headers, bodyPrefix } = await send(http, internalRequest);
  const response = readJson(bodyPrefix);
  if (status === 200 && response !== undefined) return response;
  const reported = refusal.safeParse(response);
  const reason = reported.success ? (reported.data.error ?? reported.data.code ?? null) : null;
  // Zoom's refusals contain a reason; a response without one may come from an intermediary.
  if (status >= 400 && status < 500 && status !== 408 && status !== 429 && reason !== null) {
    throw new ZoomRefusal(status, harmless(reason));
  }
  throw new ZoomTimeout(`Zoom responded with HTTP status ${status}`, {
    retryAfterMs: readRetryAfter(headers['retry-after'], Date.now()),
  });
}

async function send(
  http: Pick<OutboundHttp, 'request'>,
  { url, authorization, form }: ZoomRequest,
): Promise<OutboundResponse> {
  const body = form === null ? null : Buffer.from(new URLSearchParams(form).toString());
  try {
    return await http.request({
      url,
      method: body === null ? 'GET' : 'POST',
      headers: {
        authorization,
        accept: 'application/json',
        ...(body === null ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(body === null ? {} : { body }),
      timeoutMs,
      maxResponseBytes: longestResponseBytes,
    });
  } catch (error) {
    if (error instanceof OutboundFailure || error instanceof Failure)
      throw new ZoomTimeout(`Zoom could not be reached (${error.message.replace(/\.$/, '')})`, { cause: error });
    throw error;
  }
}

function readJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

/** Zoom's own error code; anything else is not passed on. */
function harmless(reason: string | number): string | null {
  return /^[\w.-]{1,60}$/.test(String(reason)) ? String(reason) : null;
}

/** A customer's app. */
export interface ZoomApp {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The consent of a user, as long as it lasts. */
export interface ZoomConsent {
  readonly accessToken: string;
  /** Valid for one use: a renewal returns another. */
  readonly refreshToken: string;
  readonly expiresInMs: number;
  readonly scopes: string | null;
}

export interface ZoomUser {
  readonly id: string;
  readonly accountId: string | null;
  readonly email: string | null;
  readonly displayName: string | null;
}

/** The requests of this service to Zoom. All reject with ZoomRefusal or ZoomTimeout. */
export interface ZoomAccounts {
  exchange(app: ZoomApp, code: { readonly code: string; readonly redirectUri: string }): Promise<ZoomConsent>;
  renew(app: ZoomApp, refreshToken: string): Promise<ZoomConsent>;
  readUser(accessToken: string): Promise<ZoomUser>;
  /** A token to join this meeting on behalf of the user, once. */
  mintOnBehalf(accessToken: string, meetingId: string): Promise<string>;
}

export interface ZoomAccountsOptions {
  readonly http: Pick<OutboundHttp, 'request'>;
  readonly oauthUrl: string;
  readonly apiUrl: string;
}

const token = z.string().regex(/^[\x21-\x7e]{1,8192}$/);
const consentResponse = z.object({
  access_token: token,
  refresh_token: token,
  expires_in: z.number().positive(),
  scope: z.string().max(10_000).optional(),
});
const text = z.string().min(1).max(1_000).nullish();
const userResponse = z.object({
  id: z.string().min(1).max(255),
  account_id: text,
  email: text,
  display_name: text,
  first_name: text,
  last_name: text,
});
const tokenResponse = z.object({ token });

export function createZoomAccounts({ http, oauthUrl, apiUrl }: ZoomAccountsOptions): ZoomAccounts {
  const consent = async (app: ZoomApp, form: Record<string, string>): Promise<ZoomConsent> => {
    const pair = Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64');
    const response = await requestZoom(http, {
      url: `${oauthUrl}/oauth/token`,
      authorization: `Basic ${pair}`,
      form,
    });
    const read = fitting(consentResponse, response);
    return {
      accessToken: read.access_token,
      refreshToken: read.refresh_token,
      expiresInMs: read.expires_in * 1_000,
      scopes: read.scope ?? null,
    };
  };
  const api = (path: string, accessToken: string): Promise<unknown> =>
    requestZoom(http, { url: `${apiUrl}/v2${path}`, authorization: `Bearer ${accessToken}`, form: null });
  return {
    exchange: (app, { code, redirectUri }) =>
      consent(app, { grant_type: 'authorization_code', code, redirect_uri: redirectUri }),
    renew: (app, refreshToken) => consent(app, { grant_type: 'refresh_token', refresh_token: refreshToken }),
    readUser: async (accessToken) => {
      const user = fitting(userResponse, await api('/users/me', accessToken));
      const names = [user.first_name, user.last_name].filter((name) => typeof name === 'string').join(' ');
      return {
        id: user.id,
        accountId: user.account_id ?? null,
        email: user.email ?? null,
        displayName: user.display_name ?? (names === '' ? null : names),
      };
    },
    mintOnBehalf: async (accessToken, meetingId) => {
      const query = new URLSearchParams({ type: 'onbehalf', meeting_id: meetingId });
      return fitting(tokenResponse, await api(`/users/me/token?${query.toString()}`, accessToken)).token;
    },
  };
}

/** The content of an unexpected response is not reported: it may contain a token. */
function fitting<T>(schema: z.ZodType<T>, response: unknown): T {
  const read = schema.safeParse(response);
  if (read.success) return read.data;
  const fields = read.error.issues.map(({ path }) => path.join('.')).join(', ');
  throw new ZoomTimeout(`Zoom's response does not have the expected form (${fields})`);
}

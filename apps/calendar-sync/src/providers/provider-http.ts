import { readRetryAfter } from '@rapporteur/async';
import { readableOf } from '@rapporteur/contracts';
import { Failure } from '@rapporteur/failures';
import { OutboundFailure } from '@rapporteur/outbound-http';
import type { OutboundResponse, OutboundHttp } from '@rapporteur/outbound-http';
import { z } from 'zod';
import { ProviderError } from './calendar-provider.ts';
import type { ProviderErrorKind } from './calendar-provider.ts';

export interface ProviderRequest {
  readonly url: string;
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly accessToken?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: object;
  readonly form?: Readonly<Record<string, string>>;
}

export interface ProviderHttpOptions {
  readonly http: Pick<OutboundHttp, 'request'>;
  /** The provider's name in errors. */
  readonly provider: string;
}

/** The JSON of a successful response, null for an empty one. Rejects with ProviderError. */
export type ProviderHttp = (request: ProviderRequest) => Promise<unknown>;

const timeoutMs = 20_000;
const largestResponseBytes = 24 * 1_048_576;

const refusal = z.object({
  error: z.union([
    z.string(),
    z.object({
      code: z.union([z.string(), z.number()]).optional(),
      errors: readableOf(z.object({ reason: z.string().optional() })).optional(),
    }),
  ]),
});

const busyReasons =
  /^(rateLimitExceeded|userRateLimitExceeded|quotaExceeded|dailyLimitExceeded|calendarUsageLimitsExceeded)$/;
const lostStateReasons = /^(fullSyncRequired|updatedMinTooLongAgo|syncStateNotFound|syncStateInvalid|resyncRequired)$/i;

export function createProviderHttp({ http, provider }: ProviderHttpOptions): ProviderHttp {
  return async (request) => {
    const { status, headers, bodyPrefix } = await send(http, provider, request);
    const body = readJson(bodyPrefix);
    if (status >= 200 && status < 300) return body ?? null;
    const reason = reasonOf(body);
    const kind = kindOf(status, reason);
    throw new ProviderError(
      kind,
      `${provider} responded with HTTP status ${status}${reason === null ? '' : ` (${reason})`}.`,
      { retryAfterMs: readRetryAfter(headers['retry-after'], Date.now()) },
    );
  };
}

async function send(
  http: Pick<OutboundHttp, 'request'>,
  provider: string,
  { url, method = 'GET', accessToken, headers = {}, json, form }: ProviderRequest,
): Promise<OutboundResponse> {
  const body =
    json !== undefined ? JSON.stringify(json) : form === undefined ? null : new URLSearchParams(form).toString();
  const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json';
  try {
    return await http.request({
      url,
      method,
      headers: {
        accept: 'application/json',
        ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
        ...(body === null ? {} : { 'content-type': type }),
        ...headers,
      },
      ...(body === null ? {} : { body: Buffer.from(body) }),
      timeoutMs,
      maxResponseBytes: largestResponseBytes,
    });
  } catch (error) {
    if (error instanceof OutboundFailure || error instanceof Failure)
      throw new ProviderError('unreachable', `${provider} could not be reached. ${error.message}`, { cause: error });
    throw error;
  }
}

function kindOf(status: number, reason: string | null): ProviderErrorKind {
  if (reason === 'invalid_grant' || reason === 'interaction_required') return 'revoked';
  if (reason === 'invalid_client' || reason === 'unauthorized_client') return 'bad-client';
  if (status === 410 || (reason !== null && lostStateReasons.test(reason))) return 'cursor-expired';
  if (status === 429 || (status === 403 && reason !== null && busyReasons.test(reason))) return 'busy';
  if (status === 401) return 'expired';
  if (status === 403) return 'denied';
  if (status === 404) return 'gone';
  return status >= 500 || status === 408 ? 'unreachable' : 'refused';
}

/** The provider's error code; other text is not passed on. */
function reasonOf(body: unknown): string | null {
  const read = refusal.safeParse(body);
  if (!read.success) return null;
  const { error } = read.data;
  const word = typeof error === 'string' ? error : (error.errors?.[0]?.reason ?? error.code);
  return /^[\w.-]{1,60}$/.test(String(word)) ? String(word) : null;
}

function readJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

/** Invalid content is not repeated in messages: it may contain a token. */
export function fitting<T>(schema: z.ZodType<T>, body: unknown, provider: string): T {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const fields = [...new Set(read.error.issues.map(({ path }) => path.join('.')))].slice(0, 5).join(', ');
  throw new ProviderError('unreadable', `${provider} sent a response of an unknown form (${fields}).`);
}

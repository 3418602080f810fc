import { readRetryAfter } from '@rapporteur/async';
import { Failure } from '@rapporteur/failures';
import { OutboundFailure } from '@rapporteur/outbound-http';
import type { OutboundResponse, OutboundHttp } from '@rapporteur/outbound-http';
import { z } from 'zod';
import { ZoomRefusal, ZoomTimeout } from './zoom-failures.ts';

export interface ZoomRequest {
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
export async function requestZoom(http: Pick<OutboundHttp, 'request'>, internalRequest: ZoomRequest): Promise<unknown> {
  const { status, headers, bodyPrefix } = await send(http, internalRequest);
  const response = readJson(bodyPrefix);
  if (status === 200 && response !== undefined) return response;
  const reported = refusal.safeParse(response);
  const reason = reported.success ? (reported.data.error ?? reported.data.code ?? null) : null;
  // Zoom's refusals contain a reason; a response without one may come from an intermediary.
  if (status >= 400 && status < 500 && status !== 408 && status !== 429 && reason !== null) {
    throw new ZoomRefusal(status, harmless(reason));
  }
  throw new ZoomTimeout(`Zoom answered with HTTP status ${status}`, {
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

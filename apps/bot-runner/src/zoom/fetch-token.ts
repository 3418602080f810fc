import { unwrapLegacyExtra } from '@rapporteur/contracts';
import { Failure } from '@rapporteur/failures';
import { OutboundFailure } from '@rapporteur/outbound-http';
import type { OutboundHttp } from '@rapporteur/outbound-http';

export interface TokenRequest {
  readonly url: string;
  readonly botId: string;
  readonly extra: Record<string, unknown> | null;
}

/** A token, or a sentence that states why there is none; it contains neither the address nor the response. */
export type TokenResponse = { readonly token: string } | { readonly token: null; readonly why: string };

const tokenTimeoutMs = 15_000;
const longestResponseBytes = 8_192;

/**
 * Requests a token from a customer's address: GET with `bot_uuid` and `extra`; the response is plain ASCII text, within
 * 15 s.
 */
export async function fetchToken(
  http: Pick<OutboundHttp, 'request'>,
  internalRequest: TokenRequest,
  signal?: AbortSignal,
): Promise<TokenResponse> {
  try {
    const { status, bodyPrefix } = await http.request({
      url: addressOf(internalRequest),
      method: 'GET',
      headers: { accept: 'text/plain' },
      timeoutMs: tokenTimeoutMs,
      maxResponseBytes: longestResponseBytes,
      ...(signal === undefined ? {} : { signal }),
    });
    if (status !== 200) return { token: null, why: `it answered with HTTP status ${status} instead of 200` };
    return readToken(bodyPrefix);
  } catch (error) {
    if (error instanceof OutboundFailure || error instanceof Failure)
      return { token: null, why: inside(error.message) };
    throw error;
  }
}

function addressOf({ url, botId, extra }: TokenRequest): string {
  const address = new URL(url);
  address.searchParams.set('bot_uuid', botId);
  address.searchParams.set('extra', JSON.stringify(unwrapLegacyExtra(extra)));
  return address.href;
}

/** The token in a response body. */
export function readToken(body: Buffer): TokenResponse {
  const text = body.toString('latin1').trim();
  if (text === '') return { token: null, why: 'its answer is empty' };
  if (!/^[\x21-\x7e]+$/.test(text)) {
    return { token: null, why: 'its answer is not one token in plain ASCII text' };
  }
  return { token: text };
}

/** Embeds a sentence in another. */
function inside(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '');
}

import { unwrapLegacyExtra } from '@rapporteur/contracts';
import type { ZoomInvocation, JoinTokenReply } from '@rapporteur/contracts';
import type { SdkTokens } from '@rapporteur/meeting-platforms';
import { OutboundFailure } from '@rapporteur/outbound-http';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import type { Logger } from '@rapporteur/service-runtime/process';
import { Failure } from '@rapporteur/failures';
import type { AttendanceListener } from '../attendance/attendance-listener.ts';
import type { CodedEnd } from '../attendance/end-codes.ts';

export interface ZoomTokensPorts {
  readonly zoom: ZoomInvocation;
  readonly botId: string;
  /** The result of the bot's stored credential for one join. */
  readonly requestCredential: () => Promise<JoinTokenReply>;
  readonly http: Pick<OutboundHttp, 'request' | 'close'>;
  readonly now: () => number;
  readonly logger: Logger;
}

type Kind = 'obf' | 'zak';
type Given = Extract<JoinTokenReply, { outcome: 'token' }>;
type Outcome = SdkTokens | { readonly missing: Kind; readonly end: CodedEnd };

/** A join that is retried within this time uses the same token. */
const freshMs = 60_000;
const words: Readonly<
  Record<Kind, { readonly code: CodedEnd['code']; readonly what: string; readonly field: string }>
> = {
  obf: { code: 'ALPHA_OBF_TOKEN_ERROR', what: 'OBF token', field: 'obf_token_url' },
  zak: { code: 'ALPHA_ACCESS_TOKEN_ERROR', what: 'ZAK', field: 'zak_token_url' },
};

/**
 * The tokens that a Zoom bot joins with, as a listener of its attendance: the first token is requested before joining.
 */
export class ZoomTokens implements AttendanceListener {
  readonly #ports: ZoomTokensPorts;
  #fetched: { readonly token: string; readonly atMs: number } | null = null;
  #given: { readonly response: Given; readonly atMs: number } | null = null;

  constructor(ports: ZoomTokensPorts) {
    this.#ports = ports;
  }

  /**
   * For this meeting, by the app that the bot joins with. Empty without one: the bot then ends before any page is
   * opened.
   */
  get signature(): string {
    return this.#given?.response.sdk.signature ?? this.#ports.zoom.sdk?.signature ?? '';
  }

  /** Before the page is opened: a missing token keeps the bot from joining, with a message that states what to do. */
  async ready(signal: AbortSignal): Promise<CodedEnd | null> {
    const { sdk, storedCredential } = this.#ports.zoom;
    if (sdk === null && !storedCredential) return noSignature;
    const response = await this.#get(signal);
    return 'end' in response ? response.end : null;
  }

  /** For one join. */
  async give(): Promise<SdkTokens | { readonly missing: Kind }> {
    const response = await this.#get();
    return 'end' in response ? { missing: response.missing } : response;
  }

  async over(): Promise<void> {
    this.#ports.http.close();
  }

  async #get(signal?: AbortSignal): Promise<Outcome> {
    const { obfToken, obfTokenUrl, zakTokenUrl, storedCredential } = this.#ports.zoom;
    if (storedCredential) return await this.#sendRequest();
    if (obfToken !== null) return { obf: obfToken, zak: null };
    const kind: Kind = obfTokenUrl === null ? 'zak' : 'obf';
    const url = obfTokenUrl ?? zakTokenUrl;
    if (url === null) return { obf: null, zak: null };
    const fetched = await this.#fetch(kind, url, signal);
    if (typeof fetched !== 'string') return { missing: kind, end: fetched };
    return { obf: null, zak: null, [kind]: fetched };
  }

  async #sendRequest(): Promise<Outcome> {
    const { requestCredential, now, logger } = this.#ports;
    if (this.#given === null || now() - this.#given.atMs >= freshMs) {
      const response = await requestCredential();
      logger.info({ outcome: response.outcome }, 'A token of the stored credential was requested.');
      if (response.outcome === 'refused') return { missing: 'obf', end: this.#withoutCredential(response.message) };
      this.#given = { response, atMs: now() };
    }
    return { obf: this.#given.response.obfToken, zak: null };
  }

  #withoutCredential(why: string): CodedEnd {
    const { code } = words.obf;
    const message = `The stored Zoom credential gave no OBF token. ${why}`;
    this.#ports.logger.warn({ code }, message);
    return { code, message };
  }

  async #fetch(kind: Kind, url: string, signal?: AbortSignal): Promise<string | CodedEnd> {
    const { botId, zoom, http, now, logger } = this.#ports;
    if (this.#fetched !== null && now() - this.#fetched.atMs < freshMs) return this.#fetched.token;
    const response = await fetchToken(http, { url, botId, extra: zoom.extra }, signal);
    const { code, what, field } = words[kind];
    logger.info({ kind, got: response.token !== null }, `The ${what} was requested.`);
    if (response.token !== null) {
      this.#fetched = { token: response.token, atMs: now() };
      return response.token;
    }
    const message = `There is no ${what} from the address in ${field}: ${response.why}. It has to respond to GET with the ${what} as plain text within 15 seconds.`;
    logger.warn({ code, why: response.why }, message);
    return { code, message };
  }
}

const noSignature: CodedEnd = {
  code: 'CANNOT_GET_JWT_TOKEN',
  message:
    'No signature for the Meeting SDK could be made: the SDK app that this bot was created for is no longer configured here. Send the bot again once it is.',
};

interface TokenRequest {
  readonly url: string;
  readonly botId: string;
  readonly extra: Record<string, unknown> | null;
}

/** A token, or a sentence that states why there is none; it contains neither the address nor the response. */
type TokenResponse = { readonly token: string } | { readonly token: null; readonly why: string };

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
    if (status !== 200) return { token: null, why: `it responded with HTTP status ${status} instead of 200` };
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
  if (text === '') return { token: null, why: 'its response is empty' };
  if (!/^[\x21-\x7e]+$/.test(text)) {
    return { token: null, why: 'its response is not one token in plain ASCII text' };
  }
  return { token: text };
}

/** Embeds a sentence in another. */
function inside(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '');
}

import type { AlphaInvocation } from '@rapporteur/contracts';
import type { SdkTokens } from '@rapporteur/meeting-platforms';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import type { Logger } from '@rapporteur/service-runtime/process';
import type { Companion } from '../attendance/companion.ts';
import type { CodedEnd } from '../attendance/end-codes.ts';
import { fetchToken } from './fetch-token.ts';

export interface AlphaTokensPorts {
  readonly alpha: AlphaInvocation;
  readonly botId: string;
  readonly http: Pick<OutboundHttp, 'request' | 'close'>;
  readonly now: () => number;
  readonly logger: Logger;
}

type Kind = 'obf' | 'zak';

/** A join that is tried again a moment later brings the same token. */
const freshMs = 60_000;
const words: Readonly<
  Record<Kind, { readonly code: CodedEnd['code']; readonly what: string; readonly field: string }>
> = {
  obf: { code: 'ALPHA_OBF_TOKEN_ERROR', what: 'OBF token', field: 'obf_token_url' },
  zak: { code: 'ALPHA_ACCESS_TOKEN_ERROR', what: 'ZAK', field: 'zak_token_url' },
};

/** What a bot of the first platform joins with. Goes along with the attendance: the first token is got before joining. */
export class AlphaTokens implements Companion {
  readonly #ports: AlphaTokensPorts;
  #fetched: { readonly token: string; readonly atMs: number } | null = null;

  constructor(ports: AlphaTokensPorts) {
    this.#ports = ports;
  }

  /** Before the page is opened: what cannot be had keeps the bot from joining, with words that say what to do. */
  async ready(signal: AbortSignal): Promise<CodedEnd | null> {
    if (this.#ports.alpha.sdk === null) return noSignature;
    const answer = await this.#get(signal);
    return 'end' in answer ? answer.end : null;
  }

  /** For one join. */
  async give(): Promise<SdkTokens | { readonly missing: Kind }> {
    const answer = await this.#get();
    return 'end' in answer ? { missing: answer.missing } : answer;
  }

  async over(): Promise<void> {
    this.#ports.http.close();
  }

  async #get(signal?: AbortSignal): Promise<SdkTokens | { readonly missing: Kind; readonly end: CodedEnd }> {
    const { obfToken, obfTokenUrl, zakTokenUrl } = this.#ports.alpha;
    if (obfToken !== null) return { obf: obfToken, zak: null };
    const kind: Kind = obfTokenUrl === null ? 'zak' : 'obf';
    const url = obfTokenUrl ?? zakTokenUrl;
    if (url === null) return { obf: null, zak: null };
    const fetched = await this.#fetch(kind, url, signal);
    if (typeof fetched !== 'string') return { missing: kind, end: fetched };
    return { obf: null, zak: null, [kind]: fetched };
  }

  async #fetch(kind: Kind, url: string, signal?: AbortSignal): Promise<string | CodedEnd> {
    const { botId, alpha, http, now, logger } = this.#ports;
    if (this.#fetched !== null && now() - this.#fetched.atMs < freshMs) return this.#fetched.token;
    const answer = await fetchToken(http, { url, botId, extra: alpha.extra }, signal);
    const { code, what, field } = words[kind];
    logger.info({ kind, got: answer.token !== null }, `The ${what} was asked for.`);
    if (answer.token !== null) {
      this.#fetched = { token: answer.token, atMs: now() };
      return answer.token;
    }
    const message = `There is no ${what} from the address in ${field}: ${answer.why}. It has to answer GET with the ${what} as plain text within 15 seconds.`;
    logger.warn({ code, why: answer.why }, message);
    return { code, message };
  }
}

const noSignature: CodedEnd = {
  code: 'CANNOT_GET_JWT_TOKEN',
  message:
    'No signature for the Meeting SDK could be made: the SDK app that this bot was created for is no longer configured here. Send the bot again once it is.',
};

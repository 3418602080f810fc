import type { AlphaInvocation, JoinTokenReply } from '@rapporteur/contracts';
import type { SdkTokens } from '@rapporteur/meeting-platforms';
import type { OutboundHttp } from '@rapporteur/outbound-http';
import type { Logger } from '@rapporteur/service-runtime/process';
import type { Companion } from '../attendance/companion.ts';
import type { CodedEnd } from '../attendance/end-codes.ts';
import { fetchToken } from './fetch-token.ts';

export interface AlphaTokensPorts {
  readonly alpha: AlphaInvocation;
  readonly botId: string;
  /** What the bot's stored credential gives for one join. */
  readonly askCredential: () => Promise<JoinTokenReply>;
  readonly http: Pick<OutboundHttp, 'request' | 'close'>;
  readonly now: () => number;
  readonly logger: Logger;
}

type Kind = 'obf' | 'zak';
type Given = Extract<JoinTokenReply, { outcome: 'token' }>;
type Outcome = SdkTokens | { readonly missing: Kind; readonly end: CodedEnd };

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
  #given: { readonly answer: Given; readonly atMs: number } | null = null;

  constructor(ports: AlphaTokensPorts) {
    this.#ports = ports;
  }

  /** For this meeting, by the app that the bot joins with. Empty without one: the bot then ends before any page is opened. */
  get signature(): string {
    return this.#given?.answer.sdk.signature ?? this.#ports.alpha.sdk?.signature ?? '';
  }

  /** Before the page is opened: what cannot be had keeps the bot from joining, with words that say what to do. */
  async ready(signal: AbortSignal): Promise<CodedEnd | null> {
    const { sdk, storedCredential } = this.#ports.alpha;
    if (sdk === null && !storedCredential) return noSignature;
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

  async #get(signal?: AbortSignal): Promise<Outcome> {
    const { obfToken, obfTokenUrl, zakTokenUrl, storedCredential } = this.#ports.alpha;
    if (storedCredential) return await this.#ask();
    if (obfToken !== null) return { obf: obfToken, zak: null };
    const kind: Kind = obfTokenUrl === null ? 'zak' : 'obf';
    const url = obfTokenUrl ?? zakTokenUrl;
    if (url === null) return { obf: null, zak: null };
    const fetched = await this.#fetch(kind, url, signal);
    if (typeof fetched !== 'string') return { missing: kind, end: fetched };
    return { obf: null, zak: null, [kind]: fetched };
  }

  async #ask(): Promise<Outcome> {
    const { askCredential, now, logger } = this.#ports;
    if (this.#given === null || now() - this.#given.atMs >= freshMs) {
      const answer = await askCredential();
      logger.info({ outcome: answer.outcome }, 'The stored credential was asked for a token.');
      if (answer.outcome === 'refused') return { missing: 'obf', end: this.#withoutCredential(answer.message) };
      this.#given = { answer, atMs: now() };
    }
    return { obf: this.#given.answer.obfToken, zak: null };
  }

  #withoutCredential(why: string): CodedEnd {
    const { code } = words.obf;
    const message = `The stored Zoom credential gave no OBF token. ${why}`;
    this.#ports.logger.warn({ code }, message);
    return { code, message };
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

import { waitUntil } from './waiting.ts';

/** What the API says of a bot, as far as the tests read it (specification 2.2). */
export interface BotDetails {
  readonly bot_id: string;
  readonly status: string;
  readonly joined_at: string | null;
  readonly exited_at: string | null;
  readonly duration_seconds: number | null;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly end_reason: string | null;
  readonly participants: readonly { readonly id: number | null; readonly name: string }[];
  readonly speakers: readonly { readonly id: number | null; readonly name: string }[];
  readonly video: string | null;
  readonly audio: string | null;
  readonly diarization: string | null;
  readonly chat_messages: string | null;
  readonly tokens: { readonly total: number; readonly recording: number } | null;
  readonly extra: Record<string, unknown> | null;
}

export interface Answer<T = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

/** The REST API as a customer's program calls it. */
export class ApiClient {
  readonly #url: string;
  readonly #key: string;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  async call<T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    key: string | null = this.#key,
  ): Promise<Answer<T>> {
    const response = await fetch(`${this.#url}${path}`, {
      method,
      headers: {
        ...(key === null ? {} : { 'x-service-api-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(15_000),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as T };
  }

  async createBot(configuration: Record<string, unknown>): Promise<string> {
    const answer = await this.call<{ data: { bot_id: string } }>('POST', '/v2/bots', configuration);
    if (answer.status !== 201)
      throw new Error(`POST /v2/bots answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body.data.bot_id;
  }

  async bot(botId: string): Promise<BotDetails> {
    const answer = await this.call<{ data: BotDetails }>('GET', `/v2/bots/${botId}`);
    if (answer.status !== 200) throw new Error(`GET bot answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  }

  /** The details once the bot has one of these statuses. Fails at once when it ended with another. */
  async waitForStatus(botId: string, wanted: readonly string[], timeoutMs: number): Promise<BotDetails> {
    return waitUntil(
      async () => {
        const bot = await this.bot(botId);
        if (wanted.includes(bot.status)) return bot;
        if (['completed', 'failed'].includes(bot.status)) {
          throw new Error(
            `The bot ended ${bot.status} (${bot.error_code}: ${bot.error_message}), wanted ${wanted.join(' or ')}.`,
          );
        }
        return null;
      },
      { what: `bot ${botId} to be ${wanted.join(' or ')}`, timeoutMs, everyMs: 250 },
    );
  }
}

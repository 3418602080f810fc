import { createRapporteurClient } from '@rapporteur/sdk';
import type { components, RapporteurClient } from '@rapporteur/sdk';
import type { ReceivedCall } from '@rapporteur/testbed/receiver';
import { waitFor } from '@rapporteur/testbed';

/** A bot in the API (specification 2.2). */
export type BotDetails = components['schemas']['BotDetails'];

export interface ServiceResponse<T = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

/** The REST API as used by a customer's program: through the SDK, or directly where a request must be invalid. */
export class ApiClient {
  readonly sdk: RapporteurClient;
  readonly #url: string;
  readonly #key: string;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
    this.sdk = createRapporteurClient({ baseUrl: url, apiKey: key });
  }

  async call<T = unknown>(
    method: string,
    path: string,
    body?: unknown,
    key: string | null = this.#key,
  ): Promise<ServiceResponse<T>> {
    const response = await fetch(`${this.#url}${path}`, {
      method,
      headers: {
        ...(key === null ? {} : { 'x-service-api-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as T };
  }

  async createBot(body: Parameters<RapporteurClient['createBot']>[0]['body']): Promise<string> {
    return (await this.sdk.createBot({ body })).bot_id;
  }

  bot(botId: string): Promise<BotDetails> {
    return this.sdk.getBot({ bot_id: botId });
  }

  /** The details once the bot has one of these statuses. Fails at once when it ended with another. */
  async waitForStatus(botId: string, wanted: readonly string[], timeoutMs = 0): Promise<BotDetails> {
    const bot = await waitFor(
      async () => {
        const now = await this.bot(botId);
        return [...wanted, 'completed', 'failed'].includes(now.status) ? now : null;
      },
      { what: `bot ${botId} to be ${wanted.join(' or ')}`, timeoutMs: Math.max(timeoutMs, 120_000), pollMs: 250 },
    );
    if (wanted.includes(bot.status)) return bot;
    throw new Error(
      `The bot ended ${bot.status} (${bot.error_code}: ${bot.error_message}), expected ${wanted.join(' or ')}.`,
    );
  }
}

/** The event of a webhook. */
export const eventOf = ({ body }: ReceivedCall): string => (JSON.parse(String(body)) as { event: string }).event;

import { setTimeout as sleep } from 'node:timers/promises';
import { numberedMeeting } from '@rapporteur/api-fuzz';

export interface BotDetails {
  readonly status: string;
  readonly video: string | null;
  readonly integrity: string | null;
}

/** A customer that repeats every request without a final response, with the same idempotency key. */
export interface Customer {
  /** Resolves with the id of the bot that was accepted; it needs no browser. */
  sendBot(number: number, meetingUrl: string): Promise<string>;
  /** As `sendBot`, for a bot with a browser. */
  sendRealBot(meetingUrl: string): Promise<string>;
  leave(botId: string): Promise<void>;
  listenAt(webhookUrl: string): Promise<void>;
  detailsOf(botId: string): Promise<BotDetails>;
  /** Whether the service has the bot. */
  knows(botId: string): Promise<boolean>;
}

/** The longest freeze, and several claims of a request with an unknown outcome (20 s each). */
const giveUpMs = 240_000;
const tryAgainMs = 300;

export function createCustomer(apiUrl: string, apiKey: string): Customer {
  const sendRequest = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const headers = {
      'x-service-api-key': apiKey,
      'content-type': 'application/json',
      ...(method === 'POST' ? { 'idempotency-key': crypto.randomUUID() } : {}),
    };
    const untilMs = Date.now() + giveUpMs;
    let last = '';
    for (; Date.now() < untilMs; await sleep(tryAgainMs)) {
      try {
        const response = await fetch(`${apiUrl}${path}`, {
          method,
          headers,
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(20_000),
        });
        const text = await response.text();
        if (response.ok) return (JSON.parse(text) as { data: T }).data;
        last = `${response.status} ${text}`;
        const passes = response.status >= 500 || response.status === 429 || response.status === 409;
        if (!passes) throw new RefusedForGood(`${method} ${path} was refused: ${last}`);
      } catch (error) {
        if (error instanceof RefusedForGood) throw error;
        last = (error as Error).message;
      }
    }
    throw new Error(`${method} ${path} had no success within ${giveUpMs} ms, at last: ${last}`);
  };
  return {
    sendBot: async (number, meetingUrl) => {
      const wanted = { bot_name: `Bot ${number}`, meeting_url: numberedMeeting(number), entry_message: meetingUrl };
      return (await sendRequest<{ bot_id: string }>('POST', '/v2/bots', wanted)).bot_id;
    },
    sendRealBot: async (meetingUrl) => {
      const wanted = { bot_name: 'Recorder', meeting_url: meetingUrl };
      return (await sendRequest<{ bot_id: string }>('POST', '/v2/bots', wanted)).bot_id;
    },
    leave: async (botId) => void (await sendRequest('POST', `/v2/bots/${botId}/leave`)),
    listenAt: async (url) => void (await sendRequest('POST', '/v2/webhooks/endpoints', { url })),
    detailsOf: (botId) => sendRequest<BotDetails>('GET', `/v2/bots/${botId}`),
    knows: async (botId) => {
      const headers = { 'x-service-api-key': apiKey };
      const { status } = await fetch(`${apiUrl}/v2/bots/${botId}`, { headers, signal: AbortSignal.timeout(20_000) });
      if (status !== 200 && status !== 404) throw new Error(`GET /v2/bots/${botId} got ${status}.`);
      return status === 200;
    },
  };
}

class RefusedForGood extends Error {
  override readonly name = 'RefusedForGood';
}

import { internalCalls } from '@rapporteur/contracts';
import { createClient } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';

/** Field of bot-scheduler for the API key that a legacy bot was created with. */
export const legacyKeyField = 'legacy_api_key';
/** Header in which receivers of the first API generation expect that key. */
export const legacyKeyHeader = 'x-service-api-key';

export interface BotSecretPlace {
  readonly botId: string;
  readonly teamId: string;
  readonly field: string;
}

/**
 * Requests a secret of a bot from bot-scheduler at sending time: it is neither stored nor logged here. Null when it
 * does not exist any more. Throws UNAVAILABLE when bot-scheduler does not respond.
 */
export type RequestBotSecret = (place: BotSecretPlace) => Promise<string | null>;

export function requestScheduler(auth: InternalAuth, schedulerUrl: string): RequestBotSecret {
  const bots = createClient(internalCalls.bots, { auth, service: 'bot-scheduler', baseUrl: schedulerUrl });
  return async (place) => (await bots.secret(place)).secret;
}

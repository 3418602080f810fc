import { botSecretReply, internalRoutes } from '@rapporteur/contracts';
import { createRequestSender } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';

/** Field under which bot-scheduler keeps the API key a legacy bot was made with. */
export const legacyKeyField = 'legacy_api_key';
/** Header in which receivers of the first API generation look for it. */
export const legacyKeyHeader = 'x-service-api-key';

export interface BotSecretPlace {
  readonly botId: string;
  readonly teamId: string;
  readonly field: string;
}

/**
 * Asks the bot's owner for one of its secrets, at the moment it is sent and only for that: it is not kept and not logged
 * here. Null when there is none any more. Throws UNAVAILABLE when nobody can say now.
 */
export type RequestBotSecret = (place: BotSecretPlace) => Promise<string | null>;

export function requestScheduler(auth: InternalAuth, schedulerUrl: string): RequestBotSecret {
  const sendRequest = createRequestSender({ auth, service: 'bot-scheduler', baseUrl: schedulerUrl });
  return async (place) => {
    const { teamId } = place;
    return (await sendRequest({ path: internalRoutes.botSecrets, body: place, reply: botSecretReply, teamId })).secret;
  };
}

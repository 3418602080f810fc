import { botSecretReply, internalRoutes } from '@rapporteur/contracts';
import { createAsk } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';

export interface BotSecretPlace {
  readonly botId: string;
  readonly teamId: string;
  readonly field: string;
}

/**
 * Asks the bot's owner for one of its secrets, at the moment it is sent and only for that: it is not kept and not logged
 * here. Null when there is none any more. Throws UNAVAILABLE when nobody can say now.
 */
export type AskBotSecret = (place: BotSecretPlace) => Promise<string | null>;

export function askScheduler(auth: InternalAuth, schedulerUrl: string): AskBotSecret {
  const ask = createAsk({ auth, service: 'bot-scheduler', baseUrl: schedulerUrl });
  return async (place) => {
    const { teamId } = place;
    return (await ask({ path: internalRoutes.botSecrets, body: place, reply: botSecretReply, teamId })).secret;
  };
}

import { botSecretReply, internalRoutes } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
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

const timeoutMs = 5_000;

export function askScheduler(auth: InternalAuth, schedulerUrl: string): AskBotSecret {
  const url = new URL(internalRoutes.botSecrets, schedulerUrl).href;
  return async (place) => {
    const response = await auth
      .fetch('bot-scheduler', url, {
        method: 'POST',
        teamId: place.teamId,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(place),
        timeoutMs,
      })
      .catch((error: unknown) => {
        throw fail('UNAVAILABLE', { cause: error });
      });
    if (!response.ok) throw fail('UNAVAILABLE', { cause: new Error(`bot-scheduler answered ${response.status}.`) });
    const body: unknown = await response.json().catch(() => null);
    const reply = botSecretReply.safeParse(body);
    // The parse error is dropped: it could quote what was answered.
    if (!reply.success) throw fail('UNAVAILABLE', { cause: new Error('bot-scheduler answered in an unknown shape.') });
    return reply.data.secret;
  };
}

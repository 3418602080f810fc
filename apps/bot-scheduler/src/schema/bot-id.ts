import type { Request } from 'express';
import { addToLog, idOf, teamOf } from '@rapporteur/service-runtime';

/** A bot and the requesting team. */
export interface BotPlace {
  readonly botId: string;
  readonly teamId: string;
}

/** The bot id of the path. Text that is not an id is BOT_NOT_FOUND. */
export function readBotId(request: Request): string {
  return idOf(request, 'bot_id', 'BOT_NOT_FOUND');
}

/** The bot and the team of a request, which are also added to the log line. */
export function placeOf(request: Request): BotPlace {
  const place = { teamId: teamOf(request), botId: readBotId(request) };
  addToLog(request, { ...place });
  return place;
}

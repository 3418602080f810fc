import type { Request } from 'express';
import { z } from 'zod';
import { fail } from '@rapporteur/failures';
import { addToLog, teamOf } from '@rapporteur/service-runtime';
import type { BotPlace } from './lifecycle/bots.store.ts';

/** The bot id of the path. Text that is not an id is BOT_NOT_FOUND. */
export function readBotId(request: Request): string {
  const id = z.uuid().safeParse(request.params['bot_id']);
  if (!id.success) throw fail('BOT_NOT_FOUND');
  return id.data.toLowerCase();
}

/** The bot and the team of a request, which are also added to the log line. */
export function placeOf(request: Request): BotPlace {
  const place = { teamId: teamOf(request), botId: readBotId(request) };
  addToLog(request, { ...place });
  return place;
}

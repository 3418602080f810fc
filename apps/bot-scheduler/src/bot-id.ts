import type { Request } from 'express';
import { z } from 'zod';
import { fail } from '@rapporteur/failures';
import { addToLog, teamOf } from '@rapporteur/service-runtime';
import type { BotPlace } from './lifecycle/bots.store.ts';

/** The bot id of the path. A text that is no id names no bot: BOT_NOT_FOUND. */
export function readBotId(request: Request): string {
  const id = z.uuid().safeParse(request.params['bot_id']);
  if (!id.success) throw fail('BOT_NOT_FOUND');
  return id.data.toLowerCase();
}

/** The bot that a request is about and the team that asks, both in the log line too. */
export function placeOf(request: Request): BotPlace {
  const place = { teamId: teamOf(request), botId: readBotId(request) };
  addToLog(request, { ...place });
  return place;
}

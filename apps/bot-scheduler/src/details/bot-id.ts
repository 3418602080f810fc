import type { Request } from 'express';
import { z } from 'zod';
import { fail } from '@rapporteur/failures';

/** The bot id of the path. A text that is no id names no bot: BOT_NOT_FOUND. */
export function readBotId(request: Request): string {
  const id = z.uuid().safeParse(request.params['bot_id']);
  if (!id.success) throw fail('BOT_NOT_FOUND');
  return id.data.toLowerCase();
}

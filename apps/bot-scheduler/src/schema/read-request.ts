import { isStorableText } from '@rapporteur/database';
import type { z } from 'zod';
import type { Failure } from '@rapporteur/failures';
import { invalid, memberOf, readInput, addToLog, idOf, teamOf } from '@rapporteur/service-runtime';
import type { Request } from 'express';

const deepest = 64;

/** PostgreSQL stores neither NUL characters nor lone surrogates; the nesting depth is limited. */
export function findUnstorable(value: unknown, field = '', depth = 0): Failure | null {
  if (typeof value === 'string') return isStorableText(value) ? null : unstorable(field);
  if (typeof value !== 'object' || value === null) return null;
  if (depth === deepest) return invalid(field || 'body', `It is nested deeper than ${deepest} levels.`);
  for (const [name, member] of Object.entries(value)) {
    if (!isStorableText(name)) return unstorable(field);
    const found = findUnstorable(member, memberOf(field, name), depth + 1);
    if (found !== null) return found;
  }
  return null;
}

function unstorable(field: string): Failure {
  return invalid(field || 'body', 'It holds a NUL character or half of a surrogate pair, which no text may hold.');
}

/** Reads a query. Throws VALIDATION that names the field. */
export function readQuery<T>(shape: z.ZodType<T>, query: unknown): T {
  const broken = findUnstorable(query);
  if (broken !== null) throw broken;
  return readInput(shape, query);
}

/** A bot and the requesting team. */
export interface BotPlace {
  readonly botId: string;
  readonly teamId: string;
}

/** The bot id of the path. Text that is not an id is BOT_NOT_FOUND. */
function readBotId(request: Request): string {
  return idOf(request, 'bot_id', 'BOT_NOT_FOUND');
}

/** The bot and the team of a request, which are also added to the log line. */
export function placeOf(request: Request): BotPlace {
  const place = { teamId: teamOf(request), botId: readBotId(request) };
  addToLog(request, { ...place });
  return place;
}

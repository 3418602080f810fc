import { Router } from 'express';
import { addToLog, serveCall, servePublic } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { internalCalls } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { botPlaceOf } from '../schema/context.ts';
import type { ObjectDeletionRow } from '../schema/entities.ts';
import { deleteObjectsNow, describeDeletion, findDeletion } from './delete-objects.ts';
import type { ObjectDeletionDependencies } from './delete-objects.ts';
import { forgetData } from './forget-data.ts';

/** Less than the 15 s that the gateway waits for a response. */
const attemptTimeoutMs = 10_000;

/**
 * The API of data deletion, and `internalCalls.operators.holdBot`. After the response the bot's data is not shown; a
 * deletion that storage does not confirm is retried.
 */
export function deleteDataRoutes(auth: InternalAuth, dependencies: ObjectDeletionDependencies): Router {
  const { database, events } = dependencies;
  const deleteData = servePublic(auth, {
    deleteBotData: async ({ query, ...call }) => {
      const place = botPlaceOf(call);
      const at = new Date(dependencies.now());
      // The second one is a deprecated name.
      const deleteFromProvider = query.delete_from_provider || query.delete_transcription === true;
      await database.transaction((transaction) => forgetData(transaction, place, { events, at, deleteFromProvider }));
      events.notify();
      const requested = await findDeletion(database, place.botId);
      const left = requested === null ? null : await deleteObjectsNow(dependencies, place.botId, attemptTimeoutMs);
      return { data: { message: sentenceOf(requested !== null, left), data_deletion: describeDeletion(left) } };
    },
  });
  return Router().use(legalHoldRoutes(auth, dependencies), deleteData);
}

function sentenceOf(wasRequested: boolean, left: ObjectDeletionRow | null): string {
  if (!wasRequested) return "The bot's data had been deleted already; nothing is left of it.";
  if (left === null) return "The bot's data was deleted.";
  return `The bot's data is not shown any more. Its files are not deleted yet: ${left.last_error} The next attempt is at ${left.next_attempt_at.toISOString()}.`;
}

/** `internalCalls.operators.holdBot`: while a bot is held, none of its data is deleted. */
function legalHoldRoutes(auth: InternalAuth, { database }: { readonly database: Database }): Router {
  return serveCall(auth, internalCalls.operators.holdBot, async ({ botId, held }, request) => {
    const [bot] = await database.query<{ team_id: string }>('select team_id from bots where id = $1', [botId]);
    if (bot === undefined) throw fail('BOT_NOT_FOUND');
    addToLog(request, { teamId: bot.team_id, held });
    await database.query(
      held
        ? 'insert into legal_holds (bot_id) values ($1) on conflict (bot_id) do nothing'
        : 'delete from legal_holds where bot_id = $1',
      [botId],
    );
    return { success: true as const, teamId: bot.team_id };
  });
}

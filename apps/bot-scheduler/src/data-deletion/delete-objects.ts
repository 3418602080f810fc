import type { Database } from '@rapporteur/database';
import type { DeleteBotObjects } from '../storage/storage-client.ts';
import type { ObjectDeletionRow } from '../schema/rows.ts';

export interface ObjectDeletionDependencies {
  readonly database: Database;
  readonly deleteBotObjects: DeleteBotObjects;
}

/** Deletes the objects of a bot whose data was forgotten; once that is confirmed nobody tries it again. Throws UNAVAILABLE. */
export async function deleteObjects(
  dependencies: ObjectDeletionDependencies,
  botId: string,
  teamId: string,
): Promise<void> {
  await dependencies.deleteBotObjects(botId, teamId);
  await dependencies.database.query('delete from object_deletions where bot_id = $1', [botId]);
}

/** Drawn by lot, so that some that always fail do not keep the others waiting. */
const botsAtOnce = 50;

/** Tries again what storage has not confirmed. Throws when it could not for one of them: the rest is tried all the same. */
export async function deleteWaitingObjects(dependencies: ObjectDeletionDependencies): Promise<number> {
  const waiting = await dependencies.database.query<ObjectDeletionRow>(
    'select bot_id, team_id from object_deletions order by random() limit $1',
    [botsAtOnce],
  );
  const failures: unknown[] = [];
  for (const { bot_id: botId, team_id: teamId } of waiting) {
    await deleteObjects(dependencies, botId, teamId).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
  return waiting.length;
}

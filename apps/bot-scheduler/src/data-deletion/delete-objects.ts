import type { Database } from '@rapporteur/database';

/** Has storage-config forget every object of a bot; safe to repeat. Throws UNAVAILABLE. */
export type DeleteBotObjects = (botId: string, teamId: string) => Promise<void>;

export interface ObjectDeletionParts {
  readonly database: Database;
  readonly deleteBotObjects: DeleteBotObjects;
  /** Epoch ms. */
  readonly now: () => number;
}

/** Deletes the objects of a bot whose data was forgotten, and notes that it was confirmed. Throws UNAVAILABLE. */
export async function deleteObjects(parts: ObjectDeletionParts, botId: string, teamId: string): Promise<void> {
  await parts.deleteBotObjects(botId, teamId);
  await parts.database.query(
    'update bots set objects_deleted_at = $2 where id = $1 and data_deleted_at is not null and objects_deleted_at is null',
    [botId, new Date(parts.now())],
  );
}

/** Drawn by lot, so that some that always fail do not keep the others waiting. */
const botsAtOnce = 50;

/** Tries again what storage has not confirmed. Throws when it could not for one of them: the rest is tried all the same. */
export async function deleteWaitingObjects(parts: ObjectDeletionParts): Promise<number> {
  const waiting = await parts.database.query<{ id: string; team_id: string }>(
    `select id, team_id from bots where data_deleted_at is not null and objects_deleted_at is null
     order by random() limit $1`,
    [botsAtOnce],
  );
  const failures: unknown[] = [];
  for (const { id, team_id } of waiting) {
    await deleteObjects(parts, id, team_id).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
  return waiting.length;
}

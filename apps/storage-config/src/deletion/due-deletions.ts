import type { Database } from '@rapporteur/database';
import type { ObjectStore } from '@rapporteur/object-store';
import { directPrefix } from '../direct/direct-objects.store.ts';
import type { ObjectPlace } from '../direct/direct-objects.store.ts';

export interface DueDeletionDependencies {
  readonly database: Database;
  /** Routes to teams' buckets. */
  readonly store: ObjectStore;
}

interface DueDeletion {
  /** Below the bot's prefix. */
  readonly prefix: string;
  /** Column of the time from which the deletion is due. */
  readonly due: string;
  readonly where: string;
  /** What the confirmed deletion changes. */
  readonly done: string;
}

/** Fragments that their recording does without. */
const fragments: DueDeletion = {
  prefix: directPrefix,
  due: 'fragments_released_at',
  where: 'fragments_removed_at is null',
  done: 'fragments_removed_at = now()',
};
/** What was written for a bot while its data was deleted, or after that by an upload that had been permitted before. */
const lateWrites: DueDeletion = { prefix: '', due: 'delete_again_at', where: 'true', done: 'delete_again_at = null' };

/** Random order, so that bots whose deletion always fails do not block the others. */
const botsAtOnce = 100;

/** Removes the fragments of recordings that were released longer ago than `keepMs`. @returns of how many bots */
export function removeReleasedFragments(
  dependencies: DueDeletionDependencies,
  { nowMs, keepMs }: { readonly nowMs: number; readonly keepMs: number },
): Promise<number> {
  return deleteDue(dependencies, fragments, new Date(nowMs - keepMs));
}

/** Deletes the objects of deleted bots once more when no upload can arrive any more. @returns of how many bots */
export function deleteLateWrites(dependencies: DueDeletionDependencies, nowMs: number): Promise<number> {
  return deleteDue(dependencies, lateWrites, new Date(nowMs));
}

/** Idempotent, also concurrently. Throws when it failed for one bot, after trying the rest. */
async function deleteDue(
  { database, store }: DueDeletionDependencies,
  { prefix, due, where, done }: DueDeletion,
  dueAt: Date,
): Promise<number> {
  const rows = await database.query<{ bot_id: string; since: Date }>(
    `select bot_id, ${due} as since from bot_storage where ${due} <= $1 and ${where}
      order by random() limit ${botsAtOnce}`,
    [dueAt],
  );
  const failures: unknown[] = [];
  const remove = async ({ bot_id: botId, since }: (typeof rows)[number]): Promise<void> => {
    await store.deletePrefix(`bots/${botId}/${prefix}`);
    // Unchanged: nothing was noted meanwhile that a next round has to delete.
    await database.query(
      `update bot_storage set ${done} where bot_id = $1 and date_trunc('milliseconds', ${due}) = $2`,
      [botId, since],
    );
  };
  for (const row of rows) await remove(row).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
  return rows.length;
}

/** An object was written whose bot's data, or whose fragments, may have been deleted before: a sweep deletes it. */
export async function noteLateWrite(database: Database, { botId, key }: ObjectPlace, at: Date): Promise<void> {
  await database.query(
    `update bot_storage set
       delete_again_at = case when deleted_at is not null then greatest(delete_again_at, $2) end,
       fragments_removed_at = case when $3 then null else fragments_removed_at end
      where bot_id = $1`,
    [botId, at, key.startsWith(directPrefix)],
  );
}

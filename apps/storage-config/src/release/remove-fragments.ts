import type { Database } from '@rapporteur/database';
import type { ObjectStore } from '@rapporteur/object-store';

/** Random order, so that fragments that always fail do not block the others. */
const atOnce = 100;

/**
 * Removes the fragments of recordings that were released longer ago than `keepMs`. Idempotent, also concurrently.
 * @returns of how many bots. Throws when it failed for one of them, after trying the rest
 */
export async function removeReleasedFragments(
  { database, store }: { readonly database: Database; readonly store: ObjectStore },
  { nowMs, keepMs }: { readonly nowMs: number; readonly keepMs: number },
): Promise<number> {
  const due = await database.query<{ bot_id: string }>(
    `select bot_id from bot_storage where fragments_released_at <= $1 and fragments_removed_at is null
      order by random() limit ${atOnce}`,
    [new Date(nowMs - keepMs)],
  );
  const remove = async (botId: string): Promise<void> => {
    await store.deletePrefix(`bots/${botId}/segments/`);
    await database.query('update bot_storage set fragments_removed_at = $2 where bot_id = $1', [
      botId,
      new Date(nowMs),
    ]);
  };
  const failures: unknown[] = [];
  for (const { bot_id: botId } of due) await remove(botId).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
  return due.length;
}

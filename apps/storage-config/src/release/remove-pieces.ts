import type { Database } from '@rapporteur/database';
import type { ObjectStore } from '@rapporteur/object-store';

const atOnce = 100;

/**
 * Removes the pieces of recordings that were released longer ago than `keepMs`. Safe to repeat and to run twice at once.
 * @returns of how many bots
 */
export async function removeReleasedPieces(
  { database, store }: { readonly database: Database; readonly store: ObjectStore },
  { nowMs, keepMs }: { readonly nowMs: number; readonly keepMs: number },
): Promise<number> {
  const due = await database.query<{ bot_id: string }>(
    `select bot_id from bot_storage where pieces_released_at <= $1 and pieces_removed_at is null
      order by pieces_released_at limit ${atOnce}`,
    [new Date(nowMs - keepMs)],
  );
  for (const { bot_id: botId } of due) {
    await store.deletePrefix(`bots/${botId}/segments/`);
    await database.query('update bot_storage set pieces_removed_at = $2 where bot_id = $1', [botId, new Date(nowMs)]);
  }
  return due.length;
}

import type { Database } from '@rapporteur/database';
import type { DirectObjectRow } from '../schema/team-storage-entities.ts';

/** One object of a bot; the key is below the bot's prefix. */
export interface ObjectPlace {
  readonly botId: string;
  readonly key: string;
}

/** Objects that runners may send to the object store directly. */
export const directPrefix = 'segments/';
/** Expiry of a request for one object, long enough for a slow connection. */
export const signedUploadMs = 15 * 60_000;
/**
 * Once a bot has been closed for this long, nothing arrives in a store for it any more: every signed request has expired,
 * every instance has read the change, and transfers that began before have ended.
 */
export const uploadsEndMs = signedUploadMs + 5 * 60_000;

/** Prefix of everything that an attempt sent to the store directly, below the bot's prefix. */
export function attemptPrefix(fencing: number): string {
  return `attempts/${String(fencing).padStart(4, '0')}/`;
}

/** The key of the object that a slot of an attempt takes, below the bot's prefix. */
export function slotKey(fencing: number, slot: string): string {
  return `${attemptPrefix(fencing)}${directPrefix}slots/${slot}`;
}

/**
 * Makes the fragment readable. One statement compares the fencing number and commits, so the grant cannot be superseded
 * in between.
 * @returns false when the grant is not the newest of its bot any more, the recording is complete, or the bot has ended
 */
export async function commitDirect(
  database: Database,
  place: ObjectPlace,
  { fencing, bytes, slot }: { readonly fencing: number; readonly bytes: number; readonly slot: string },
): Promise<boolean> {
  const rows = await database.query(
    `insert into direct_objects (bot_id, key, fencing, bytes, slot)
     select bot_id, $2, fencing, $4, $5 from bot_storage
      where bot_id = $1 and fencing = $3 and deleted_at is null and fragments_released_at is null
        and grants_ended_at is null for share
     on conflict (bot_id, key) do update
       set fencing = excluded.fencing, bytes = excluded.bytes, slot = excluded.slot returning 1`,
    [place.botId, place.key, fencing, bytes, slot],
  );
  return rows.length > 0;
}

/** Null: the object is not one of those. */
export async function findDirect(database: Database, { botId, key }: ObjectPlace): Promise<DirectObjectRow | null> {
  if (!key.startsWith(directPrefix)) return null;
  const [row] = await database.query<DirectObjectRow>('select * from direct_objects where bot_id = $1 and key = $2', [
    botId,
    key,
  ]);
  return row ?? null;
}

/** Those below a prefix of the bot's keys. */
export async function listDirect(database: Database, botId: string, prefix: string) {
  const rows = await database.query<DirectObjectRow>(
    'select * from direct_objects where bot_id = $1 and starts_with(key, $2)',
    [botId, prefix],
  );
  return rows.map((row) => ({ key: row.key, bytes: Number(row.bytes) }));
}

export async function forgetDirect(database: Database, botId: string, prefix: string): Promise<void> {
  await database.query('delete from direct_objects where bot_id = $1 and starts_with(key, $2)', [botId, prefix]);
}

/** The number of the newest attempt; 0 for an unknown bot. */
export async function newestFencing(database: Database, botId: string): Promise<number> {
  const [row] = await database.query<{ fencing: number }>('select fencing from bot_storage where bot_id = $1', [botId]);
  return row?.fencing ?? 0;
}

import { randomUUID } from 'node:crypto';
import type { Database } from '@rapporteur/database';
import type { SupersededObjectsRow } from '../schema/team-storage-entities.ts';

/**
 * Marks objects written to a store while the bot's data was deleted for deletion there. Does nothing for a bot whose
 * data is not deleted.
 */
export async function supersedeOfDeleted(
  database: Database,
  botId: string,
  place: { readonly storageConfigId: string | null; readonly removeAt: Date },
): Promise<void> {
  await database.query(
    `insert into superseded_objects (id, bot_id, storage_config_id, remove_at)
     select $1, bot_id, $3, $4 from bot_storage where bot_id = $2 and deleted_at is not null`,
    [randomUUID(), botId, place.storageConfigId, place.removeAt],
  );
}

export async function supersededBefore(database: Database, at: Date): Promise<readonly SupersededObjectsRow[]> {
  return await database.query<SupersededObjectsRow>(
    'select * from superseded_objects where remove_at <= $1 order by random() limit 100',
    [at],
  );
}

export async function supersededOf(database: Database, botId: string): Promise<readonly SupersededObjectsRow[]> {
  return await database.query<SupersededObjectsRow>('select * from superseded_objects where bot_id = $1', [botId]);
}

export async function forgetSuperseded(database: Database, id: string): Promise<void> {
  await database.query('delete from superseded_objects where id = $1', [id]);
}

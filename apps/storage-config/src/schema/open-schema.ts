import { baseline, openDatabase, defineTable } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { directObjects, spilledObjects, storageConfigs } from './team-storage-entities.ts';

/** Opens the schema `storage`, migrated to the version of this build. */
export function openStorageSchema(url: string, poolSize?: number): Promise<Database> {
  return openDatabase({
    url,
    schema: 'storage',
    entities: [botStorage, storageConfigs, spilledObjects, directObjects],
    migrations: [baseline('CreateStorage20261121000000')],
    applicationName: 'storage-config',
    ...(poolSize === undefined ? {} : { poolSize }),
  });
}

/** The newest grant of each bot: a runner with an older one may write no more. */
const botStorage = defineTable({
  name: 'bot_storage',
  columns: {
    bot_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'bot_storage_pkey' },
    team_id: { type: 'uuid' },
    fencing: { type: 'integer' },
    created_at: { type: 'timestamptz', default: () => 'now()' },
    updated_at: { type: 'timestamptz', default: () => 'now()' },
    /** Set once the bot's data is deleted: nothing may be written for it any more. */
    deleted_at: { type: 'timestamptz', nullable: true },
    /** When everything is deleted once more: uploads that were permitted before the deletion have ended by then. */
    delete_again_at: { type: 'timestamptz', nullable: true },
    /** Since when the recording does without the fragments it was made of, and when they were removed. */
    fragments_released_at: { type: 'timestamptz', nullable: true },
    fragments_removed_at: { type: 'timestamptz', nullable: true },
    /** Set once the bot has ended: no grant of a runner writes anything for it any more. */
    grants_ended_at: { type: 'timestamptz', nullable: true },
    /** Null: the object store of the deployment. Set with the first grant. */
    storage_config_id: { type: 'uuid', nullable: true },
  },
  indices: [
    {
      name: 'bot_storage_fragments_to_remove',
      columns: ['fragments_released_at'],
      where: 'fragments_released_at is not null and fragments_removed_at is null',
    },
    {
      name: 'bot_storage_to_delete_again',
      columns: ['delete_again_at'],
      where: 'delete_again_at is not null',
    },
    { name: 'bot_storage_by_config', columns: ['storage_config_id'], where: 'storage_config_id is not null' },
  ],
  foreignKeys: [
    {
      name: 'bot_storage_config',
      target: 'storage_configs',
      columnNames: ['storage_config_id'],
      referencedColumnNames: ['storage_config_id'],
    },
  ],
  checks: [{ name: 'bot_storage_fencing', expression: 'fencing > 0' }],
});

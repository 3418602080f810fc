import { insertRow } from '@rapporteur/database';
import type { Database } from '@rapporteur/database';
import { storageConfigs } from '../schema/team-storage-entities.ts';
import type { StorageConfigRow } from '../schema/team-storage-entities.ts';

type GivenRow = Omit<
  StorageConfigRow,
  'last_verified_at' | 'last_error_at' | 'last_error_message' | 'created_at' | 'updated_at' | 'replaced_at'
>;

const messageLimit = 1_000;

/** The configuration that new bots of the team get; null for none. */
export async function findCurrent(database: Database, teamId: string): Promise<StorageConfigRow | null> {
  const [row] = await database.query<StorageConfigRow>(
    'select * from storage_configs where team_id = $1 and replaced_at is null',
    [teamId],
  );
  return row ?? null;
}

/** Any version, also one that was replaced. */
export async function findConfiguration(database: Database, id: string): Promise<StorageConfigRow | null> {
  const [row] = await database.query<StorageConfigRow>('select * from storage_configs where storage_config_id = $1', [
    id,
  ]);
  return row ?? null;
}

/** Replaces the team's current one. Concurrent replacements of one team are serialized. */
export async function replaceCurrent(database: Database, given: GivenRow, at: Date): Promise<StorageConfigRow> {
  const columns = { ...given, last_verified_at: at, created_at: at, updated_at: at };
  return await database.transaction(async (transaction) => {
    await transaction.query(`select pg_advisory_xact_lock(hashtextextended('storage_configs ' || $1, 0))`, [
      given.team_id,
    ]);
    await transaction.query(
      'update storage_configs set replaced_at = $2, updated_at = $2 where team_id = $1 and replaced_at is null',
      [given.team_id, at],
    );
    return await insertRow(transaction, storageConfigs, columns);
  });
}

/** From now on the deployment's store is used for new bots of the team. Null: there was no configuration. */
export async function retireCurrent(database: Database, teamId: string, at: Date): Promise<StorageConfigRow | null> {
  const [row] = await database.query<StorageConfigRow>(
    `update storage_configs set replaced_at = $2, updated_at = $2 where team_id = $1 and replaced_at is null returning *`,
    [teamId, at],
  );
  return row ?? null;
}

/** An access check passed. */
export async function recordVerified(database: Database, id: string, at: Date): Promise<void> {
  await database.query('update storage_configs set last_verified_at = $2 where storage_config_id = $1', [id, at]);
}

/** An access check, or a write of a recording, failed. */
export async function recordError(database: Database, id: string, error: string, at: Date): Promise<void> {
  await database.query(
    'update storage_configs set last_error_at = $2, last_error_message = $3 where storage_config_id = $1',
    [id, at, error.slice(0, messageLimit)],
  );
}

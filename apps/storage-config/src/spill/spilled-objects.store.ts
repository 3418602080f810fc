import { randomUUID } from 'node:crypto';
import type { Database } from '@rapporteur/database';
import { leasedRows } from '@rapporteur/work-queue';
import type { SpilledObjectRow } from '../schema/team-storage-entities.ts';

/** One object of a bot; the key is below the bot's prefix. */
export interface ObjectPlace {
  readonly botId: string;
  readonly key: string;
}

export interface SpilledObject extends ObjectPlace {
  readonly teamId: string;
  readonly storageConfigId: string;
  readonly bytes: number;
  readonly contentType: string;
}

/** Pauses between attempts. A claimed object is due again after its pause, unless its bucket took it. */
export const spillPauses = { firstMs: 30_000, longestMs: 600_000 } as const;
export const dueSpilled = leasedRows<SpilledObjectRow>({
  table: 'spilled_objects',
  key: ['bot_id', 'key'],
  due: 'next_attempt_at',
  attempts: 'attempts',
  where: 'stored_at is null',
});

/** A write of the same key replaces the held object. */
export async function addSpilled(database: Database, object: SpilledObject, at: Date): Promise<void> {
  const { botId, key, teamId, storageConfigId, bytes, contentType } = object;
  await database.query(
    `insert into spilled_objects
       (bot_id, key, team_id, storage_config_id, version, bytes, content_type, spilled_at, next_attempt_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (bot_id, key) do update set version = excluded.version, bytes = excluded.bytes,
       content_type = excluded.content_type, next_attempt_at = excluded.next_attempt_at, stored_at = null`,
    [
      botId,
      key,
      teamId,
      storageConfigId,
      randomUUID(),
      bytes,
      contentType,
      at,
      new Date(at.getTime() + spillPauses.firstMs),
    ],
  );
}

/** True while the bucket does not have it. */
export async function isSpilled(database: Database, { botId, key }: ObjectPlace): Promise<boolean> {
  const rows = await database.query(
    'select from spilled_objects where bot_id = $1 and key = $2 and stored_at is null',
    [botId, key],
  );
  return rows.length > 0;
}

/** Those below a prefix of the bot's keys that its bucket does not have. */
export async function listSpilled(database: Database, botId: string, prefix: string) {
  const rows = await database.query<SpilledObjectRow>(
    'select * from spilled_objects where bot_id = $1 and starts_with(key, $2) and stored_at is null',
    [botId, prefix],
  );
  return rows.map((row) => ({ key: row.key, bytes: Number(row.bytes) }));
}

export async function forgetSpilled(database: Database, botId: string, prefix: string): Promise<void> {
  await database.query('delete from spilled_objects where bot_id = $1 and starts_with(key, $2)', [botId, prefix]);
}

export async function recordAttempt(database: Database, row: SpilledObjectRow, error: string): Promise<void> {
  await database.query('update spilled_objects set last_error = $4 where bot_id = $1 and key = $2 and version = $3', [
    row.bot_id,
    row.key,
    row.version,
    error,
  ]);
}

/** The bucket has it. @returns false when it was written again, or deleted, in the meantime */
export async function settleSpilled(database: Database, row: SpilledObjectRow, at: Date): Promise<boolean> {
  const rows = await database.query(
    'update spilled_objects set stored_at = $4 where bot_id = $1 and key = $2 and version = $3 returning 1',
    [row.bot_id, row.key, row.version, at],
  );
  return rows.length > 0;
}

/** Objects whose bucket has had them since before `at`. */
export async function settledBefore(database: Database, at: Date, limit: number): Promise<readonly SpilledObjectRow[]> {
  return await database.query<SpilledObjectRow>('select * from spilled_objects where stored_at < $1 limit $2', [
    at,
    limit,
  ]);
}

/** Its copy is gone. */
export async function removeSettled(database: Database, row: SpilledObjectRow): Promise<void> {
  await database.query(
    'delete from spilled_objects where bot_id = $1 and key = $2 and version = $3 and stored_at is not null',
    [row.bot_id, row.key, row.version],
  );
}

/** The oldest held objects of all teams. */
export async function oldestSpilled(database: Database, limit: number): Promise<readonly SpilledObjectRow[]> {
  return await database.query<SpilledObjectRow>(
    'select * from spilled_objects where stored_at is null order by spilled_at, bot_id, key limit $1',
    [limit],
  );
}

import { randomUUID } from 'node:crypto';
import type { StorageMoveProgress } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { leasedRows } from '@rapporteur/work-queue';
import type { StorageMoveRow } from '../schema/team-storage-entities.ts';

/** A claimed move is due again after this time, and deleted when it is done. */
export const moveRetryMs = 60_000;
export const dueMoves = leasedRows<StorageMoveRow>({
  table: 'storage_moves',
  key: ['bot_id'],
  due: 'next_attempt_at',
  attempts: 'attempts',
});
/** A bot without a new grant for this long has stopped recording, even if its recording was never released. */
const idleMs = 86_400_000;

/** Bots of a team and their destination; null: the object store of the deployment. */
export interface RequestedMove {
  readonly teamId: string;
  readonly targetConfigId: string | null;
  readonly at: Date;
}

/** Every bot of the team that has ended and is elsewhere. Idempotent. */
export async function requestMoves(database: Database, { teamId, targetConfigId, at }: RequestedMove): Promise<void> {
  await database.query(
    `insert into storage_moves (bot_id, team_id, target_config_id, next_attempt_at)
     select bot_id, team_id, $2, $3 from bot_storage
      where team_id = $1 and storage_config_id is distinct from $2 and deleted_at is null
        and (fragments_released_at is not null or updated_at < $4)
     on conflict (bot_id) do update set target_config_id = excluded.target_config_id,
       next_attempt_at = least(storage_moves.next_attempt_at, excluded.next_attempt_at)`,
    [teamId, targetConfigId, at, new Date(at.getTime() - idleMs)],
  );
}

export async function recordMoveError(database: Database, botId: string, error: string): Promise<void> {
  await database.query('update storage_moves set last_error = $2 where bot_id = $1', [botId, error]);
}

export async function forgetMove(database: Database, botId: string): Promise<void> {
  await database.query('delete from storage_moves where bot_id = $1', [botId]);
}

export async function progressOf(database: Database, teamId: string): Promise<StorageMoveProgress> {
  const [count] = await database.query<{ waiting: string }>(
    'select count(*) as waiting from storage_moves where team_id = $1',
    [teamId],
  );
  const failed = await database.query<StorageMoveProgress['failed'][number]>(
    `select bot_id, last_error as error from storage_moves where team_id = $1 and last_error is not null
      order by bot_id limit 100`,
    [teamId],
  );
  return { waiting: Number(count?.waiting ?? 0), failed };
}

/** Where the bot's objects are; undefined: the bot is unknown, or its data was deleted. */
export async function bindingOf(database: Database, botId: string): Promise<string | null | undefined> {
  const [row] = await database.query<{ storage_config_id: string | null }>(
    'select storage_config_id from bot_storage where bot_id = $1 and deleted_at is null',
    [botId],
  );
  return row?.storage_config_id;
}

export interface CompletedMove {
  readonly from: string | null;
  /** When the objects in the former store are deleted. */
  readonly removeAt: Date;
}

/** From the commit on the bot is read from its new store. Does nothing when its data has been deleted. */
export async function completeMove(database: Database, row: StorageMoveRow, move: CompletedMove): Promise<void> {
  await database.transaction(async (transaction) => {
    const moved = await transaction.query(
      `update bot_storage set storage_config_id = $2, updated_at = now()
        where bot_id = $1 and storage_config_id is not distinct from $3 and deleted_at is null returning 1`,
      [row.bot_id, row.target_config_id, move.from],
    );
    await transaction.query('delete from storage_moves where bot_id = $1', [row.bot_id]);
    if (moved.length === 0) return;
    // Committed fragments are stored under their own keys now.
    await transaction.query('delete from direct_objects where bot_id = $1', [row.bot_id]);
    await transaction.query(
      'insert into superseded_objects (id, bot_id, storage_config_id, remove_at) values ($1, $2, $3, $4)',
      [randomUUID(), row.bot_id, move.from, move.removeAt],
    );
  });
}

/** Where the bot is to be moved to; undefined: it is not to be moved. */
export async function moveTargetOf(database: Database, botId: string): Promise<string | null | undefined> {
  const [row] = await database.query<StorageMoveRow>('select * from storage_moves where bot_id = $1', [botId]);
  return row?.target_config_id;
}

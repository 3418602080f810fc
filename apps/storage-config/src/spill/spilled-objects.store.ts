import { insertRow } from '@rapporteur/database';
import type { Database, Executor } from '@rapporteur/database';
import { leasedRows } from '@rapporteur/work-queue';
import type { ObjectPlace } from '../direct/direct-objects.store.ts';
import { spilledObjects } from '../schema/team-storage-entities.ts';
import type { SpilledObjectRow } from '../schema/team-storage-entities.ts';

export interface SpilledObject extends ObjectPlace {
  readonly version: string;
  readonly teamId: string;
  readonly storageConfigId: string;
  readonly bytes: number;
  readonly contentType: string;
}

/** Pauses between attempts. A claimed object is due again after its pause, unless its bucket took it. */
export const spillPauses = { firstMs: 30_000, longestMs: 600_000 } as const;
export const dueSpilled = leasedRows<SpilledObjectRow>({
  table: 'spilled_objects',
  key: ['bot_id', 'key', 'version'],
  due: 'next_attempt_at',
  attempts: 'attempts',
  where: 'stored_at is null',
});

type Version = Pick<SpilledObjectRow, 'bot_id' | 'key' | 'version'>;

/**
 * Key of the copy in the deployment's store. Each write has one of its own, so that its deletion never concerns a later
 * write of the same key.
 */
export function copyKey({ bot_id: botId, key, version }: Version): string {
  return `bots/${botId}/${key}/${version}`;
}

const copyPattern = /^(.+)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/s;

/** True for the key of a copy itself, as a link to it has it. */
export async function isCopy(database: Database, { botId, key }: ObjectPlace): Promise<boolean> {
  const [, ofKey, version] = copyPattern.exec(key) ?? [];
  if (version === undefined) return false;
  const rows = await database.query('select from spilled_objects where bot_id = $1 and key = $2 and version = $3', [
    botId,
    ofKey,
    version,
  ]);
  return rows.length > 0;
}

/** Replaces the version of this key that is held; its copy stays as long as links to it work. */
export async function addSpilled(database: Database, object: SpilledObject, at: Date): Promise<void> {
  await database.transaction(async (transaction) => {
    await settleHeld(transaction, object, at);
    await insertRow(transaction, spilledObjects, {
      bot_id: object.botId,
      key: object.key,
      version: object.version,
      team_id: object.teamId,
      storage_config_id: object.storageConfigId,
      bytes: String(object.bytes),
      content_type: object.contentType,
      spilled_at: at,
      next_attempt_at: new Date(at.getTime() + spillPauses.firstMs),
    });
  });
}

/** No version of this key is held any more: the sweep removes its copies. */
export async function settleHeld(executor: Executor, { botId, key }: ObjectPlace, at: Date): Promise<void> {
  await executor.query(
    'update spilled_objects set stored_at = $3 where bot_id = $1 and key = $2 and stored_at is null',
    [botId, key, at],
  );
}

/** The version that the bucket does not have; null when it has the newest. */
export async function findSpilled(database: Database, { botId, key }: ObjectPlace): Promise<SpilledObjectRow | null> {
  const [row] = await database.query<SpilledObjectRow>(
    'select * from spilled_objects where bot_id = $1 and key = $2 and stored_at is null',
    [botId, key],
  );
  return row ?? null;
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
export async function settleSpilled(database: Database, row: Version, at: Date): Promise<boolean> {
  const rows = await database.query(
    `update spilled_objects set stored_at = $4
      where bot_id = $1 and key = $2 and version = $3 and stored_at is null returning 1`,
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
export async function removeSettled(database: Database, row: Version): Promise<void> {
  await database.query('delete from spilled_objects where bot_id = $1 and key = $2 and version = $3', [
    row.bot_id,
    row.key,
    row.version,
  ]);
}

/** The oldest held objects of all teams. */
export async function oldestSpilled(database: Database, limit: number): Promise<readonly SpilledObjectRow[]> {
  return await database.query<SpilledObjectRow>(
    'select * from spilled_objects where stored_at is null order by spilled_at, bot_id, key limit $1',
    [limit],
  );
}

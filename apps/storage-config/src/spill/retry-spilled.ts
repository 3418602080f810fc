import type { Database } from '@rapporteur/database';
import type { ObjectStore } from '@rapporteur/object-store';
import type { Clock, Logger } from '@rapporteur/service-runtime';
import { storeReason } from '../configurations/team-buckets.ts';
import { noteLateWrite } from '../deletion/due-deletions.ts';
import type { SpilledObjectRow } from '../schema/team-storage-entities.ts';
import {
  copyKey,
  dueSpilled,
  recordAttempt,
  removeSettled,
  settledBefore,
  settleSpilled,
  spillPauses,
} from './spilled-objects.store.ts';

/** The buckets of a version of a team's configuration. */
interface TeamBucketsById {
  open(storageConfigId: string): Promise<{ bucketOf(key: string): ObjectStore }>;
}

export interface RetryDependencies {
  readonly database: Database;
  /** The object store of the deployment, which holds the copies. */
  readonly own: ObjectStore;
  readonly teams: TeamBucketsById;
  readonly clock: Clock;
  readonly logger: Logger;
}

const objectsAtOnce = 20;
const copiesAtOnce = 1_000;

/** Moves held objects that are due to their buckets, one after the other. @returns how many a bucket accepted */
export async function retrySpilled(dependencies: RetryDependencies): Promise<number> {
  const { database, clock, logger } = dependencies;
  let stored = 0;
  const claim = { at: new Date(clock.now()), limit: objectsAtOnce, leaseMs: spillPauses };
  for (const row of await dueSpilled.claim(database, claim)) {
    try {
      if (await store(dependencies, row)) stored += 1;
    } catch (error) {
      const place = { botId: row.bot_id, teamId: row.team_id, key: row.key, attempts: row.attempts };
      logger.warn({ err: error, ...place }, "A held object could not be stored in the team's bucket; trying again.");
      await recordAttempt(database, row, storeReason(error));
    }
  }
  return stored;
}

async function store({ database, own, teams, clock }: RetryDependencies, row: SpilledObjectRow): Promise<boolean> {
  const teamKey = `${row.bot_id}/${row.key}`;
  const bucket = (await teams.open(row.storage_config_id)).bucketOf(row.key);
  const copy = await own.get(copyKey(row));
  const { contentType, sha256 } = copy.info;
  await bucket.put(teamKey, copy.body, { contentType, ...(sha256 === null ? {} : { sha256 }) });
  const info = await bucket.head(teamKey);
  if (info?.bytes !== copy.info.bytes) throw new Error('The bucket does not return an object that it accepted.');
  const at = new Date(clock.now());
  if (await settleSpilled(database, row, at)) return true;
  // Possibly the bot's data, or its fragments, were deleted during the transfer.
  await noteLateWrite(database, { botId: row.bot_id, key: row.key }, at);
  return false;
}

/** Deletes copies that a bucket has had for `keepMs`, after which no link to them is valid. @returns how many */
export async function removeStoredCopies(
  { database, own, clock }: Pick<RetryDependencies, 'database' | 'own' | 'clock'>,
  keepMs: number,
): Promise<number> {
  const rows = await settledBefore(database, new Date(clock.now() - keepMs), copiesAtOnce);
  for (const row of rows) {
    await own.delete(copyKey(row));
    await removeSettled(database, row);
  }
  return rows.length;
}

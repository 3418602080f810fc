import type { Database } from '@rapporteur/database';
import type { Logger } from '@rapporteur/service-runtime';
import type { TeamStores } from './team-stores.ts';

export interface TeamSweepDependencies {
  readonly database: Database;
  readonly teams: TeamStores;
  readonly logger: Logger;
}

export interface TeamSweepOptions {
  readonly nowMs: number;
  readonly idleMs: number;
}

/** Configurations without a grant for this long have no unfinished uploads that an earlier sweep did not abort. */
const activeMs = 7 * 86_400_000;
const botsAtMost = 50_000;

/**
 * Aborts multipart uploads in teams' buckets that received nothing for `idleMs`, and only those of bots that were
 * written to that configuration: a bucket has other users. A configuration that fails is logged and left to the next
 * sweep.
 */
export async function sweepTeamUploads(
  { database, teams, logger }: TeamSweepDependencies,
  { nowMs, idleMs }: TeamSweepOptions,
): Promise<number> {
  const configurations = await database.query<{ storage_config_id: string; bots: string[] }>(
    `select storage_config_id, (array_agg(bot_id::text order by updated_at desc))[1:${botsAtMost}] as bots
       from bot_storage where storage_config_id is not null and updated_at > $1 group by storage_config_id`,
    [new Date(nowMs - activeMs)],
  );
  let aborted = 0;
  for (const { storage_config_id: id, bots } of configurations) {
    try {
      const team = await teams.open(id);
      const known = new Set(bots);
      const owns = (key: string): boolean => known.has(key.slice(0, key.indexOf('/')));
      for (const bucket of team.buckets) aborted += await bucket.sweepUnfinished({ idleMs, prefixes: [''], owns });
    } catch (error) {
      logger.warn({ err: error, storageConfigId: id }, "Unfinished uploads in a team's buckets could not be aborted.");
    }
  }
  return aborted;
}

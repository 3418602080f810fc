import type { Database } from '@rapporteur/database';
import type { ObjectStore } from '@rapporteur/object-store';
import type { Service, Logger } from '@rapporteur/service-runtime';
import { deleteLateWrites, removeReleasedFragments } from './deletion/due-deletions.ts';
import { keysStart } from './grants/granted.ts';
import { removeStoredCopies, retrySpilled } from './spill/retry-spilled.ts';
import type { TeamStores } from './team-stores/team-stores.ts';

/** An upload that received nothing for this long is abandoned. */
const idleMs = 3_600_000;
const sweepEveryMs = 600_000;
const retryEveryMs = 10_000;

export interface SweepDependencies {
  /** Routes to teams' buckets. */
  readonly store: ObjectStore;
  /** The object store of the deployment. */
  readonly own: ObjectStore;
  readonly teams: TeamStores;
  readonly database: Database;
  readonly fragmentRetentionMs: number;
  /** How long a link is valid. */
  readonly artifactUrlTtlMs: number;
}

/**
 * Removes unfinished uploads of ended processes, now and every ten minutes; also fragments of stored recordings, copies
 * without a reference, and what was written for deleted bots. Held objects are retried every ten seconds. Failures are
 * logged and retried: no stored object depends on them. Nothing is awaited: the duration grows with the data.
 */
export function startSweep(service: Service, dependencies: SweepDependencies): void {
  const { store, fragmentRetentionMs: keepMs } = dependencies;
  const { clock, logger } = service;
  const everything = { ...dependencies, clock, logger };
  const sweepUploads = async (): Promise<void> => {
    const removed = await store.sweepUnfinished({ idleMs, prefixes: [keysStart] });
    if (removed > 0) logger.info({ removed }, 'Uploads that never finished were removed.');
  };
  const sweepTeams = async (): Promise<void> => {
    const options = { nowMs: clock.now(), idleMs };
    const aborted = await sweepTeamUploads(everything, options);
    if (aborted > 0) logger.info({ aborted }, "Unfinished uploads in teams' buckets were aborted.");
  };
  const sweepFragments = async (): Promise<void> => {
    const bots = await removeReleasedFragments(dependencies, { nowMs: clock.now(), keepMs });
    if (bots > 0) logger.info({ bots }, 'The fragments of stored recordings were removed.');
  };
  const sweepCopies = async (): Promise<void> =>
    void (await removeStoredCopies(everything, dependencies.artifactUrlTtlMs));
  const sweepLateWrites = async (): Promise<void> => void (await deleteLateWrites(dependencies, clock.now()));
  const sweeps = {
    'Removing fragments of stored recordings': sweepFragments,
    'Removing copies of stored objects': sweepCopies,
    'Deleting what was written for deleted bots': sweepLateWrites,
    'Removing unfinished uploads': sweepUploads,
    "Aborting unfinished uploads in teams' buckets": sweepTeams,
  };
  for (const [what, work] of Object.entries(sweeps)) service.repeat({ what, everyMs: sweepEveryMs, work });
  const retryHeld = async (): Promise<void> => {
    const stored = await retrySpilled(everything);
    if (stored > 0) logger.info({ stored }, "Held objects were stored in teams' buckets.");
  };
  service.repeat({ what: 'Storing held objects', everyMs: retryEveryMs, work: retryHeld });
}

interface TeamSweepDependencies {
  readonly database: Database;
  readonly teams: TeamStores;
  readonly logger: Logger;
}

interface TeamSweepOptions {
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

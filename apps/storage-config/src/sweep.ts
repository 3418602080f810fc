import type { Database } from '@rapporteur/database';
import type { ObjectStore } from '@rapporteur/object-store';
import type { Service } from '@rapporteur/service-runtime';
import { keysStart } from './grants/granted.ts';
import { moveDueBots, removeSuperseded } from './moves/move-bots.ts';
import { removeReleasedFragments } from './release/remove-fragments.ts';
import { removeStoredCopies, retrySpilled } from './spill/retry-spilled.ts';
import { sweepTeamUploads } from './team-stores/sweep-team-uploads.ts';
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
 * Removes unfinished uploads of ended processes, now and every ten minutes; also fragments of stored recordings, and
 * copies without a reference. Held objects and moves that are due are retried every ten seconds. Failures are logged
 * and retried: no stored object depends on them. Only the first sweep of uploads is awaited.
 */
export async function startSweep(service: Service, dependencies: SweepDependencies): Promise<void> {
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
  const sweepCopies = async (): Promise<void> => {
    await removeStoredCopies(everything, dependencies.artifactUrlTtlMs);
    await removeSuperseded(everything);
  };
  await sweepUploads().catch((error: unknown) =>
    logger.warn({ err: error }, 'Unfinished uploads could not be removed.'),
  );
  const sweeps = {
    'Removing fragments of stored recordings': sweepFragments,
    'Removing copies of stored objects': sweepCopies,
    'Removing unfinished uploads': sweepUploads,
    "Aborting unfinished uploads in teams' buckets": sweepTeams,
  };
  for (const [what, work] of Object.entries(sweeps)) service.repeat({ what, everyMs: sweepEveryMs, work });
  const retryHeld = async (): Promise<void> => {
    const stored = await retrySpilled(everything);
    if (stored > 0) logger.info({ stored }, "Held objects were stored in teams' buckets.");
  };
  service.repeat({ what: 'Storing held objects', everyMs: retryEveryMs, work: retryHeld });
  service.repeat({ what: 'Moving bots between stores', everyMs: retryEveryMs, work: () => moveDueBots(everything) });
}

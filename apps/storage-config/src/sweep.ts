import type { Database } from '@rapporteur/database';
import type { ObjectStore } from '@rapporteur/object-store';
import { repeatUntilStopped } from '@rapporteur/service-runtime';
import type { Service } from '@rapporteur/service-runtime';
import { keysStart } from './grants/granted.ts';
import { moveDueBots, removeSuperseded } from './moves/move-bots.ts';
import { removeReleasedFragments } from './release/remove-fragments.ts';
import { removeStoredCopies, retrySpilled } from './spill/retry-spilled.ts';
import { sweepTeamUploads } from './team-stores/sweep-team-uploads.ts';
import type { TeamStores } from './team-stores/team-stores.ts';

/** An upload of which nothing came for this long will not be finished by anybody. */
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
  /** How long a link works. */
  readonly artifactUrlTtlMs: number;
}

/**
 * Removes what uploads of dead processes left, and the fragments of recordings that are stored, now and every ten minutes. What
 * fails is logged and tried again at the next turn: nothing that is stored depends on it. Fragments may be many, so nobody
 * waits for them.
 */
export async function startSweep(service: Service, dependencies: SweepDependencies): Promise<void> {
  const { store, fragmentRetentionMs: keepMs } = dependencies;
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    await work().catch((error: unknown) =>
      service.logger.warn({ err: error }, 'Cleaning up, or moving objects, failed; trying again later.'),
    );
  };
  const sweepUploads = async (): Promise<void> => {
    const removed = await store.sweepUnfinished({ idleMs, prefixes: [keysStart] });
    if (removed > 0) service.logger.info({ removed }, 'Uploads that never finished were removed.');
  };
  const sweepTeams = async (): Promise<void> => {
    const options = { nowMs: service.clock.now(), idleMs };
    const aborted = await sweepTeamUploads({ ...dependencies, logger: service.logger }, options);
    if (aborted > 0) service.logger.info({ aborted }, "Unfinished uploads in teams' buckets were aborted.");
  };
  const sweepFragments = async (): Promise<void> => {
    const bots = await removeReleasedFragments(dependencies, { nowMs: service.clock.now(), keepMs });
    if (bots > 0) service.logger.info({ bots }, 'The fragments of stored recordings were removed.');
  };
  const sweepCopies = async (): Promise<void> => {
    await removeStoredCopies({ ...dependencies, clock: service.clock }, dependencies.artifactUrlTtlMs);
    await removeSuperseded({ ...dependencies, clock: service.clock, logger: service.logger });
  };
  await attempt(sweepUploads);
  const sweeping = repeatUntilStopped(service.clock, sweepEveryMs, async () => {
    await attempt(sweepFragments);
    await attempt(sweepCopies);
    await attempt(sweepUploads);
    await attempt(sweepTeams);
  });
  service.onStop('sweep of unfinished uploads', () => sweeping.stop());
  const retrying = repeatUntilStopped(service.clock, retryEveryMs, async () => {
    await attempt(async () => {
      const stored = await retrySpilled({ ...dependencies, clock: service.clock, logger: service.logger });
      if (stored > 0) service.logger.info({ stored }, "Held objects were stored in teams' buckets.");
    });
  });
  service.onStop('retries of held objects', () => retrying.stop());
  const moving = repeatUntilStopped(service.clock, retryEveryMs, () =>
    attempt(async () => void (await moveDueBots({ ...dependencies, clock: service.clock, logger: service.logger }))),
  );
  service.onStop('moves between stores', () => moving.stop());
}

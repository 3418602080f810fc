import type { Database } from '@rapporteur/database';
import type { ObjectStore } from '@rapporteur/object-store';
import { repeatUntilStopped } from '@rapporteur/service-runtime';
import type { Service } from '@rapporteur/service-runtime';
import { keysStart } from './grants/granted.ts';
import { removeReleasedFragments } from './release/remove-fragments.ts';

/** An upload of which nothing came for this long will not be finished by anybody. */
const idleMs = 3_600_000;
const sweepEveryMs = 600_000;

export interface SweepDependencies {
  readonly store: ObjectStore;
  readonly database: Database;
  readonly fragmentRetentionMs: number;
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
      service.logger.warn({ err: error }, 'Removing what nobody needs any more failed. Trying again in ten minutes.'),
    );
  };
  const sweepUploads = async (): Promise<void> => {
    const removed = await store.sweepUnfinished({ idleMs, prefixes: [keysStart] });
    if (removed > 0) service.logger.info({ removed }, 'Uploads that never finished were removed.');
  };
  const sweepFragments = async (): Promise<void> => {
    const bots = await removeReleasedFragments(dependencies, { nowMs: service.clock.now(), keepMs });
    if (bots > 0) service.logger.info({ bots }, 'The pieces of stored recordings were removed.');
  };
  await attempt(sweepUploads);
  const sweeping = repeatUntilStopped(service.clock, sweepEveryMs, async () => {
    await attempt(sweepFragments);
    await attempt(sweepUploads);
  });
  service.onStop('sweep of unfinished uploads', () => sweeping.stop());
}

import { createHash } from 'node:crypto';
import type { Database, Executor } from '@rapporteur/database';
import type { Clock, Logger, Metrics } from '@rapporteur/service-runtime';
import { platformNames } from '@rapporteur/contracts';
import type { SchedulerCounters } from '../metrics.ts';
import { acceptPagePacks } from './accept-page-packs.ts';
import type { PagePackReader } from './page-pack-reader.ts';
import type { ReadPagePackSource } from './page-pack-source.ts';
import { describePagePacks, saveRefusal } from './page-pack-state.ts';
import { PagePackRefusal, refusalReasons } from './refusal.ts';
import { reviewPagePacks } from './trial.ts';
import type { Suspension } from './trial.ts';

export interface FollowDependencies {
  readonly database: Database;
  readonly reader: PagePackReader;
  /** Null: none is configured; overlays of an earlier configuration are dropped. */
  readonly source: ReadPagePackSource | null;
  readonly trialBots: number;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
  readonly onSuspended: (transaction: Executor, suspension: Suspension) => Promise<void>;
}

/**
 * One round: reads the source, stores what changed since this replica's last reading, and reviews page packs on trial.
 * Only a change is stored, so that replicas whose copies of a file differ for a while do not undo each other's.
 */
export function createPagePackRound(dependencies: FollowDependencies): () => Promise<void> {
  const { database, source, clock, logger } = dependencies;
  const now = () => clock.now();
  let lastReading = '';
  let lastRefusal = '';
  const refuse = async (refusal: PagePackRefusal): Promise<void> => {
    await saveRefusal(database, refusal, new Date(now()));
    if (refusal.message !== lastRefusal)
      logger.error(
        { reason: refusal.reason, err: refusal },
        `Page packs were refused; the last good ones stay in use. ${refusal.message}`,
      );
    lastRefusal = refusal.message;
  };
  const read = async (): Promise<void> => {
    const texts = source === null ? [] : await source();
    const reading = createHash('sha256').update(JSON.stringify(texts)).digest('base64');
    // A reading after one that failed is stored too: another replica may have refused the same document.
    if (reading === lastReading && lastRefusal === '') return;
    const { changed, refusals } = await acceptPagePacks({ ...dependencies, now }, texts);
    for (const { platform, version } of changed)
      logger.info({ platform, pagePack: version }, `Bots on ${platform} use the page pack ${version} from now on.`);
    lastReading = reading;
    const [refusal] = refusals;
    if (refusal !== undefined) return refuse(refusal);
    await saveRefusal(database, null, new Date(now()));
    lastRefusal = '';
  };
  return async () => {
    await read().catch((error: unknown) => {
      if (error instanceof PagePackRefusal) return refuse(error);
      throw error;
    });
    for (const { platform, version, message } of await reviewPagePacks({ ...dependencies, now }))
      logger.error({ platform, pagePack: version }, `A page pack was taken back by itself. ${message}`);
  };
}

/** Reads the gauges of page packs from the database when they are scraped. */
export function collectPagePackGauges(
  metrics: Metrics,
  { database, reader }: Pick<FollowDependencies, 'database' | 'reader'>,
  { pagePacks, pagePackRefused }: Pick<SchedulerCounters, 'pagePacks' | 'pagePackRefused'>,
): void {
  metrics.collect('page packs', [pagePacks, pagePackRefused], async () => {
    const { platforms, refused } = await describePagePacks(database, reader);
    for (const platform of platformNames) {
      const present = platforms.find((one) => one.platform === platform)?.state;
      for (const state of ['built-in', 'overlay', 'suspended'] as const)
        pagePacks.set({ platform, state }, present === state ? 1 : 0);
    }
    for (const reason of refusalReasons) pagePackRefused.set({ reason }, refused?.reason === reason ? 1 : 0);
  });
}

import { createHash } from 'node:crypto';
import type { Executor } from '@rapporteur/database';
import { openOutbound } from '@rapporteur/outbound-http';
import type { Metrics } from '@rapporteur/service-runtime';
import { platformNames } from '@rapporteur/contracts';
import type { MeetingPlatformName } from '@rapporteur/contracts';
import type { SchedulerCounters } from '../metrics.ts';
import type { Context } from '../schema/context.ts';
import { addNotice } from './operator-notices.ts';
import { forgetOutcomes } from './page-pack-outcomes.ts';
import { pagePackReader as reader } from './page-pack-reader.ts';
import type { PagePackReader } from './page-pack-reader.ts';
import { pagePackSourceOf } from './page-pack-source.ts';
import type { ReadPagePackSource } from './page-pack-source.ts';
import { acceptPagePacks, findPagePack } from './accept-page-packs.ts';
import { describePagePacks, saveRefusal } from './page-packs.routes.ts';
import { PagePackRefusal, refusalReasons } from './refusal.ts';

export type PagePackDependencies = Pick<Context, 'service' | 'config' | 'database' | 'counters'>;

/** Follows the operator's page packs until the service stops. Throws a sentence for a source that can't be used. */
export function startPagePacks({ service, config, database, counters }: PagePackDependencies): void {
  const { clock, logger } = service;
  const source = pagePackSourceOf(config, openOutbound(service, { ...config, caFile: undefined }));
  collectPagePackGauges(service.metrics, { database, reader }, counters);
  const trialBots = config.pagePackTrialBots;
  const round = createPagePackRound({
    database,
    reader,
    source,
    trialBots,
    clock,
    logger,
    onSuspended: async (transaction, suspension) => {
      if (config.canaryWebhook === undefined) return;
      await addNotice(transaction, { event: 'page_pack.suspended', data: { ...suspension } }, new Date(clock.now()));
    },
  });
  service.repeat({ what: 'Reading page packs', everyMs: config.pagePackPollMs, work: round });
  service.repeat({
    what: 'Forgetting outcomes of page packs',
    everyMs: config.dataMaintenanceMs,
    work: () => forgetOutcomes(database),
  });
}

interface FollowDependencies extends Pick<Context, 'database' | 'clock' | 'logger'> {
  readonly reader: PagePackReader;
  /** Null: none is configured; overlays of an earlier configuration are dropped. */
  readonly source: ReadPagePackSource | null;
  readonly trialBots: number;
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
function collectPagePackGauges(
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

/** A page pack is taken back when the share of bots that get in falls by more than this. */
const trialMargin = 0.3;

interface TrialDependencies extends Pick<Context, 'database' | 'now'> {
  readonly reader: Pick<PagePackReader, 'rulesChangedBy'>;
  /** Bots whose outcomes decide: the first ones of a new page pack, and the last ones of the one before. */
  readonly trialBots: number;
  /** In the transaction that suspends a page pack. */
  readonly onSuspended: (transaction: Executor, suspension: Suspension) => Promise<void>;
}

interface Suspension {
  readonly platform: MeetingPlatformName;
  readonly version: string;
  /** Why, as a sentence. */
  readonly message: string;
}

interface Tally {
  readonly bots: number;
  readonly entered: number;
}

/**
 * Compares each page pack with the one before and suspends one that does worse: bots use the one before until a new
 * version comes. Only its first `trialBots` bots count: when the page itself changes later, the one before would do no
 * better.
 */
async function reviewPagePacks(dependencies: TrialDependencies): Promise<Suspension[]> {
  const suspensions: Suspension[] = [];
  for (const platform of platformNames) {
    const suspension = await dependencies.database.transaction((transaction) =>
      review(transaction, platform, dependencies),
    );
    if (suspension !== null) suspensions.push(suspension);
  }
  return suspensions;
}

async function review(
  transaction: Executor,
  platform: MeetingPlatformName,
  { reader, now, trialBots, onSuspended }: TrialDependencies,
): Promise<Suspension | null> {
  const row = await findPagePack(transaction, platform, 'for update');
  if (row === null || row.suspended_at !== null || row.version === row.previous_version) return null;
  const differing = [row.overlay, row.previous_overlay].filter((overlay) => overlay !== null);
  const rules = differing.flatMap((overlay) => [...reader.rulesChangedBy(overlay)]);
  const of = { platform, rules, most: trialBots };
  const present = await tally(transaction, { ...of, version: row.version }, 'asc');
  const before = await tally(transaction, { ...of, version: row.previous_version }, 'desc');
  if (!isWorse(present, before, trialBots)) return null;
  const message = `The page pack ${row.version} brought ${present.entered} of its first ${present.bots} bots into their meetings; ${row.previous_version} had brought ${before.entered} of ${before.bots}.`;
  await transaction.query('update page_packs set suspended_at = $2, suspension = $3 where platform = $1', [
    platform,
    new Date(now()),
    message,
  ]);
  const suspension = { platform, version: row.version, message };
  await onSuspended(transaction, suspension);
  return suspension;
}

/** A quarter of the trial decides when it goes badly; one bot alone never does. */
function isWorse(present: Tally, before: Tally, trialBots: number): boolean {
  const least = Math.max(2, Math.ceil(trialBots / 4));
  if (present.bots < least || before.bots === 0) return false;
  return present.entered / present.bots < before.entered / before.bots - trialMargin;
}

interface TallyOf {
  readonly platform: string;
  readonly version: string;
  /** A page that keeps a bot out by another rule than these says nothing of the page packs: it is not counted. */
  readonly rules: readonly string[];
  readonly most: number;
}

/** @param order asc: of the first bots, desc: of the last ones */
async function tally(
  executor: Executor,
  { platform, version, rules, most }: TallyOf,
  order: 'asc' | 'desc',
): Promise<Tally> {
  const [row] = await executor.query<Tally>(
    `select count(*)::int as bots, count(*) filter (where entered)::int as entered from (
       select entered from page_pack_outcomes where platform = $1 and version = $2 and (rule is null or rule = any($4))
       order by at ${order} limit $3) taken`,
    [platform, version, most, rules],
  );
  return row ?? { bots: 0, entered: 0 };
}

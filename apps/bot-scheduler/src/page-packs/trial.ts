import type { MeetingPlatformName } from '@rapporteur/contracts';
import { platformNames } from '@rapporteur/contracts';
import type { Database, Executor } from '@rapporteur/database';
import { findPagePack } from './accept-page-packs.ts';
import type { PagePackReader } from './page-pack-reader.ts';

/** A page pack is taken back when the share of bots that get in falls by more than this. */
export const trialMargin = 0.3;

export interface TrialDependencies {
  readonly database: Database;
  readonly reader: Pick<PagePackReader, 'rulesChangedBy'>;
  readonly now: () => number;
  /** Bots whose outcomes decide: the first ones of a new page pack, and the last ones of the one before. */
  readonly trialBots: number;
  /** In the transaction that suspends a page pack. */
  readonly onSuspended: (transaction: Executor, suspension: Suspension) => Promise<void>;
}

export interface Suspension {
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
export async function reviewPagePacks(dependencies: TrialDependencies): Promise<Suspension[]> {
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
export function isWorse(present: Tally, before: Tally, trialBots: number): boolean {
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

import type { Executor } from '@rapporteur/database';
import type { BotScreenshotRow } from '../schema/entities.ts';

/** A joining bot takes a few; more indicate a faulty runner and are not stored. */
const mostPerBot = 5_000;

/**
 * Adds a screenshot that its runner stored, under the next number. The bot must be locked. A repeated key changes
 * nothing.
 */
export async function addScreenshot(
  transaction: Executor,
  botId: string,
  { key, takenAt }: { readonly key: string; readonly takenAt: Date },
): Promise<void> {
  await transaction.query(
    `insert into bot_screenshots (bot_id, number, key, taken_at)
     select $1, coalesce(max(number), 0) + 1, $2, $3 from bot_screenshots where bot_id = $1
     having coalesce(max(number), 0) < $4 and not coalesce(bool_or(key = $2), false)`,
    [botId, key, takenAt, mostPerBot],
  );
}

export interface ScreenshotPlace {
  /** Screenshots after (or before, when backward) this number. */
  readonly number: number;
  readonly backward: boolean;
}

/** Up to `limit` screenshots in the read direction: backward returns the nearest ones first. */
export async function findScreenshots(
  executor: Executor,
  botId: string,
  { number, backward }: ScreenshotPlace,
  limit: number,
): Promise<BotScreenshotRow[]> {
  const [operator, direction] = backward ? ['<', 'desc'] : ['>', 'asc'];
  return executor.query<BotScreenshotRow>(
    `select * from bot_screenshots where bot_id = $1 and number ${operator} $2 order by number ${direction} limit $3`,
    [botId, number, limit],
  );
}

export async function forgetScreenshots(transaction: Executor, botId: string): Promise<void> {
  await transaction.query('delete from bot_screenshots where bot_id = $1', [botId]);
}

import { createHash } from 'node:crypto';
import type { PagePackOverlay } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import type { BotRow } from '../schema/bot-entity.ts';
import { findPagePack } from './accept-page-packs.ts';

/** The overlay for one bot; null: the built-in pack alone. Every replica, and every run of the bot, gets the same. */
export async function choosePagePack(
  executor: Executor,
  { id, meeting_platform }: Pick<BotRow, 'id' | 'meeting_platform'>,
): Promise<PagePackOverlay | null> {
  const row = await findPagePack(executor, meeting_platform);
  if (row === null) return null;
  if (row.suspended_at !== null) return row.previous_overlay;
  return isInShare(id, row.overlay?.share ?? 100) ? row.overlay : row.previous_overlay;
}

/** @param percent 1 to 100. A bot within a share is also within every larger one. */
export function isInShare(botId: string, percent: number): boolean {
  return createHash('sha256').update(botId).digest().readUInt32BE(0) % 100 < percent;
}

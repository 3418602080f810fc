import type { RunnerReport } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import { recordPagePackOutcome } from '../page-packs/page-pack-outcomes.ts';
import type { BotRow } from '../schema/bot-entity.ts';

/**
 * Stores which page pack a run uses, which of its candidates matched, what it could read, and whether it brought the bot
 * in.
 */
export async function savePagePackReport(
  transaction: Executor,
  bot: BotRow,
  report: RunnerReport,
  at: Date,
): Promise<void> {
  if (report.kind !== 'status' && report.kind !== 'attendance-ended') return;
  const version = report.pagePackVersion ?? bot.page_pack_version;
  const { matchedCandidates, observed } = report.kind === 'attendance-ended' ? report : {};
  if (version !== bot.page_pack_version || matchedCandidates !== undefined || observed !== undefined) {
    await transaction.query(
      `update bots set page_pack_version = $2, matched_candidates = coalesce($3::jsonb, matched_candidates),
         observed = coalesce($4::jsonb, observed)
       where id = $1`,
      [bot.id, version, jsonOrNull(matchedCandidates), jsonOrNull(observed)],
    );
  }
  await recordPagePackOutcome(transaction, { ...bot, page_pack_version: version }, report, at);
}

const jsonOrNull = (value: object | undefined): string | null => (value === undefined ? null : JSON.stringify(value));

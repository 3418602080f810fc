import { endCodeOf } from '@rapporteur/bot-lifecycle';
import type { EndCode } from '@rapporteur/bot-lifecycle';
import type { Executor } from '@rapporteur/database';
import { refusalUnrecognised, waitingUnrecognised } from '@rapporteur/contracts';
import type { RunnerReport, UnrecognisedKind } from '@rapporteur/contracts';
import type { BotRow } from '../schema/bot-entity.ts';

/** Ends before the call that come of a page which could not be operated; the others need a page that shows them. */
const endsOfThePage: ReadonlySet<EndCode> = new Set(['CANNOT_JOIN_MEETING', 'INTERNAL_ERROR', 'GENERAL_ERROR']);

interface Outcome {
  readonly entered: boolean;
  /**
   * The rule by which the page showed that the bot stays out: a dead link, a refusal, a waiting room without an answer. It
   * counts only in the trial of an overlay that decides this rule. Null: the page could not be operated.
   */
  readonly rule: string | null;
}

/** What this report shows of the page; null: nothing, as of a bot that left on request. */
function outcomeOf(report: RunnerReport): Outcome | null {
  if (report.kind === 'status') return report.code === 'in_call_not_recording' ? { entered: true, rule: null } : null;
  if (report.kind !== 'attendance-ended' || report.end.joinedAt !== null) return null;
  // A pack whose texts no longer fit leaves a bot on a page that it does not recognise.
  if (unrecognisedKindOf(report) === 'waiting') return { entered: false, rule: null };
  if (report.endRule !== undefined) return { entered: false, rule: report.endRule };
  return endsOfThePage.has(endCodeOf(report.end.code)) ? { entered: false, rule: null } : null;
}

/** How the page was not recognised on which this bot ended; null: it was, or it was left. */
export function unrecognisedKindOf({
  end,
  endRule,
}: Pick<Extract<RunnerReport, { kind: 'attendance-ended' }>, 'end' | 'endRule'>): UnrecognisedKind | null {
  if (end.joinedAt !== null) return null;
  if (endRule === waitingUnrecognised) return 'waiting';
  if (endRule === refusalUnrecognised) return 'refused';
  return endRule === undefined && endsOfThePage.has(endCodeOf(end.code)) ? 'unusable' : null;
}

/** Records, once per bot, whether its page pack brought it into its meeting. */
export async function recordPagePackOutcome(
  transaction: Executor,
  { id, meeting_platform, page_pack_version }: Pick<BotRow, 'id' | 'meeting_platform' | 'page_pack_version'>,
  report: RunnerReport,
  at: Date,
): Promise<void> {
  const outcome = outcomeOf(report);
  if (outcome === null || page_pack_version === null) return;
  await transaction.query(
    `insert into page_pack_outcomes (bot_id, platform, version, entered, rule, at) values ($1, $2, $3, $4, $5, $6)
     on conflict (bot_id) do nothing`,
    [id, meeting_platform, page_pack_version, outcome.entered, outcome.rule, at],
  );
}

/** At least the largest trial: the first outcomes of a version decide on it, and the last ones on the next version. */
const outcomesKept = 1_000;

/** Keeps the oldest and the newest 1,000 of each version. */
export async function forgetOutcomes(executor: Executor): Promise<void> {
  await executor.query(
    `delete from page_pack_outcomes using (
       select bot_id, row_number() over (partition by platform, version order by at) as first,
         row_number() over (partition by platform, version order by at desc) as last
       from page_pack_outcomes) as placed
     where page_pack_outcomes.bot_id = placed.bot_id and placed.first > $1 and placed.last > $1`,
    [outcomesKept],
  );
}

import type { RunnerConfiguration } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import type { MeetingLink } from '@rapporteur/meeting-links';

export interface NewBot {
  readonly id: string;
  readonly teamId: string;
  readonly createdAt: Date;
  readonly meetingUrl: string;
  readonly link: MeetingLink;
  readonly configuration: RunnerConfiguration;
  readonly extra: Record<string, unknown> | null;
  readonly reservedTokens: number;
}

export interface LockedAccount {
  readonly dailyBotCap: number;
  /** Tokens that are not reserved, as text for a sentence. */
  readonly available: string;
}

/**
 * Locks the team's account until the transaction ends: admissions of one team happen one after another, and what the
 * next statement counts includes every admission before this one. Null when the team or its account is not known.
 */
export async function lockAccount(transaction: Executor, teamId: string): Promise<LockedAccount | null> {
  const [row] = await transaction.query<{ cap: number; available: string }>(
    `select limits.daily_bot_cap as cap, trim_scale(account.balance - account.reserved)::text as available
     from token_accounts account join team_limits limits using (team_id)
     where account.team_id = $1 for update of account`,
    [teamId],
  );
  return row === undefined ? null : { dailyBotCap: row.cap, available: row.available };
}

export interface AdmissionLimits {
  readonly dailyBotCap: number;
  readonly capSince: Date;
  /** Bots for the same meeting since then are duplicates; null: duplicates are allowed. */
  readonly duplicateSince: Date | null;
}

export interface AdmissionOutcome {
  readonly verdict: 'admitted' | 'cap' | 'tokens' | 'duplicate';
  /** Creation of the oldest bot that counts against the cap. */
  readonly oldestCounted: Date | null;
}

/** Checks and inserts in one round trip; needs the lock of `lockAccount`. */
export async function insertBot(
  transaction: Executor,
  bot: NewBot,
  limits: AdmissionLimits,
): Promise<AdmissionOutcome> {
  const { link } = bot;
  const [row] = await transaction.query<{ verdict: AdmissionOutcome['verdict']; oldest: Date | null }>(insertSql, [
    bot.id,
    bot.teamId,
    bot.createdAt,
    bot.configuration.bot_name,
    bot.meetingUrl,
    link.platform,
    link.meetingId,
    link.canonicalUrl,
    link.joinUrl,
    link.simulated,
    JSON.stringify(bot.configuration),
    bot.extra === null ? null : JSON.stringify(bot.extra),
    bot.reservedTokens,
    limits.dailyBotCap,
    limits.capSince,
    limits.duplicateSince,
  ]);
  if (row === undefined) throw new Error('The admission statement gave no verdict.');
  return { verdict: row.verdict, oldestCounted: row.oldest };
}

const insertSql = `
  with today as (select count(*) as bots, min(created_at) as oldest from bots where team_id = $2 and created_at > $15),
  verdict as (
    select case
      when today.bots >= $14 then 'cap'
      when account.balance - account.reserved < $13::numeric then 'tokens'
      when $16::timestamptz is not null and exists (
        select 1 from bots where team_id = $2 and canonical_url = $8 and created_at > $16) then 'duplicate'
      else 'admitted' end as verdict, today.oldest
    from today, token_accounts account where account.team_id = $2),
  bot as (
    insert into bots (
      id, team_id, created_at, bot_name, meeting_url, meeting_platform, meeting_id, canonical_url, join_url, simulated,
      configuration, extra, transcription_wanted, due_at, wants_run, attempt, finalize_attempts, phase, status,
      history_count, updated_at, participants, speakers, artifacts, artifacts_deleted, reserved_tokens)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::jsonb, $12::jsonb, false, $3, 'attend', 0, 0, 'queued', 'queued',
      1, $3, '[]', '[]', '[]', false, $13::numeric
    from verdict where verdict = 'admitted'),
  account as (
    update token_accounts set reserved = reserved + $13::numeric
    from verdict where team_id = $2 and verdict = 'admitted'),
  entry as (
    insert into token_ledger (id, team_id, at, kind, tokens, bot_id)
    select gen_random_uuid(), $2, $3, 'reserved', $13::numeric, $1 from verdict where verdict = 'admitted')
  select verdict, oldest from verdict`;

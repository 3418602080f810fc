import type { Executor } from '@rapporteur/database';
import type { DuplicateRule } from './prepare-bot.ts';

/** Current usage of a team's limits. Takes no locks: a later creation may see other values. */
export interface TeamStatus {
  readonly cap: number;
  /** Bots created in the last 24 hours. */
  readonly used: number;
  readonly availableTokens: number;
  /** A bot of the team makes another one for this meeting a duplicate. */
  readonly duplicate: boolean;
}

export interface StatusRequest {
  readonly teamId: string;
  readonly at: Date;
  readonly canonicalUrl: string | null;
  readonly duplicates: DuplicateRule;
}

/** Null while this service has no copy of the team. */
export async function readStatus(executor: Executor, internalRequest: StatusRequest): Promise<TeamStatus | null> {
  const { teamId, at, canonicalUrl, duplicates } = internalRequest;
  const [row] = await executor.query<TeamStatus>(
    `select limits.daily_bot_cap as cap, (account.balance - account.reserved)::float8 as "availableTokens",
       (account.bot_count - coalesce((
         select team_number from bots where team_id = $1 and admitted_at <= $2::timestamptz - interval '24 hours'
           and team_number is not null order by admitted_at desc limit 1), 0))::int as used,
       $3::text <> 'allowed' and exists (
         select 1 from bots where team_id = $1 and canonical_url = $4 and admitted_at > $2::timestamptz - interval '5 minutes'
           and team_number is not null) as duplicate
     from token_accounts account join team_limits limits using (team_id) where team_id = $1`,
    [teamId, at, duplicates, canonicalUrl],
  );
  return row ?? null;
}

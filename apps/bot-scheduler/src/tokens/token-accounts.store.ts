import type { Executor } from '@rapporteur/database';

export interface Settlement {
  readonly teamId: string;
  readonly botId: string;
  readonly reserved: number;
  readonly charged: number;
  /** The end reason. */
  readonly note: string;
  readonly at: Date;
  /** Set when it is charged for a repeated transcription, after the bot's end was paid. */
  readonly requestId?: string | undefined;
}

/**
 * Ends a bot's reservation and takes what it costs, never more than what other bots' reservations leave: a balance does
 * not go below zero. What could not be taken is noted in the ledger.
 */
export async function settleTokens(transaction: Executor, settlement: Settlement): Promise<void> {
  const { teamId, botId, reserved, charged, note, at, requestId } = settlement;
  if (reserved === 0 && charged === 0) return;
  await transaction.query(
    `with before as (select balance, reserved from token_accounts where team_id = $1 for update),
     paid as (select least($3::numeric, before.balance - before.reserved + $2::numeric) as tokens from before),
     account as (
       update token_accounts set balance = token_accounts.balance - paid.tokens, reserved = token_accounts.reserved - $2::numeric
       from paid where team_id = $1)
     insert into token_ledger (id, team_id, at, kind, tokens, bot_id, note, request_id)
     select gen_random_uuid(), $1, $4::timestamptz, 'released', $2::numeric, $5::uuid, $6::text, $7::uuid where $2::numeric > 0
     union all
     select gen_random_uuid(), $1, $4::timestamptz, 'charged', paid.tokens, $5::uuid,
       case when paid.tokens < $3::numeric then $6::text || ': ' || ($3::numeric - paid.tokens) || ' more were used than the account held' else $6::text end,
       $7::uuid
     from paid where $3::numeric > 0`,
    [teamId, reserved, charged, at, botId, note, requestId ?? null],
  );
}

/** Credits tokens once per grant; a repeated grant changes nothing. */
export async function creditTokens(
  transaction: Executor,
  grant: { readonly teamId: string; readonly grantId: string; readonly tokens: number; readonly at: Date },
): Promise<void> {
  await transaction.query(
    `with entry as (
       insert into token_ledger (id, team_id, at, kind, tokens, grant_id)
       values (gen_random_uuid(), $1, $4, 'granted', $3, $2)
       on conflict (grant_id) where grant_id is not null do nothing returning tokens)
     insert into token_accounts (team_id, balance, reserved)
     select $1, tokens, 0 from entry
     on conflict (team_id) do update set balance = token_accounts.balance + excluded.balance`,
    [grant.teamId, grant.grantId, grant.tokens, grant.at],
  );
}

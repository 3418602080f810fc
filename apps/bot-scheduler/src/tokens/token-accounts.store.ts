import type { Executor } from '@rapporteur/database';

export interface Settlement {
  readonly teamId: string;
  readonly botId: string;
  readonly reserved: number;
  readonly charged: number;
  /** The end reason. */
  readonly note: string;
  readonly at: Date;
  /** Set for a repeated transcription, which is charged after the bot's end. */
  readonly requestId?: string | undefined;
}

/**
 * Ends a bot's reservation and deducts its charge. A balance does not fall below the reservations of other bots: the
 * missing amount is a separate `written_off` row, so that `charged` in the ledger equals the charge that the bot shows.
 */
export async function settleTokens(transaction: Executor, settlement: Settlement): Promise<void> {
  const { teamId, botId, reserved, charged, note, at, requestId } = settlement;
  if (reserved === 0 && charged === 0) return;
  await transaction.query(
    `with before as (select balance, reserved from token_accounts where team_id = $1 for update),
     unpaid as (select greatest(0, $3::bigint - (before.balance - before.reserved + $2::bigint)) as tokens from before),
     account as (
       update token_accounts set balance = token_accounts.balance - $3::bigint + unpaid.tokens,
         reserved = token_accounts.reserved - $2::bigint
       from unpaid where team_id = $1)
     insert into token_ledger (id, team_id, at, kind, tokens, bot_id, note, request_id)
     select gen_random_uuid(), $1, $4::timestamptz, entry.kind, entry.tokens, $5::uuid, $6::text, $7::uuid
     from unpaid, lateral (values ('released', $2::bigint), ('charged', $3::bigint), ('written_off', unpaid.tokens))
       as entry (kind, tokens)
     where entry.tokens > 0`,
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

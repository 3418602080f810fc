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
 * Ends a bot's reservation and deducts its charge: the account is written at the commit (`settlement.sql.ts`). A second
 * settlement changes nothing.
 */
export async function settleTokens(transaction: Executor, settlement: Settlement): Promise<void> {
  const { teamId, botId, reserved, charged, note, at, requestId } = settlement;
  if (reserved === 0 && charged === 0) return;
  await transaction.query(
    `insert into token_ledger (id, team_id, at, kind, tokens, bot_id, note, request_id)
     select gen_random_uuid(), $1, $4::timestamptz, entry.kind, entry.tokens, $5::uuid, $6::text, $7::uuid
     from (values ('released', $2::bigint), ('charged', $3::bigint)) as entry (kind, tokens) where entry.tokens > 0
     on conflict do nothing`,
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

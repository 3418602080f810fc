/**
 * Applies the `released` and `charged` rows of the ledger to the account of the team, at the commit of their
 * transaction: bots of one team end at the same time, and the account is locked for the commit alone.
 *
 * A balance does not fall below the reservations of other bots: the missing amount is a separate `written_off` row, so
 * that `charged` in the ledger equals the charge that the bot shows. An account whose reservations are less than those of
 * its bots does not keep a bot from its end: PostgreSQL logs a warning.
 */
export const settlementSql = `
  create or replace function settle_tokens() returns trigger language plpgsql volatile as $$
    declare
      free bigint;
      held bigint;
      unpaid bigint;
    begin
      if new.kind = 'released' then
        select reserved into held from token_accounts where team_id = new.team_id for update;
        if held < new.tokens then
          raise warning 'Team % has % tokens reserved, and a bot releases %.', new.team_id, held, new.tokens;
        end if;
        update token_accounts set reserved = greatest(0, held - new.tokens) where team_id = new.team_id;
        return null;
      end if;
      select balance - reserved into free from token_accounts where team_id = new.team_id for update;
      unpaid := greatest(0, new.tokens - free);
      update token_accounts set balance = balance - new.tokens + unpaid where team_id = new.team_id;
      if unpaid > 0 then
        insert into token_ledger (id, team_id, at, kind, tokens, bot_id, note, request_id)
          values (gen_random_uuid(), new.team_id, new.at, 'written_off', unpaid, new.bot_id, new.note, new.request_id)
          on conflict do nothing;
      end if;
      return null;
    end $$;
  drop trigger if exists settle_tokens on token_ledger;
  create constraint trigger settle_tokens after insert on token_ledger deferrable initially deferred
    for each row when (new.kind in ('released', 'charged')) execute function settle_tokens();
`;

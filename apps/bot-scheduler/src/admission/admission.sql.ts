import { insertOutboxRowsSql } from '@rapporteur/event-bus';

/**
 * The rules of admission, as functions of schema `bots`; reapplied whenever this text changes. A function whose
 * parameters change is dropped first (`drop function if exists …`).
 */
export const admissionSql = `
  -- A new bot with its first history row, its secrets and its events. Checks nothing.
  drop function if exists insert_bot(jsonb, timestamptz, bigint);
  create or replace function insert_bot(bot jsonb, admitted timestamptz, new_number bigint) returns void
    language plpgsql volatile as $$
    declare
      bot_id constant uuid := bot->>'id';
      team_id constant uuid := bot->>'team_id';
      at constant timestamptz := bot->>'at';
    begin
      insert into bots (
        id, team_id, number, created_at, admitted_at, api_key_id, bot_name, meeting_url, meeting_platform, meeting_id, canonical_url, join_url, simulated,
        configuration, request, extra, callback, legacy, deduplication_key, join_at, transcription_wanted, due_at,
        wants_run, attempt, finalize_attempts, phase, status, history_count, updated_at, participants, speakers,
        artifacts, artifacts_deleted, reserved_tokens, team_number, retention_hours)
      overriding system value values (
        bot_id, team_id, coalesce((bot->>'number')::bigint, nextval(pg_get_serial_sequence('bots', 'number'))),
        coalesce((bot->>'created_at')::timestamptz, admitted), admitted, (bot->>'api_key_id')::uuid, bot->>'bot_name', bot->>'meeting_url', bot->>'meeting_platform',
        bot->>'meeting_id', bot->>'canonical_url', bot->>'join_url', (bot->>'simulated')::boolean,
        bot->'configuration', bot->'request', nullif(bot->'extra', 'null'), nullif(bot->'callback', 'null'),
        nullif(bot->'legacy', 'null'), bot->>'deduplication_key', (bot->>'join_at')::timestamptz,
        (bot->>'transcription_wanted')::boolean, at, 'attend', 0, 0, 'queued', 'queued', 1, at, '[]', '[]', '[]', false,
        (bot->>'reserved_tokens')::bigint, new_number, (bot->'request'->>'retention_hours')::integer);
      insert into bot_history (bot_id, sequence, code, at) values (bot_id, 1, 'queued', at);
      insert into bot_secrets (bot_id, field, team_id, sealed)
        select bot_id, secret.field, team_id, decode(secret.sealed, 'base64')
        from jsonb_to_recordset(bot->'secrets') as secret(field text, sealed text);
      ${insertOutboxRowsSql("bot->'events'")};
    end $$;

  -- Admissions of one team happen one after another: the account's row is their lock. The function must stay volatile,
  -- so that what it counts after it got the lock includes every admission before this one.
  create or replace function admit_bot(
      bot jsonb, out verdict text, out cap integer, out available text, out free_at timestamptz)
    language plpgsql volatile as $$
    declare
      team constant uuid := bot->>'team_id';
      at constant timestamptz := bot->>'at';
      reserve constant bigint := bot->>'reserved_tokens';
      account record;
      admitted timestamptz;
    begin
      select balance - reserved as free, bot_count, newest_bot_at into account
        from token_accounts where team_id = team for update;
      select daily_bot_cap into cap from team_limits where team_id = team;
      if account is null or cap is null then
        verdict := 'unknown-team';
        return;
      end if;
      available := account.free::text;
      -- In the order of the team's numbers, whichever instance's clock is ahead; no two bots of a team have one time.
      admitted := greatest(at, account.newest_bot_at + interval '1 millisecond');
      select bots.admitted_at + interval '24 hours' into free_at from bots
        where team_id = team and team_number = account.bot_count - cap + 1
          and bots.admitted_at > admitted - interval '24 hours';
      if found or cap <= 0 then
        verdict := 'cap';
        return;
      end if;
      if account.free < reserve then
        verdict := 'tokens';
        return;
      end if;
      if bot->>'duplicates' <> 'allowed' then
        perform 1 from bots
          where team_id = team and canonical_url = bot->>'canonical_url' and bots.admitted_at > admitted - interval '5 minutes'
            and team_number is not null
            and (bot->>'duplicates' = 'none' or api_key_id is not distinct from (bot->>'api_key_id')::uuid)
            and (bot->>'duplicates' <> 'same-key' or deduplication_key = bot->>'deduplication_key') limit 1;
        if found then
          verdict := 'duplicate';
          return;
        end if;
      end if;
      perform insert_bot(bot, admitted, account.bot_count + 1);
      update token_accounts set reserved = reserved + reserve, bot_count = bot_count + 1, newest_bot_at = admitted
        where team_id = team;
      insert into token_ledger (id, team_id, at, kind, tokens, bot_id)
        values (gen_random_uuid(), team, at, 'reserved', reserve, (bot->>'id')::uuid);
      verdict := 'admitted';
    end $$;

  -- A request that is sent again after its response was lost finds the bot that it made, whatever the limits say by now.
  create or replace function admit_bot_once(
      bot jsonb, out verdict text, out cap integer, out available text, out free_at timestamptz)
    language plpgsql volatile as $$
    begin
      perform 1 from token_accounts where team_id = (bot->>'team_id')::uuid for update;
      perform 1 from bots where id = (bot->>'id')::uuid and team_id = (bot->>'team_id')::uuid;
      if found then
        verdict := 'admitted';
        return;
      end if;
      select admission.* into verdict, cap, available, free_at from admit_bot(bot) as admission;
    end $$;
`;

import type { MigrationInterface, QueryRunner } from 'typeorm';
import { insertOutboxRowsSql } from '@rapporteur/event-bus';

export class AddBotRequests20261121120000 implements MigrationInterface {
  readonly name = 'AddBotRequests20261121120000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore the backup from before it instead.');
  }
}

/** Bots from before this migration get the request that their stored configuration stands for. */
const statements = [
  `alter table bots
    add column number bigint generated always as identity,
    add column team_number bigint,
    add column request jsonb,
    add column callback jsonb,
    add column legacy jsonb,
    add column deduplication_key text,
    add column join_at timestamptz`,
  `update bots set request = configuration || jsonb_build_object('extra', extra), team_number = counted.number
    from (select id, row_number() over (partition by team_id order by created_at, id) as number from bots) counted
    where counted.id = bots.id`,
  `alter table bots
    alter column request set not null,
    add constraint bots_number unique (number),
    add constraint bots_team_number unique (team_id, team_number)`,
  `alter table token_accounts
    add column bot_count bigint not null default 0,
    add column newest_bot_at timestamptz`,
  `update token_accounts account set bot_count = counted.bots, newest_bot_at = counted.newest
    from (select team_id, count(*) as bots, max(created_at) as newest from bots group by team_id) counted
    where counted.team_id = account.team_id`,
  // Named by a bot or by a scheduled bot, which has the same id: therefore no foreign key.
  `create table bot_secrets (
    bot_id uuid not null,
    field text not null,
    team_id uuid not null,
    sealed bytea not null,
    constraint bot_secrets_key primary key (bot_id, field)
  )`,
  `create table scheduled_bots (
    id uuid not null constraint scheduled_bots_key primary key,
    team_id uuid not null,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    join_at timestamptz not null,
    state text not null,
    cancelled_at timestamptz,
    spawned_at timestamptz,
    bot_name text not null,
    meeting_url text not null,
    meeting_platform text not null,
    link jsonb not null,
    request jsonb not null,
    extra jsonb,
    legacy jsonb,
    deduplication_key text,
    constraint scheduled_bots_state_known check (state in ('scheduled', 'cancelled', 'completed', 'failed'))
  )`,
  `create index scheduled_bots_due on scheduled_bots (join_at) where state = 'scheduled' and spawned_at is null`,
  `create index scheduled_bots_by_team on scheduled_bots (team_id, join_at, id)`,
  // A new bot with its first history row, its secrets and its events. Checks nothing.
  `create function insert_bot(bot jsonb, created_at timestamptz, team_number bigint) returns void
    language plpgsql volatile as $$
    declare
      bot_id constant uuid := bot->>'id';
      team_id constant uuid := bot->>'team_id';
      at constant timestamptz := bot->>'at';
    begin
      insert into bots (
        id, team_id, created_at, bot_name, meeting_url, meeting_platform, meeting_id, canonical_url, join_url, simulated,
        configuration, request, extra, callback, legacy, deduplication_key, join_at, transcription_wanted, due_at,
        wants_run, attempt, finalize_attempts, phase, status, history_count, updated_at, participants, speakers,
        artifacts, artifacts_deleted, reserved_tokens, team_number)
      values (
        bot_id, team_id, insert_bot.created_at, bot->>'bot_name', bot->>'meeting_url', bot->>'meeting_platform',
        bot->>'meeting_id', bot->>'canonical_url', bot->>'join_url', (bot->>'simulated')::boolean,
        bot->'configuration', bot->'request', nullif(bot->'extra', 'null'), nullif(bot->'callback', 'null'),
        nullif(bot->'legacy', 'null'), bot->>'deduplication_key', (bot->>'join_at')::timestamptz,
        (bot->>'transcription_wanted')::boolean, at, 'attend', 0, 0, 'queued', 'queued', 1, at, '[]', '[]', '[]', false,
        (bot->>'reserved_tokens')::numeric, insert_bot.team_number);
      insert into bot_history (bot_id, sequence, code, at) values (bot_id, 1, 'queued', at);
      insert into bot_secrets (bot_id, field, team_id, sealed)
        select bot_id, secret.field, team_id, decode(secret.sealed, 'base64')
        from jsonb_to_recordset(bot->'secrets') as secret(field text, sealed text);
      ${insertOutboxRowsSql("bot->'events'")};
    end $$`,
  // Admissions of one team happen one after another: the account's row is their lock. The function must stay volatile,
  // so that what it counts after it got the lock includes every admission before this one.
  `create function admit_bot(
      bot jsonb, out verdict text, out cap integer, out available text, out free_at timestamptz)
    language plpgsql volatile as $$
    declare
      team constant uuid := bot->>'team_id';
      at constant timestamptz := bot->>'at';
      reserve constant numeric := bot->>'reserved_tokens';
      account record;
      created timestamptz;
    begin
      select balance - reserved as free, bot_count, newest_bot_at into account
        from token_accounts where team_id = team for update;
      select daily_bot_cap into cap from team_limits where team_id = team;
      if account is null or cap is null then
        verdict := 'unknown-team';
        return;
      end if;
      available := trim_scale(account.free)::text;
      -- In the order of the team's numbers, whichever instance's clock is ahead.
      created := greatest(at, account.newest_bot_at);
      select bots.created_at + interval '24 hours' into free_at from bots
        where team_id = team and team_number = account.bot_count - cap + 1
          and bots.created_at > created - interval '24 hours';
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
          where team_id = team and canonical_url = bot->>'canonical_url' and bots.created_at > created - interval '5 minutes'
            and team_number is not null
            and (bot->>'duplicates' = 'none' or deduplication_key = bot->>'deduplication_key') limit 1;
        if found then
          verdict := 'duplicate';
          return;
        end if;
      end if;
      perform insert_bot(bot, created, account.bot_count + 1);
      update token_accounts set reserved = reserved + reserve, bot_count = bot_count + 1, newest_bot_at = created
        where team_id = team;
      insert into token_ledger (id, team_id, at, kind, tokens, bot_id)
        values (gen_random_uuid(), team, at, 'reserved', reserve, (bot->>'id')::uuid);
      verdict := 'admitted';
    end $$`,
] as const;

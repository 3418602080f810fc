import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddBotReading20261121130000 implements MigrationInterface {
  readonly name = 'AddBotReading20261121130000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore the backup from before it instead.');
  }
}

const statements = [
  `create table bot_commands (
    id uuid not null constraint bot_commands_key primary key,
    bot_id uuid not null constraint bot_commands_bot references bots (id),
    attempt integer not null,
    command jsonb not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    outcome text,
    message text,
    constraint bot_commands_outcome_known
      check (outcome in ('done', 'refused', 'unavailable', 'failed', 'expired')),
    constraint bot_commands_result_is_whole check ((outcome is null) = (message is null))
  )`,
  `create index bot_commands_waiting on bot_commands (bot_id, attempt) where outcome is null`,
  `create index bot_commands_by_age on bot_commands (created_at)`,
  `create table bot_screenshots (
    bot_id uuid not null constraint bot_screenshots_bot references bots (id),
    number integer not null,
    key text not null,
    taken_at timestamptz not null,
    constraint bot_screenshots_key primary key (bot_id, number)
  )`,
  `create table bot_access (
    bot_id uuid not null constraint bot_access_key primary key constraint bot_access_bot references bots (id),
    access_count bigint not null,
    last_accessed_at timestamptz not null
  )`,
  `alter table bot_secrets add column forget_at timestamptz`,
  `create index bot_secrets_to_forget on bot_secrets (forget_at) where forget_at is not null`,
  `alter table bots
    add column chat_available boolean,
    add column data_deleted_at timestamptz,
    add column objects_deleted_at timestamptz`,
  `create index bots_with_objects_to_delete on bots (data_deleted_at)
    where data_deleted_at is not null and objects_deleted_at is null`,
  `create index bots_to_forget on bots (team_id, ended_at) where ended_at is not null and not artifacts_deleted`,
  `create index bots_by_end on bots (team_id, ended_at) where ended_at is not null`,
  `drop index bots_by_team`,
  `create index bots_by_team on bots (team_id, created_at, id)`,
  `create index bots_unsearched on bots (team_id, created_at, id) where ended_at is null or team_number is null`,
  // The database may be of locale C, whose lower() knows ASCII only.
  `create function search_fold(value text) returns text language sql immutable parallel safe
    return lower(value collate "und-x-icu") collate "C"`,
  // hashtextextended is what hash partitions stand on: PostgreSQL keeps it the same from version to version.
  `create function search_seed(team uuid, kind text) returns bigint language sql immutable parallel safe
    return hashtextextended(team::text || kind, 0)`,
  `create function search_term(team uuid, kind text, value text) returns integer language sql immutable parallel safe
    return (hashtextextended(value, search_seed(team, kind)) & 2147483647)::integer`,
  // No content of a row may make this fail: a bot could not end then.
  `create function extra_pairs(extra jsonb) returns table (key text, value text) language sql immutable parallel safe
    begin atomic
      select pair.key, pair.value
      from jsonb_each_text(case jsonb_typeof(extra) when 'object' then extra else '{}' end) as pair;
    end`,
  // What a bot that ended is found by. Numbered by its team, so that no team's words slow down another's. Grams of five
  // find what people type; those of three are for shorter parts. An id is random: seven groups of it tell it apart.
  `create function search_terms(
      id uuid, team uuid, number bigint, status text, platform text, name text, url text, participants jsonb,
      speakers jsonb, extra jsonb) returns integer[]
    language sql immutable parallel safe cost 1000
    begin atomic
      with texts as materialized (
        select search_seed(team, 'name') as seed, search_fold(name) as value
        union all select search_seed(team, 'url'), search_fold(url)
        union all select search_seed(team, 'people'), search_fold(person.value->>'name')
          from jsonb_array_elements(participants || speakers) as person),
      grams as (
        select seed, substr(value, start, 3) as gram from texts, generate_series(1, length(value) - 2) as start
        union all
        select seed, substr(value, start, 5) from texts, generate_series(1, length(value) - 4) as start),
      terms as (
        select (hashtextextended(gram, seed) & 2147483647)::integer as term from grams
        union all
        select search_term(team, 'id', substr(replace(id::text, '-', ''), start, 5)) from generate_series(1, 25, 4) as start
        union all
        select search_term(team, 'extra', pair.key || chr(1) || pair.value)
          from extra_pairs(extra) as pair where pair.value is not null
        union all select search_term(team, 'status', status)
        union all select search_term(team, 'platform', platform)
        union all select search_term(team, 'block', size || ':' || number / size)
          from unnest('{512,4096,32768,262144}'::bigint[]) as size where number is not null)
      select coalesce(array_agg(distinct term), '{}') from terms;
    end`,
  // Grams that every text with this part in it has, from its end, where links differ.
  `create function search_part_terms(team uuid, kind text, part text) returns integer[]
    language sql immutable parallel safe
    begin atomic
      select array(
        select search_term(team, kind, substr(part, length(part) - size - back + 1, size))
        from (select case when length(part) >= 5 then 5 else 3 end as size) as gram,
          generate_series(0, least(59, length(part) - size)) as back
        order by back);
    end`,
  // An id with this part in it has one of these: where its groups begin in the part is not known.
  `create function search_id_terms(team uuid, part text) returns integer[] language sql immutable parallel safe
    begin atomic
      select case when length(part) >= 8 then array(
          select search_term(team, 'id', substr(part, start, 5)) from generate_series(1, 4) as start)
        else '{}' end;
    end`,
  `create index bots_search on bots using gin (
      search_terms(id, team_id, team_number, status, meeting_platform, bot_name, meeting_url, participants, speakers, extra))
    with (fastupdate = off) where ended_at is not null`,
  // Values by which lists are sorted. Long ones are cut: a B-tree takes no more.
  `create table bot_extra_values (
    team_id uuid not null,
    field text collate "C" not null,
    value text collate "C" not null,
    created_at timestamptz not null,
    bot_id uuid not null,
    constraint bot_extra_values_key primary key (team_id, field, value, created_at, bot_id)
  )`,
  `create index bot_extra_values_ascending on bot_extra_values (team_id, field, value, created_at desc, bot_id desc)`,
  `create function extra_field(field text) returns text language sql immutable parallel safe
    return case when length(field) <= 100 then field else left(field, 60) || md5(field) end`,
  `create function extra_value(value text) returns text language sql immutable parallel safe return left(value, 200)`,
  `create function keep_extra_values() returns trigger language plpgsql set search_path from current as $$
    begin
      if tg_op = 'UPDATE' then
        if old.ended_at is not null then
          delete from bot_extra_values sorted using extra_pairs(old.extra) as pair
            where sorted.team_id = old.team_id and sorted.field = extra_field(pair.key)
              and sorted.value = extra_value(pair.value) and sorted.created_at = old.created_at and sorted.bot_id = old.id;
        end if;
      end if;
      if new.ended_at is not null then
        insert into bot_extra_values (team_id, field, value, created_at, bot_id)
          select new.team_id, extra_field(pair.key), extra_value(pair.value), new.created_at, new.id
          from extra_pairs(new.extra) as pair where pair.value is not null
          on conflict do nothing;
      end if;
      return null;
    end $$`,
  `create trigger bots_extra_values_of_new after insert on bots for each row
    when (new.ended_at is not null and new.extra is not null) execute function keep_extra_values()`,
  `create trigger bots_extra_values_of_changed after update of extra, ended_at on bots for each row
    when (old.extra is distinct from new.extra or (old.ended_at is null) <> (new.ended_at is null))
    execute function keep_extra_values()`,
  `insert into bot_extra_values (team_id, field, value, created_at, bot_id)
    select team_id, extra_field(pair.key), extra_value(pair.value), created_at, id
    from bots, extra_pairs(extra) as pair
    where ended_at is not null and pair.value is not null
    on conflict do nothing`,
] as const;

import { sqlMigration } from '@rapporteur/database';
import { outboxTablesSql } from '@rapporteur/event-bus';

const tables = `
  create table plans (
    name text not null constraint plans_pkey primary key,
    requests_per_second integer not null constraint plans_requests_per_second check (requests_per_second between 1 and 1000),
    daily_bot_cap integer not null constraint plans_daily_bot_cap check (daily_bot_cap > 0),
    retention_days integer not null constraint plans_retention_days check (retention_days > 0),
    -- Whether teams on the plan may transcribe with keys of their own.
    byok_transcription boolean not null default true
  );

  create table teams (
    team_id uuid not null default gen_random_uuid() constraint teams_pkey primary key,
    name text not null constraint teams_name_key unique constraint teams_name check (length(name) between 1 and 100),
    plan text not null constraint teams_plan_fkey references plans (name),
    -- Goes up with every change that others keep a copy of.
    version integer not null default 1 constraint teams_version check (version > 0),
    created_at timestamptz not null default now(),
    -- The team's own limits, where they differ from its plan's.
    requests_per_second integer constraint teams_requests_per_second check (requests_per_second between 1 and 1000),
    daily_bot_cap integer constraint teams_daily_bot_cap check (daily_bot_cap > 0),
    retention_days integer constraint teams_retention_days check (retention_days > 0),
    -- What the team chose itself, below that.
    chosen_retention_days integer constraint teams_chosen_retention_days check (chosen_retention_days > 0)
  );

  create table api_keys (
    key_id uuid not null default gen_random_uuid() constraint api_keys_pkey primary key,
    team_id uuid not null constraint api_keys_team_id_fkey references teams (team_id),
    name text not null constraint api_keys_name check (length(name) between 1 and 50),
    permission text not null constraint api_keys_permission check (permission in ('full', 'sending')),
    key_hash bytea not null constraint api_keys_key_hash_key unique constraint api_keys_key_hash check (length(key_hash) = 32),
    key_start text not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz
  );
  create index api_keys_team_id on api_keys (team_id);
`;

const plans = `
  insert into plans (name, requests_per_second, daily_bot_cap, retention_days) values
    ('pay_as_you_go', 5, 75, 3),
    ('pro', 10, 300, 7),
    ('scale', 20, 1000, 14),
    ('enterprise', 20, 3000, 30),
    ('self_hosted', 50, 3000, 30)
`;

const limits = `
  -- One second of request times per team, of reads apart: worth nothing after a crash, so it costs no write-ahead log.
  create unlogged table rate_windows (
    team_id uuid not null,
    reads boolean not null,
    -- Requests are kept in groups of this many, each with the time of its latest, and the newest holds so many.
    group_size integer not null,
    newest_holds integer not null,
    passed bigint[] not null,
    constraint rate_windows_pkey primary key (team_id, reads)
  ) with (fillfactor = 50);

  -- One minute of deletions per key: worth nothing after a crash, so it costs no write-ahead log.
  create unlogged table deletion_windows (
    key_id uuid not null constraint deletion_windows_pkey primary key,
    admitted boolean not null,
    -- Microseconds since 1970 of the admitted calls of the last minute, oldest first.
    passed bigint[] not null
  );
`;

/** A function, because PostgreSQL caches its plan; planning costs far more than the decision. */
const rateDecision = `
  create function admit_request(team uuid, most integer, of_reads boolean, out admitted boolean, out remaining integer)
  language plpgsql as $$
  declare
    seen rate_windows;
    -- 64 groups at most: every single request has its own time up to 64 a second. A group's time is that of its latest
    -- request, so that larger groups can only let in too few, never too many.
    size constant integer := (most + 63) / 64;
    now_micros bigint;
    newest bigint;
    used integer;
  begin
    -- The row lock puts the replicas' requests in order.
    select * into seen from rate_windows where team_id = team and reads = of_reads for update;
    if not found then
      insert into rate_windows values (team, of_reads, size, 0, '{}') on conflict do nothing;
      select * into seen from rate_windows where team_id = team and reads = of_reads for update;
    end if;
    now_micros := (extract(epoch from clock_timestamp()) * 1000000)::bigint;
    newest := seen.passed[cardinality(seen.passed)];
    if newest > now_micros + 1000000 then
      -- The clock was set back: what it said before counts for nothing.
      seen.passed := '{}';
    elsif newest is not null then
      now_micros := greatest(now_micros, newest);
      seen.passed := seen.passed[width_bucket(now_micros - 1000000, seen.passed) + 1:];
    end if;
    used := case when cardinality(seen.passed) = 0 then 0
                 else (cardinality(seen.passed) - 1) * seen.group_size + seen.newest_holds end;
    admitted := used < most;
    remaining := greatest(most - used - 1, 0);
    if not admitted then
      return;
    end if;
    if used > 0 and seen.newest_holds < size then
      seen.passed[cardinality(seen.passed)] := now_micros;
      seen.newest_holds := seen.newest_holds + 1;
    else
      seen.passed := seen.passed || now_micros;
      seen.newest_holds := 1;
    end if;
    update rate_windows set group_size = size, newest_holds = seen.newest_holds, passed = seen.passed
     where team_id = team and reads = of_reads;
  end $$
`;

const requests = `
  create table idempotency_keys (
    team_id uuid not null,
    -- Method and route of the document, for example POST /v2/bots.
    operation text not null,
    -- Keys may be confidential: only their SHA-256 is kept.
    key_hash bytea not null constraint idempotency_keys_key_hash check (length(key_hash) = 32),
    request_hash bytea not null constraint idempotency_keys_request_hash check (length(request_hash) = 32),
    -- The same for every attempt of one request; passed to its owner.
    idempotency_id uuid not null,
    -- The instance that works on it, and until when no other may.
    claim_id uuid not null,
    claimed_until timestamptz not null,
    -- Null until it is answered. The response is sealed: it may hold a secret that is shown once.
    status integer,
    headers jsonb,
    response bytea,
    expires_at timestamptz not null,
    constraint idempotency_keys_pkey primary key (team_id, operation, key_hash),
    constraint idempotency_keys_response check ((status is null) = (response is null) and (status is null) = (headers is null))
  );
  create index idempotency_keys_expires_at on idempotency_keys (expires_at);

  create table audit_log (
    entry_id uuid not null constraint audit_log_pkey primary key,
    team_id uuid not null,
    at timestamptz not null,
    -- Null: a user, or an operator through the admin API.
    key_id uuid,
    -- Who was signed in to the console.
    user_name text,
    -- Of that user in this deployment: users choose their names.
    user_id uuid,
    action text not null,
    target jsonb not null,
    status integer not null,
    request_id text not null
  );
  create index audit_log_newest on audit_log (team_id, at, entry_id);
  create index audit_log_at on audit_log (at);
`;

export const createIdentity = sqlMigration(
  'CreateIdentity20261121000000',
  tables,
  plans,
  limits,
  rateDecision,
  requests,
  outboxTablesSql,
);

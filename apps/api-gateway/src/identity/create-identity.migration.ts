import { outboxMigrationSql } from '@rapporteur/event-bus';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateIdentity20261121000000 implements MigrationInterface {
  readonly name = 'CreateIdentity20261121000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
    await runner.query(plans);
    await runner.query(outboxMigrationSql());
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

const tables = `
  create table plans (
    name text not null constraint plans_pkey primary key,
    requests_per_second integer not null constraint plans_requests_per_second check (requests_per_second between 1 and 1000),
    daily_bot_cap integer not null constraint plans_daily_bot_cap check (daily_bot_cap > 0),
    retention_days integer not null constraint plans_retention_days check (retention_days > 0)
  );

  create table teams (
    team_id uuid not null default gen_random_uuid() constraint teams_pkey primary key,
    name text not null constraint teams_name_key unique constraint teams_name check (length(name) between 1 and 100),
    plan text not null constraint teams_plan_fkey references plans (name),
    -- Goes up with every change that others keep a copy of.
    version integer not null default 1 constraint teams_version check (version > 0),
    created_at timestamptz not null default now()
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

  -- One second of request times per team: worth nothing after a crash, so it costs no write-ahead log.
  create unlogged table rate_windows (
    team_id uuid not null constraint rate_windows_pkey primary key,
    admitted boolean not null,
    passed bigint[] not null
  ) with (fillfactor = 50);
`;

const plans = `
  insert into plans (name, requests_per_second, daily_bot_cap, retention_days) values
    ('pay_as_you_go', 5, 75, 3),
    ('pro', 10, 300, 7),
    ('scale', 20, 1000, 14),
    ('enterprise', 20, 3000, 30),
    ('self_hosted', 50, 3000, 30)
`;

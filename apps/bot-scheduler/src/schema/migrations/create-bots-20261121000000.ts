import type { MigrationInterface, QueryRunner } from 'typeorm';
import { outboxMigrationSql } from '@rapporteur/event-bus';

export class CreateBots20261121000000 implements MigrationInterface {
  readonly name = 'CreateBots20261121000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
    await runner.query(outboxMigrationSql());
  }

  async down(): Promise<void> {
    throw new Error('The first migration is not taken back: drop the schema instead.');
  }
}

const statements = [
  `create table team_limits (
    team_id uuid not null constraint team_limits_key primary key,
    version integer not null,
    name text not null,
    plan_name text not null,
    daily_bot_cap integer not null,
    retention_days integer not null
  )`,
  `create table token_accounts (
    team_id uuid not null constraint token_accounts_key primary key,
    balance numeric(14,4) not null,
    reserved numeric(14,4) not null,
    constraint token_accounts_never_negative check (balance >= 0 and reserved >= 0 and reserved <= balance)
  )`,
  `create table bots (
    id uuid not null constraint bots_key primary key,
    team_id uuid not null,
    created_at timestamptz not null,
    bot_name text not null,
    meeting_url text not null,
    meeting_platform text not null,
    meeting_id text not null,
    canonical_url text not null,
    join_url text not null,
    simulated boolean not null,
    configuration jsonb not null,
    extra jsonb,
    transcription_wanted boolean not null,
    due_at timestamptz not null,
    wants_run text,
    attempt integer not null,
    finalize_attempts integer not null,
    phase text not null,
    status text not null,
    history_count integer not null,
    updated_at timestamptz not null,
    leave_requested_at timestamptz,
    end_code text,
    end_message text,
    recorded boolean,
    joined_at timestamptz,
    exited_at timestamptz,
    ended_at timestamptz,
    duration_ms bigint,
    participants jsonb not null,
    speakers jsonb not null,
    artifacts jsonb not null,
    artifacts_deleted boolean not null,
    reserved_tokens numeric(14,4) not null,
    tokens jsonb,
    constraint bots_wants_run_known check (wants_run in ('attend', 'finalize')),
    constraint bots_end_is_whole check ((end_code is null) = (recorded is null))
  )`,
  `create index bots_by_team on bots (team_id, created_at)`,
  `create index bots_by_meeting on bots (team_id, canonical_url, created_at)`,
  `create index bots_that_want_a_run on bots (due_at) where wants_run is not null`,
  `create index bots_in_queue on bots (due_at) where phase = 'queued'`,
  `create table bot_history (
    bot_id uuid not null constraint bot_history_bot references bots (id),
    sequence integer not null,
    code text not null,
    at timestamptz not null,
    start_time bigint,
    error_message text,
    constraint bot_history_key primary key (bot_id, sequence)
  )`,
  // The guard behind "exactly one final event per bot".
  `create unique index bot_history_one_final on bot_history (bot_id) where code in ('completed', 'failed')`,
  `create table leases (
    bot_id uuid not null constraint leases_bot references bots (id),
    attempt integer not null,
    fencing integer not null,
    mode text not null,
    run_name text not null,
    state text not null,
    created_at timestamptz not null,
    renewed_at timestamptz,
    applied_sequence integer not null,
    ended_at timestamptz,
    constraint leases_key primary key (bot_id, attempt),
    constraint leases_run_name unique (run_name),
    constraint leases_state_known check (state in ('launching', 'held', 'done', 'lost'))
  )`,
  `create index leases_alive on leases (state) where state in ('launching', 'held')`,
  `create table launch_tickets (
    ticket_hash text not null constraint launch_tickets_key primary key,
    bot_id uuid not null,
    attempt integer not null,
    expires_at timestamptz not null,
    redeemed_at timestamptz,
    constraint launch_tickets_lease foreign key (bot_id, attempt) references leases (bot_id, attempt)
  )`,
  `create table token_ledger (
    id uuid not null constraint token_ledger_key primary key,
    team_id uuid not null,
    at timestamptz not null,
    kind text not null,
    tokens numeric(14,4) not null,
    bot_id uuid,
    grant_id uuid,
    note text
  )`,
  `create unique index token_ledger_once_per_grant on token_ledger (grant_id) where grant_id is not null`,
  `create unique index token_ledger_once_per_bot on token_ledger (bot_id, kind) where bot_id is not null`,
  `create index token_ledger_by_team on token_ledger (team_id, at)`,
] as const;

import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddCallbacks20261121150000 implements MigrationInterface {
  readonly name = 'AddCallbacks20261121150000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(statements);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

const statements = `
  alter table webhook_endpoints add column format text not null default 'v2'
    constraint webhook_endpoints_format check (format in ('v2', 'legacy'));

  alter table messages
    add column format text not null default 'v2' constraint messages_format check (format in ('v2', 'legacy')),
    -- Field under which the bot's owner keeps the API key that legacy receivers expect in a header; asked for at each attempt.
    add column key_field text,
    -- The bot's data was deleted: nothing of the body is shown, and what content it had is gone.
    add column redacted_at timestamptz;
  create index messages_bot on messages (bot_id);

  create index deliveries_leased on deliveries (endpoint_id) where lease_id is not null;

  -- One message to one address that came with the bot, not with an endpoint.
  create table calls (
    call_id uuid not null constraint calls_pkey primary key,
    bot_id uuid not null,
    team_id uuid not null,
    kind text not null constraint calls_kind check (kind in ('callback', 'legacy')),
    -- Why it is made; the same occasion makes one call, however often it is told.
    occasion text not null,
    message_id text not null,
    event text not null,
    url text not null,
    method text not null constraint calls_method check (method in ('POST', 'PUT')),
    secret_field text,
    -- Team and origin of the address: one that hangs holds up only itself.
    lane text not null,
    body bytea not null,
    state text not null constraint calls_state check (state in ('pending', 'succeeded', 'failed')),
    tries integer not null,
    -- While leased: when the lease ends, and with it the attempt of a process that died.
    next_attempt_at timestamptz,
    lease_id uuid,
    last_attempt_at timestamptz,
    last_status integer,
    last_error text,
    created_at timestamptz not null,
    settled_at timestamptz,
    constraint calls_occasion unique (bot_id, occasion),
    constraint calls_due_at check ((state = 'pending') = (next_attempt_at is not null)),
    constraint calls_settled check ((settled_at is null) = (state = 'pending')),
    constraint calls_lease check (lease_id is null or state = 'pending')
  );
  create index calls_due on calls (next_attempt_at) where state = 'pending';
  create index calls_leased on calls (lane) where lease_id is not null;
  create index calls_created on calls (created_at);

  create table call_attempts (
    attempt_id uuid not null constraint call_attempts_pkey primary key,
    call_id uuid not null constraint call_attempts_call references calls (call_id) on delete cascade,
    number integer not null,
    outcome text not null constraint call_attempts_outcome check (outcome in ('succeeded', 'failed')),
    status_code integer,
    error text,
    started_at timestamptz not null,
    duration_ms integer not null,
    constraint call_attempts_number unique (call_id, number)
  );

  -- Bots whose data was deleted: what is told of them late must not bring content back.
  create table forgotten_bots (
    bot_id uuid not null constraint forgotten_bots_pkey primary key,
    forgotten_at timestamptz not null
  );
`;

import { outboxMigrationSql } from '@rapporteur/event-bus';
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateDelivery20261121000000 implements MigrationInterface {
  readonly name = 'CreateDelivery20261121000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(tables);
    await runner.query(outboxMigrationSql());
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

const tables = `
  create table webhook_endpoints (
    endpoint_id uuid not null constraint webhook_endpoints_pkey primary key,
    team_id uuid not null,
    name text constraint webhook_endpoints_name check (length(name) between 1 and 255),
    url text not null constraint webhook_endpoints_url check (length(url) between 1 and 2048),
    events text[] not null constraint webhook_endpoints_events check (cardinality(events) > 0),
    enabled boolean not null,
    disabled_reason text constraint webhook_endpoints_disabled_reason check (disabled_reason in ('by_request', 'gone', 'failing')),
    -- First failure since the last success.
    failing_since timestamptz,
    -- Sealed by src/secrets, bound to team, endpoint and column.
    secret bytea not null,
    previous_secret bytea,
    previous_secret_expires_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    constraint webhook_endpoints_enabled check (enabled = (disabled_reason is null)),
    constraint webhook_endpoints_previous check ((previous_secret is null) = (previous_secret_expires_at is null))
  );
  create index webhook_endpoints_team on webhook_endpoints (team_id, created_at);

  create table messages (
    message_id text not null constraint messages_pkey primary key,
    team_id uuid not null,
    bot_id uuid,
    event text not null,
    -- The exact bytes of every attempt.
    body bytea not null,
    created_at timestamptz not null
  );
  create index messages_created on messages (created_at);

  create table deliveries (
    endpoint_id uuid not null,
    message_id text not null,
    state text not null constraint deliveries_state check (state in ('pending', 'held', 'succeeded', 'failed')),
    -- Attempts of the schedule that runs now; starts anew with a resend or when the endpoint is enabled again.
    tries integer not null,
    attempts integer not null,
    -- While leased: when the lease ends, and with it the attempt of a process that died.
    next_attempt_at timestamptz,
    lease_id uuid,
    last_attempt_at timestamptz,
    last_error text,
    created_at timestamptz not null,
    -- When it succeeded or was given up.
    settled_at timestamptz,
    constraint deliveries_pkey primary key (endpoint_id, message_id),
    constraint deliveries_endpoint foreign key (endpoint_id) references webhook_endpoints (endpoint_id) on delete cascade,
    constraint deliveries_message foreign key (message_id) references messages (message_id) on delete cascade,
    constraint deliveries_due_at check ((state = 'pending') = (next_attempt_at is not null)),
    constraint deliveries_settled check ((settled_at is null) = (state in ('pending', 'held'))),
    constraint deliveries_lease check (lease_id is null or state = 'pending')
  );
  create index deliveries_due on deliveries (next_attempt_at) where state = 'pending';
  create index deliveries_newest on deliveries (endpoint_id, created_at, message_id);
  create index deliveries_by_message on deliveries (message_id);

  create table attempts (
    attempt_id uuid not null constraint attempts_pkey primary key,
    endpoint_id uuid not null,
    message_id text not null,
    number integer not null,
    outcome text not null constraint attempts_outcome check (outcome in ('succeeded', 'failed')),
    status_code integer,
    error text,
    -- The first bytes of the answer.
    response_body bytea,
    started_at timestamptz not null,
    duration_ms integer not null,
    constraint attempts_delivery foreign key (endpoint_id, message_id)
      references deliveries (endpoint_id, message_id) on delete cascade,
    constraint attempts_number unique (endpoint_id, message_id, number)
  );
`;

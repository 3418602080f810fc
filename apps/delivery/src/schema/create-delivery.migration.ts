import { sqlMigration } from '@rapporteur/database';
import { outboxTablesSql } from '@rapporteur/event-bus';

const tables = `
  create table webhook_endpoints (
    endpoint_id uuid not null constraint webhook_endpoints_pkey primary key,
    team_id uuid not null,
    -- Null for an endpoint of the team. Otherwise the endpoint is one address that came with a bot or a calendar, for one message, and this is their id.
    owner_id uuid,
    kind text constraint webhook_endpoints_kind check (kind in ('callback', 'legacy')),
    -- Why it is made; the same trigger makes one address of an owner, however often its event arrives.
    trigger text,
    method text not null default 'POST' constraint webhook_endpoints_method check (method in ('POST', 'PUT')),
    -- Field under which the bot's owner keeps what goes into a header; read at each attempt.
    secret_field text,
    name text constraint webhook_endpoints_name check (length(name) between 1 and 255),
    url text not null,
    -- Of an address of an owner: none. It gets the one message that it was made for.
    events text[] not null,
    enabled boolean not null,
    disabled_reason text constraint webhook_endpoints_disabled_reason check (disabled_reason in ('by_request', 'gone', 'failing')),
    -- First failure since the last success.
    failing_since timestamptz,
    -- Sealed by src/secrets, bound to team, endpoint and column.
    secret bytea,
    previous_secret bytea,
    previous_secret_expires_at timestamptz,
    -- The endpoint's own headers: sealed as one JSON object, and their names.
    headers bytea,
    header_names text[] not null default '{}',
    created_at timestamptz not null,
    updated_at timestamptz not null,
    format text not null default 'v2' constraint webhook_endpoints_format check (format in ('v2', 'legacy')),
    constraint webhook_endpoints_url check (length(url) >= 1 and (owner_id is not null or length(url) <= 2048)),
    constraint webhook_endpoints_events check ((owner_id is null) = (cardinality(events) > 0)),
    constraint webhook_endpoints_owned check ((owner_id is null) = (kind is null) and (owner_id is null) = (trigger is null)),
    constraint webhook_endpoints_secret check ((owner_id is null) = (secret is not null)),
    constraint webhook_endpoints_trigger unique (owner_id, trigger),
    constraint webhook_endpoints_headers check ((headers is not null) = (cardinality(header_names) > 0)),
    constraint webhook_endpoints_enabled check (enabled = (disabled_reason is null)),
    constraint webhook_endpoints_previous check ((previous_secret is null) = (previous_secret_expires_at is null))
  );
  create index webhook_endpoints_team on webhook_endpoints (team_id, created_at) where owner_id is null;
  create index webhook_endpoints_owned_created on webhook_endpoints (created_at) where owner_id is not null;

  create table messages (
    message_id text not null constraint messages_pkey primary key,
    team_id uuid not null,
    bot_id uuid,
    event text not null,
    -- The exact bytes of every attempt.
    body bytea not null,
    created_at timestamptz not null,
    format text not null default 'v2' constraint messages_format check (format in ('v2', 'legacy')),
    -- Field under which the bot's owner keeps the API key that legacy receivers expect in a header; read at each attempt.
    key_field text,
    -- The bot's data was deleted: nothing of the body is shown, and the content that it had is gone.
    redacted_at timestamptz,
    trace text,
    -- The transaction that stored it: lists of new messages are in this order, which no transaction that commits later precedes.
    stored_in bigint not null default pg_current_xact_id()::text::bigint
  );
  create index messages_new on messages (team_id, stored_in, message_id) where format = 'v2';
  create index messages_created on messages (created_at);
  create index messages_bot on messages (bot_id);

  create table deliveries (
    delivery_id uuid not null constraint deliveries_pkey primary key,
    endpoint_id uuid not null,
    message_id text not null,
    -- Team and receiver, which is an endpoint or the origin of an owner's address: one that hangs holds up only itself.
    partition text not null,
    state text not null constraint deliveries_state check (state in ('pending', 'held', 'succeeded', 'failed')),
    -- Attempts of the schedule that runs now; starts anew with a resend or when the endpoint is enabled again.
    tries integer not null,
    attempts integer not null,
    -- Resends requested before the running schedule ended; each starts another schedule after a success.
    resends integer not null default 0,
    -- While leased: when the lease ends, and with it the attempt of a process that died.
    next_attempt_at timestamptz,
    lease_id uuid,
    last_attempt_at timestamptz,
    last_error text,
    created_at timestamptz not null,
    -- When it succeeded or was given up.
    settled_at timestamptz,
    -- Place among the events of the bot, and that of the event that goes to the same receiver first.
    bot_id uuid,
    sequence integer,
    previous_sequence integer,
    constraint deliveries_once unique (endpoint_id, message_id),
    constraint deliveries_endpoint foreign key (endpoint_id) references webhook_endpoints (endpoint_id) on delete cascade,
    constraint deliveries_message foreign key (message_id) references messages (message_id) on delete cascade,
    constraint deliveries_due_at check ((state = 'pending') = (next_attempt_at is not null)),
    constraint deliveries_settled check ((settled_at is null) = (state in ('pending', 'held'))),
    constraint deliveries_lease check (lease_id is null or state = 'pending')
  );
  create index deliveries_due on deliveries (next_attempt_at) where state = 'pending';
  create index deliveries_newest on deliveries (endpoint_id, created_at, message_id);
  create index deliveries_by_message on deliveries (message_id);
  create index deliveries_leased on deliveries (partition) where lease_id is not null;
  create index deliveries_due_by_partition on deliveries (partition, next_attempt_at) where state = 'pending';
  create index deliveries_in_order on deliveries (partition, bot_id, sequence) where sequence is not null;

  create table attempts (
    attempt_id uuid not null constraint attempts_pkey primary key,
    delivery_id uuid not null constraint attempts_delivery references deliveries (delivery_id) on delete cascade,
    number integer not null,
    outcome text not null constraint attempts_outcome check (outcome in ('succeeded', 'failed')),
    status_code integer,
    error text,
    -- The first bytes of the answer.
    response_body bytea,
    started_at timestamptz not null,
    duration_ms integer not null,
    constraint attempts_number unique (delivery_id, number)
  );

  -- Teams for which a program waits for new messages: all of their events are stored, with or without an endpoint.
  create table listeners (
    team_id uuid not null constraint listeners_pkey primary key,
    expires_at timestamptz not null
  );

  -- Bots whose data was deleted: late events about them must not bring content back.
  create table forgotten_bots (
    bot_id uuid not null constraint forgotten_bots_pkey primary key,
    forgotten_at timestamptz not null,
    confirmed_at timestamptz
  );
`;

export const createDelivery = sqlMigration('CreateDelivery20261121000000', tables, outboxTablesSql);

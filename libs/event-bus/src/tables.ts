/**
 * Tables of the outbox and the inbox; the first migration of every service that publishes or consumes events includes
 * them.
 */
export const outboxTablesSql = `
  create table outbox (
    id uuid primary key,
    position bigint generated always as identity,
    type text not null,
    data jsonb not null,
    occurred_at timestamptz not null,
    trace text,
    consumers text[] not null,
    settled_by text[] not null default '{}',
    settled_at timestamptz,
    notifications integer not null default 0,
    -- The publisher publishes an event first, the sweep after a pause.
    next_notification_at timestamptz not null default now() + interval '5 seconds'
  );
  create index outbox_due on outbox (next_notification_at) where settled_at is null;
  create index outbox_settled on outbox (settled_at) where settled_at is not null;
  create table inbox (
    consumer text not null,
    event_id uuid not null,
    handled_at timestamptz not null default now(),
    refusal text,
    primary key (consumer, event_id)
  );
  create index inbox_handled on inbox (handled_at);
`;

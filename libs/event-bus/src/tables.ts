/** Tables of the outbox and the inbox; the first migration of every service that speaks on the bus includes them. */
export function outboxMigrationSql(): string {
  return `
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
      rings integer not null default 0,
      next_ring_at timestamptz not null default now()
    );
    create index outbox_due on outbox (next_ring_at) where settled_at is null;
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
}

/** For a migration after those tables: its publisher publishes an event first, the sweep after a pause. */
export function outboxFirstPauseSql(): string {
  return `alter table outbox alter column next_ring_at set default now() + interval '5 seconds'`;
}

/** A migration for every service with an outbox, after its tables. Breaking: a build before it names the columns otherwise. */
export class RenameOutboxNotifications20261123124000 {
  readonly name = 'RenameOutboxNotifications20261123124000';

  async up(runner: { query(sql: string): Promise<unknown> }): Promise<void> {
    await runner.query(`
      alter table outbox rename column rings to notifications;
      alter table outbox rename column next_ring_at to next_notification_at;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

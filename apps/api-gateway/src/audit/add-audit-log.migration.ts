import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddAuditLog20261123101000 implements MigrationInterface {
  readonly name = 'AddAuditLog20261123101000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table audit_log (
        entry_id uuid not null constraint audit_log_pkey primary key,
        team_id uuid not null,
        at timestamptz not null,
        -- Null: an operator, through the admin API.
        key_id uuid,
        action text not null,
        target jsonb not null,
        status integer not null,
        request_id text not null
      );
      create index audit_log_newest on audit_log (team_id, at, entry_id);
      create index audit_log_at on audit_log (at);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

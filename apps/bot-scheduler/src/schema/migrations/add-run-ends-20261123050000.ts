import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddRunEnds20261123050000 implements MigrationInterface {
  readonly name = 'AddRunEnds20261123050000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table run_ends (
      bot_id uuid not null,
      attempt integer not null,
      cause text,
      exit_code integer,
      signal text,
      ended_at timestamptz,
      written_at timestamptz not null,
      status jsonb,
      last_log_lines jsonb not null,
      constraint run_ends_key primary key (bot_id, attempt),
      constraint run_ends_lease foreign key (bot_id, attempt) references leases (bot_id, attempt)
    )`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore the backup from before it instead.');
  }
}

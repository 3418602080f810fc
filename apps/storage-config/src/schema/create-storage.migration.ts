import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateStorage20261121000000 implements MigrationInterface {
  readonly name = 'CreateStorage20261121000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The newest grant of each bot: whoever holds an older one may write no more.
      create table bot_storage (
        bot_id uuid not null constraint bot_storage_pkey primary key,
        team_id uuid not null,
        fencing integer not null constraint bot_storage_fencing check (fencing > 0),
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      )
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

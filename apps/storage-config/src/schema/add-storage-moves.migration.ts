import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddStorageMoves20261123110200 implements MigrationInterface {
  readonly name = 'AddStorageMoves20261123110200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Bots whose objects an operator has moved to another store.
      create table storage_moves (
        bot_id uuid not null constraint storage_moves_pkey primary key,
        team_id uuid not null,
        -- Null: the object store of the deployment.
        target_config_id uuid,
        attempts integer not null default 0,
        next_attempt_at timestamptz not null,
        last_error text
      )
    `);
    await runner.query(`
      -- What a move left in the store before; it stays as long as links to it work.
      create table superseded_objects (
        id uuid not null constraint superseded_objects_pkey primary key,
        bot_id uuid not null,
        storage_config_id uuid,
        remove_at timestamptz not null
      )
    `);
    await runner.query(`create index superseded_objects_by_bot on superseded_objects (bot_id)`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

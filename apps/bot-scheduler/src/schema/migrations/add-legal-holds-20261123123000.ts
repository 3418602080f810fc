import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Bots whose data is not deleted. */
export class AddLegalHolds20261123123000 implements MigrationInterface {
  readonly name = 'AddLegalHolds20261123123000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table legal_holds (
        bot_id uuid not null constraint legal_holds_key primary key
          constraint legal_holds_bot references bots (id),
        placed_at timestamptz not null default now()
      )
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore the backup from before it instead.');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddGrantEnds20261123084500 implements MigrationInterface {
  readonly name = 'AddGrantEnds20261123084500';

  async up(runner: QueryRunner): Promise<void> {
    // Bots that have ended and whose upload grants storage still has to end, and from when on.
    await runner.query(`create table grant_ends (
      bot_id uuid not null constraint grant_ends_key primary key constraint grant_ends_bot references bots (id),
      team_id uuid not null,
      due_at timestamptz not null
    )`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore the backup from before it instead.');
  }
}

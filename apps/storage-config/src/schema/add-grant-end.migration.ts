import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddGrantEnd20261123095500 implements MigrationInterface {
  readonly name = 'AddGrantEnd20261123095500';

  async up(runner: QueryRunner): Promise<void> {
    // Set once the bot has ended: no grant of a runner writes anything for it any more.
    await runner.query('alter table bot_storage add column grants_ended_at timestamptz');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

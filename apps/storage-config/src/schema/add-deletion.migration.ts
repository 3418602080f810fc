import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddDeletion20261121130500 implements MigrationInterface {
  readonly name = 'AddDeletion20261121130500';

  async up(runner: QueryRunner): Promise<void> {
    // Set once everything of the bot was to be forgotten: nothing may be written for it any more.
    await runner.query('alter table bot_storage add column deleted_at timestamptz');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Not breaking: a build before it leaves the column alone, and its events have no place in the order. */
export class AddEventOrder20261123060000 implements MigrationInterface {
  readonly name = 'AddEventOrder20261123060000';

  async up(runner: QueryRunner): Promise<void> {
    // Place of the bot's newest public event (`EventOrder`); null while it has only the event of its admission.
    await runner.query('alter table bots add column event_order jsonb');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore the backup from before it instead.');
  }
}

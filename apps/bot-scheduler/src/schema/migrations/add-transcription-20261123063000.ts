import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddTranscription20261123063000 implements MigrationInterface {
  readonly name = 'AddTranscription20261123063000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table bots add column transcription jsonb');
    // A bot is charged once for its life, and once for each time that it is transcribed again.
    await runner.query('alter table token_ledger add column request_id uuid');
    await runner.query('drop index token_ledger_once_per_bot');
    await runner.query(
      'create unique index token_ledger_once_per_bot on token_ledger (bot_id, kind) where bot_id is not null and request_id is null',
    );
    await runner.query(
      'create unique index token_ledger_once_per_request on token_ledger (request_id) where request_id is not null',
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore the backup from before it instead.');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Time in a phase counts from the migration on for bots that were there before. */
export class AddMeasurements20261123090000 implements MigrationInterface {
  readonly name = 'AddMeasurements20261123090000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table bots add column phase_since timestamptz not null default now(), add column resource_usage jsonb',
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore the backup from before it instead.');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddFailureEvidence20261123160000 implements MigrationInterface {
  readonly name = 'AddFailureEvidence20261123160000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table bots add column failure_evidence jsonb');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore the backup from before it instead.');
  }
}

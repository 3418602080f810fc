import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddRejoins20261123122500 implements MigrationInterface {
  readonly name = 'AddRejoins20261123122500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table bots add column rejoins integer not null default 0, add column failure jsonb');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore the backup from before it instead.');
  }
}

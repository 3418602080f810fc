import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Not breaking: a build before it sends without a trace. */
export class AddTrace20261123100000 implements MigrationInterface {
  readonly name = 'AddTrace20261123100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table messages add column trace text; alter table calls add column trace text');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddDirectSlots20261123160000 implements MigrationInterface {
  readonly name = 'AddDirectSlots20261123160000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The slot below the attempt in which the fragment lies; null: it lies below its own key there.
      alter table direct_objects add column slot uuid
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

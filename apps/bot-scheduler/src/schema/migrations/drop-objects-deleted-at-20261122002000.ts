import type { MigrationInterface, QueryRunner } from 'typeorm';

export class DropObjectsDeletedAt20261122002000 implements MigrationInterface {
  readonly name = 'DropObjectsDeletedAt20261122002000';

  async up(runner: QueryRunner): Promise<void> {
    // What storage still has to delete stands in object_deletions; nobody ever read when it was done.
    await runner.query('alter table bots drop column objects_deleted_at');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore the backup from before it instead.');
  }
}

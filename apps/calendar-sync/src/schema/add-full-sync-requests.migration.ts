import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Not breaking: a build before it neither writes nor reads the column. */
export class AddFullSyncRequests20261123201000 implements MigrationInterface {
  readonly name = 'AddFullSyncRequests20261123201000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table connections add column full_sync_requests integer not null default 0');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddDeletionWindows20261121143000 implements MigrationInterface {
  readonly name = 'AddDeletionWindows20261121143000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- One minute of deletions per key: worth nothing after a crash, so it costs no write-ahead log.
      create unlogged table deletion_windows (
        key_id uuid not null constraint deletion_windows_pkey primary key,
        admitted boolean not null,
        -- Microseconds since 1970 of the admitted calls of the last minute, oldest first.
        passed bigint[] not null
      );
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

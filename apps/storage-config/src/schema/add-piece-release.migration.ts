import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddPieceRelease20261121180000 implements MigrationInterface {
  readonly name = 'AddPieceRelease20261121180000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Since when the recording does without the pieces it was made of, and when they were removed.
      alter table bot_storage add column pieces_released_at timestamptz, add column pieces_removed_at timestamptz
    `);
    await runner.query(`
      create index bot_storage_pieces_to_remove on bot_storage (pieces_released_at)
        where pieces_released_at is not null and pieces_removed_at is null
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

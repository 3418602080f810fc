import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Breaking: a build before it names the columns otherwise. */
export class RenameTerms20261123093000 implements MigrationInterface {
  readonly name = 'RenameTerms20261123093000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(statements);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

const statements = `
  alter table bot_storage rename column pieces_released_at to fragments_released_at;
  alter table bot_storage rename column pieces_removed_at to fragments_removed_at;
  alter index bot_storage_pieces_to_remove rename to bot_storage_fragments_to_remove;
`;

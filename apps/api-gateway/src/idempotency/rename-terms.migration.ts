import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Breaking: a build before it names the column otherwise. */
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
  alter table idempotency_keys rename column answer to response;
  alter table idempotency_keys rename constraint idempotency_keys_answer to idempotency_keys_response;
`;

import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A migration of plain SQL. Migrations are ordered by the date and time at the end of their names
 * (`CreateBots20261121000000`).
 */
export function sqlMigration(name: string, ...statements: readonly string[]): new () => MigrationInterface {
  return class implements MigrationInterface {
    readonly name = name;

    async up(runner: QueryRunner): Promise<void> {
      for (const statement of statements) await runner.query(statement);
    }

    async down(): Promise<void> {
      throw new Error('Migrations only go forward: restore a backup instead.');
    }
  };
}

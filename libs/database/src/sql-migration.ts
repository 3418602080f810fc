import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A migration of plain SQL. Migrations are ordered by the date and time at the end of their names
 * (`CreateBots20261121000000`).
 */
export function sqlMigration(name: string, ...statements: readonly string[]): new () => MigrationInterface {
  return migration(name, async (runner) => {
    for (const statement of statements) await runner.query(statement);
  });
}

/**
 * The first migration of a schema: what the entities describe, as TypeORM's schema builder makes it, then statements
 * for what entities cannot describe. With the first release its SQL becomes text, and later changes are migrations.
 */
export function baseline(name: string, ...statements: readonly string[]): new () => MigrationInterface {
  return migration(name, async (runner) => {
    const { upQueries } = await runner.connection.driver.createSchemaBuilder().log();
    for (const { query, parameters } of upQueries) await runner.query(query, parameters);
    for (const statement of statements) await runner.query(statement);
  });
}

function migration(name: string, up: (runner: QueryRunner) => Promise<void>): new () => MigrationInterface {
  return class implements MigrationInterface {
    readonly name = name;
    readonly up = up;

    async down(): Promise<void> {
      throw new Error('Migrations only go forward: restore a backup instead.');
    }
  };
}

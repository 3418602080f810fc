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
  alter table calls rename column lane to partition;
  alter table calls rename column occasion to trigger;
  alter table calls rename constraint calls_occasion to calls_trigger;
  alter index calls_due_by_lane rename to calls_due_by_partition;
  alter index deliveries_due_by_lane rename to deliveries_due_by_partition;
`;

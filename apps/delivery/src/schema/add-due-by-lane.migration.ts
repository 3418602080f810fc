import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Not breaking: a build before it does not use these indices. */
export class AddDueByLane20261122200000 implements MigrationInterface {
  readonly name = 'AddDueByLane20261122200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(statements);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

const statements = `
  create index deliveries_due_by_lane on deliveries (endpoint_id, next_attempt_at) where state = 'pending';
  create index calls_due_by_lane on calls (lane, next_attempt_at) where state = 'pending';
`;

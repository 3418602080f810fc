import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Not breaking: a build before it sends without an order. */
export class AddEventOrder20261123051000 implements MigrationInterface {
  readonly name = 'AddEventOrder20261123051000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(statements);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

const statements = `
  -- Place among the events of the bot, and that of the event that goes to the same receiver first.
  alter table deliveries add column bot_id uuid, add column sequence integer, add column previous_sequence integer;
  create index deliveries_in_order on deliveries (endpoint_id, bot_id, sequence) where sequence is not null;
  alter table calls add column sequence integer, add column previous_sequence integer;
  create index calls_in_order on calls (bot_id, sequence) where sequence is not null;
`;

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A runner may repeat its redeem until it renewed its lease; another one with the same ticket may not. */
export class AddTicketRunner20261123053000 implements MigrationInterface {
  readonly name = 'AddTicketRunner20261123053000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table launch_tickets add column redeemed_by text');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore the backup from before it instead.');
  }
}

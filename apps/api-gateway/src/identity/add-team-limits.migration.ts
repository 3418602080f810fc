import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A team's own limits, where they differ from its plan's. */
export class AddTeamLimits20261121141000 implements MigrationInterface {
  readonly name = 'AddTeamLimits20261121141000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table teams
        add column requests_per_second integer
          constraint teams_requests_per_second check (requests_per_second between 1 and 1000),
        add column daily_bot_cap integer constraint teams_daily_bot_cap check (daily_bot_cap > 0),
        add column retention_days integer constraint teams_retention_days check (retention_days > 0)
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

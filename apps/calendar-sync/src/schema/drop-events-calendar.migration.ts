import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Not breaking: events refer to their series, and those to the calendar; a deleted calendar still takes its events with it. */
export class DropEventsCalendar20261123163500 implements MigrationInterface {
  readonly name = 'DropEventsCalendar20261123163500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table events drop constraint events_calendar');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';
import { outboxFirstPauseSql } from '@rapporteur/event-bus';

export class AddEventPause20261121160000 implements MigrationInterface {
  readonly name = 'AddEventPause20261121160000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(outboxFirstPauseSql());
    // Bots that wait for a run are found by their rows: nobody hears these events any more.
    await runner.query(`update outbox set settled_at = now() where type = 'bots.v1.queued' and settled_at is null`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore the backup from before it instead.');
  }
}

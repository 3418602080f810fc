import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  outboxFirstPauseSql,
  outboxMigrationSql,
  RenameOutboxNotifications20261123124000,
} from '@rapporteur/event-bus';

export class AddOutbox20261123160000 implements MigrationInterface {
  readonly name = 'AddOutbox20261123160000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(outboxMigrationSql());
    await runner.query(outboxFirstPauseSql());
    await new RenameOutboxNotifications20261123124000().up(runner);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

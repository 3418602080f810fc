import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Not breaking: a build before it makes calendars due in their own rows, which still counts. */
export class AddSyncRequests20261123160500 implements MigrationInterface {
  readonly name = 'AddSyncRequests20261123160500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`create table sync_requests (
      request_id uuid not null constraint sync_requests_pkey primary key,
      calendar_id uuid not null,
      requested_at timestamptz not null
    )`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether a team may transcribe with keys of its own. */
export class AddByokTranscription20261123092500 implements MigrationInterface {
  readonly name = 'AddByokTranscription20261123092500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table team_limits add column byok_transcription boolean not null default true');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore the backup from before it instead.');
  }
}

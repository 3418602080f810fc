import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddDirectObjects20261123110100 implements MigrationInterface {
  readonly name = 'AddDirectObjects20261123110100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Fragments that runners sent to the object store themselves: they lie below the attempt that wrote them and are read from there.
      create table direct_objects (
        bot_id uuid not null,
        key text not null,
        fencing integer not null constraint direct_objects_fencing check (fencing > 0),
        bytes bigint not null,
        constraint direct_objects_pkey primary key (bot_id, key)
      )
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddObjectDeletions20261121161000 implements MigrationInterface {
  readonly name = 'AddObjectDeletions20261121161000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore the backup from before it instead.');
  }
}

const statements = [
  // In full order, so that the planner never prefers bots_by_end, which holds those that were forgotten long ago too.
  'drop index bots_to_forget',
  `create index bots_to_forget on bots (team_id, ended_at, id) where ended_at is not null and not artifacts_deleted`,
  // Bots whose objects storage still has to delete. Beside the bots: a mark in their rows that an index follows would write every
  // index of a bot anew, its search terms above all.
  `create table object_deletions (
    bot_id uuid not null constraint object_deletions_key primary key constraint object_deletions_bot references bots (id),
    team_id uuid not null
  )`,
  `insert into object_deletions (bot_id, team_id)
    select id, team_id from bots where data_deleted_at is not null and objects_deleted_at is null`,
  'drop index bots_with_objects_to_delete',
] as const;

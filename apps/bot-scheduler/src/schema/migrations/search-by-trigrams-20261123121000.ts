import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The index itself is created by `listing/search-index.ts`: it needs extensions that a database may not have. */
export class SearchByTrigrams20261123121000 implements MigrationInterface {
  readonly name = 'SearchByTrigrams20261123121000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore the backup from before it instead.');
  }
}

const statements = [
  'drop index bots_search',
  'drop trigger bots_extra_values_of_new on bots',
  'drop trigger bots_extra_values_of_changed on bots',
  'drop function keep_extra_values()',
  'drop table bot_extra_values',
  'drop function search_terms(uuid, uuid, bigint, text, text, text, text, jsonb, jsonb, jsonb)',
  'drop function search_part_terms(uuid, text, text)',
  'drop function search_id_terms(uuid, text)',
  'drop function search_term(uuid, text, text)',
  'drop function search_seed(uuid, text)',
  'drop function extra_pairs(jsonb)',
  'drop function extra_field(text)',
  'drop function extra_value(text)',
  'drop index bots_unsearched',
  'create index bots_in_progress on bots (team_id, created_at, id) where ended_at is null',
  // The names of a list of participants, as a JSON array.
  `create function search_names(people jsonb) returns text language sql immutable parallel safe
    return search_fold(jsonb_path_query_array(people, '$[*].name')::text)`,
] as const;

import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AddTeamStorage20261123110000 implements MigrationInterface {
  readonly name = 'AddTeamStorage20261123110000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Every PUT inserts a row and none is changed afterwards, so that a bot keeps the configuration that it was written to.
      create table storage_configs (
        storage_config_id uuid not null constraint storage_configs_pkey primary key,
        team_id uuid not null,
        endpoint text not null,
        region text not null,
        force_path_style boolean not null,
        allow_transient_spill boolean not null,
        artifacts_bucket text not null,
        audio_chunks_bucket text not null,
        logs_bucket text not null,
        ingest_access_key_id text not null,
        -- Sealed by secret-box, bound to team, record and column.
        ingest_secret_access_key bytea not null,
        service_access_key_id text not null,
        service_secret_access_key bytea not null,
        last_verified_at timestamptz,
        last_error_at timestamptz,
        last_error_message text,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        -- Set when a newer configuration takes its place, or it is deleted: no new bot gets it.
        replaced_at timestamptz
      )
    `);
    await runner.query(`
      create unique index storage_configs_current on storage_configs (team_id) where replaced_at is null
    `);
    await runner.query(`
      -- Null: the object store of the deployment.
      alter table bot_storage add column storage_config_id uuid
        constraint bot_storage_config references storage_configs (storage_config_id)
    `);
    await runner.query(`
      create index bot_storage_by_config on bot_storage (storage_config_id) where storage_config_id is not null
    `);
    await runner.query(`
      -- Objects of a team's bucket that are held in the object store of the deployment until the bucket takes them.
      create table spilled_objects (
        bot_id uuid not null,
        key text not null,
        team_id uuid not null,
        storage_config_id uuid not null,
        version uuid not null,
        bytes bigint not null,
        content_type text not null,
        spilled_at timestamptz not null,
        attempts integer not null default 0,
        next_attempt_at timestamptz not null,
        last_error text,
        -- Since when the bucket has it; the copy stays as long as links to it work.
        stored_at timestamptz,
        constraint spilled_objects_pkey primary key (bot_id, key)
      )
    `);
    await runner.query(`create index spilled_objects_due on spilled_objects (next_attempt_at) where stored_at is null`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

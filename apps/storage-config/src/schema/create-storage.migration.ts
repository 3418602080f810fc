import { sqlMigration } from '@rapporteur/database';

const tables = `
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
    -- Folder of every key in the buckets, with a slash at its end; empty: none.
    key_prefix text not null,
    -- Null: what the buckets do by default.
    server_side_encryption text,
    kms_key_id text,
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
  );
  create unique index storage_configs_current on storage_configs (team_id) where replaced_at is null;

  -- The newest grant of each bot: a runner with an older one may write no more.
  create table bot_storage (
    bot_id uuid not null constraint bot_storage_pkey primary key,
    team_id uuid not null,
    fencing integer not null constraint bot_storage_fencing check (fencing > 0),
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    -- Set once the bot's data is deleted: nothing may be written for it any more.
    deleted_at timestamptz,
    -- When everything is deleted once more: uploads that were permitted before the deletion have ended by then.
    delete_again_at timestamptz,
    -- Since when the recording does without the fragments it was made of, and when they were removed.
    fragments_released_at timestamptz,
    fragments_removed_at timestamptz,
    -- Set once the bot has ended: no grant of a runner writes anything for it any more.
    grants_ended_at timestamptz,
    -- Null: the object store of the deployment.
    storage_config_id uuid constraint bot_storage_config references storage_configs (storage_config_id)
  );
  create index bot_storage_fragments_to_remove on bot_storage (fragments_released_at)
    where fragments_released_at is not null and fragments_removed_at is null;
  create index bot_storage_to_delete_again on bot_storage (delete_again_at) where delete_again_at is not null;
  create index bot_storage_by_config on bot_storage (storage_config_id) where storage_config_id is not null;

  -- Objects of a team's bucket that are held in the object store of the deployment until the bucket takes them.
  create table spilled_objects (
    bot_id uuid not null,
    key text not null,
    team_id uuid not null,
    storage_config_id uuid not null,
    -- Of each write: the copy in the object store of the deployment has it in its key.
    version uuid not null,
    bytes bigint not null,
    content_type text not null,
    spilled_at timestamptz not null,
    attempts integer not null default 0,
    next_attempt_at timestamptz not null,
    last_error text,
    -- Since when the bucket has it, or a later version; the copy stays as long as links to it work.
    stored_at timestamptz,
    constraint spilled_objects_pkey primary key (bot_id, key, version)
  );
  create unique index spilled_objects_held on spilled_objects (bot_id, key) where stored_at is null;
  create index spilled_objects_due on spilled_objects (next_attempt_at) where stored_at is null;

  -- Fragments that runners sent to the object store themselves: they are stored below the attempt that wrote them and are read from there.
  create table direct_objects (
    bot_id uuid not null,
    key text not null,
    fencing integer not null constraint direct_objects_fencing check (fencing > 0),
    bytes bigint not null,
    -- The slot below the attempt in which the fragment is stored.
    slot uuid not null,
    constraint direct_objects_pkey primary key (bot_id, key)
  );
`;

export const createStorage = sqlMigration('CreateStorage20261121000000', tables);

import { EntitySchema } from 'typeorm';

/** One version of a team's storage configuration. */
export interface StorageConfigRow {
  storage_config_id: string;
  team_id: string;
  endpoint: string;
  region: string;
  force_path_style: boolean;
  allow_transient_spill: boolean;
  artifacts_bucket: string;
  audio_chunks_bucket: string;
  logs_bucket: string;
  ingest_access_key_id: string;
  ingest_secret_access_key: Buffer;
  service_access_key_id: string;
  service_secret_access_key: Buffer;
  last_verified_at: Date | null;
  last_error_at: Date | null;
  last_error_message: string | null;
  created_at: Date;
  updated_at: Date;
  replaced_at: Date | null;
}

export const storageConfigs = new EntitySchema<StorageConfigRow>({
  name: 'storage_configs',
  columns: {
    storage_config_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'storage_configs_pkey' },
    team_id: { type: 'uuid' },
    endpoint: { type: 'text' },
    region: { type: 'text' },
    force_path_style: { type: 'boolean' },
    allow_transient_spill: { type: 'boolean' },
    artifacts_bucket: { type: 'text' },
    audio_chunks_bucket: { type: 'text' },
    logs_bucket: { type: 'text' },
    ingest_access_key_id: { type: 'text' },
    ingest_secret_access_key: { type: 'bytea' },
    service_access_key_id: { type: 'text' },
    service_secret_access_key: { type: 'bytea' },
    last_verified_at: { type: 'timestamptz', nullable: true },
    last_error_at: { type: 'timestamptz', nullable: true },
    last_error_message: { type: 'text', nullable: true },
    created_at: { type: 'timestamptz' },
    updated_at: { type: 'timestamptz' },
    replaced_at: { type: 'timestamptz', nullable: true },
  },
  indices: [{ name: 'storage_configs_current', columns: ['team_id'], unique: true, where: 'replaced_at is null' }],
});

/** An object that waits in the object store of the deployment for the team's bucket to take it. */
export interface SpilledObjectRow {
  bot_id: string;
  /** Below the bot's own prefix. */
  key: string;
  team_id: string;
  storage_config_id: string;
  /** Another one after each write of the same key. */
  version: string;
  /** PostgreSQL gives a bigint as text. */
  bytes: string;
  content_type: string;
  spilled_at: Date;
  attempts: number;
  next_attempt_at: Date;
  last_error: string | null;
  /** Since when the bucket has it; the copy stays as long as links to it work. */
  stored_at: Date | null;
}

export const spilledObjects = new EntitySchema<SpilledObjectRow>({
  name: 'spilled_objects',
  columns: {
    bot_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'spilled_objects_pkey' },
    key: { type: 'text', primary: true, primaryKeyConstraintName: 'spilled_objects_pkey' },
    team_id: { type: 'uuid' },
    storage_config_id: { type: 'uuid' },
    version: { type: 'uuid' },
    bytes: { type: 'bigint' },
    content_type: { type: 'text' },
    spilled_at: { type: 'timestamptz' },
    attempts: { type: 'integer', default: 0 },
    next_attempt_at: { type: 'timestamptz' },
    last_error: { type: 'text', nullable: true },
    stored_at: { type: 'timestamptz', nullable: true },
  },
  indices: [{ name: 'spilled_objects_due', columns: ['next_attempt_at'], where: 'stored_at is null' }],
});

/** A fragment that a runner sent to the object store itself and committed. */
export interface DirectObjectRow {
  bot_id: string;
  /** Below the bot's own prefix, without the attempt. */
  key: string;
  fencing: number;
  /** PostgreSQL gives a bigint as text. */
  bytes: string;
  /** Null: the object lies below its own key. */
  slot: string | null;
}

export const directObjects = new EntitySchema<DirectObjectRow>({
  name: 'direct_objects',
  columns: {
    bot_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'direct_objects_pkey' },
    key: { type: 'text', primary: true, primaryKeyConstraintName: 'direct_objects_pkey' },
    fencing: { type: 'integer' },
    bytes: { type: 'bigint' },
    slot: { type: 'uuid', nullable: true },
  },
  checks: [{ name: 'direct_objects_fencing', expression: 'fencing > 0' }],
});

/** A bot whose objects are to be in another store. */
export interface StorageMoveRow {
  bot_id: string;
  team_id: string;
  /** Null: the object store of the deployment. */
  target_config_id: string | null;
  attempts: number;
  next_attempt_at: Date;
  last_error: string | null;
}

export const storageMoves = new EntitySchema<StorageMoveRow>({
  name: 'storage_moves',
  columns: {
    bot_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'storage_moves_pkey' },
    team_id: { type: 'uuid' },
    target_config_id: { type: 'uuid', nullable: true },
    attempts: { type: 'integer', default: 0 },
    next_attempt_at: { type: 'timestamptz' },
    last_error: { type: 'text', nullable: true },
  },
});

/** Objects of a bot in the store before a move. */
export interface SupersededObjectsRow {
  id: string;
  bot_id: string;
  storage_config_id: string | null;
  remove_at: Date;
}

export const supersededObjects = new EntitySchema<SupersededObjectsRow>({
  name: 'superseded_objects',
  columns: {
    id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'superseded_objects_pkey' },
    bot_id: { type: 'uuid' },
    storage_config_id: { type: 'uuid', nullable: true },
    remove_at: { type: 'timestamptz' },
  },
  indices: [{ name: 'superseded_objects_by_bot', columns: ['bot_id'] }],
});

import { defineTable, text } from '@rapporteur/database';
import type { RowOf } from '@rapporteur/database';

/** One version of a team's storage configuration. */
export const storageConfigs = defineTable({
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
    /** Folder of every key in the buckets, with a slash at its end; empty: none. */
    key_prefix: { type: 'text' },
    /** Null: what the buckets do by default. */
    server_side_encryption: { type: text<'AES256' | 'aws:kms'>(), nullable: true },
    kms_key_id: { type: 'text', nullable: true },
    ingest_access_key_id: { type: 'text' },
    /** Sealed by secret-box, bound to team, record and column. */
    ingest_secret_access_key: { type: 'bytea' },
    service_access_key_id: { type: 'text' },
    service_secret_access_key: { type: 'bytea' },
    last_verified_at: { type: 'timestamptz', nullable: true },
    last_error_at: { type: 'timestamptz', nullable: true },
    last_error_message: { type: 'text', nullable: true },
    created_at: { type: 'timestamptz' },
    updated_at: { type: 'timestamptz' },
    /** Set when a newer configuration takes its place, or it is deleted: no new bot gets it. */
    replaced_at: { type: 'timestamptz', nullable: true },
  },
  indices: [{ name: 'storage_configs_current', columns: ['team_id'], unique: true, where: 'replaced_at is null' }],
});
export type StorageConfigRow = RowOf<typeof storageConfigs>;

/** An object held in the deployment's store until the team's bucket accepts it. */
export const spilledObjects = defineTable({
  name: 'spilled_objects',
  columns: {
    bot_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'spilled_objects_pkey' },
    /** Below the bot's own prefix. */
    key: { type: 'text', primary: true, primaryKeyConstraintName: 'spilled_objects_pkey' },
    team_id: { type: 'uuid' },
    storage_config_id: { type: 'uuid' },
    /** Each write of the same key has its own version. */
    version: { type: 'uuid', primary: true, primaryKeyConstraintName: 'spilled_objects_pkey' },
    bytes: { type: 'bigint' },
    content_type: { type: 'text' },
    spilled_at: { type: 'timestamptz' },
    attempts: { type: 'integer', default: 0 },
    next_attempt_at: { type: 'timestamptz' },
    last_error: { type: 'text', nullable: true },
    /** Since when the bucket has it, or a later version; the copy is kept as long as links to it are valid. */
    stored_at: { type: 'timestamptz', nullable: true },
  },
  indices: [
    { name: 'spilled_objects_held', columns: ['bot_id', 'key'], unique: true, where: 'stored_at is null' },
    { name: 'spilled_objects_due', columns: ['next_attempt_at'], where: 'stored_at is null' },
  ],
});
export type SpilledObjectRow = RowOf<typeof spilledObjects>;

/** A fragment that a runner uploaded directly to the object store and committed. */
export const directObjects = defineTable({
  name: 'direct_objects',
  columns: {
    bot_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'direct_objects_pkey' },
    /** Below the bot's own prefix, without the attempt. */
    key: { type: 'text', primary: true, primaryKeyConstraintName: 'direct_objects_pkey' },
    fencing: { type: 'integer' },
    bytes: { type: 'bigint' },
    /** Below the attempt that wrote it. */
    slot: { type: 'uuid' },
  },
  checks: [{ name: 'direct_objects_fencing', expression: 'fencing > 0' }],
});
export type DirectObjectRow = RowOf<typeof directObjects>;

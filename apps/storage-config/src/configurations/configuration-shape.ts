import { isKeyPrefix } from '@rapporteur/object-store';
import { invalid } from '@rapporteur/service-runtime';
import type { BodyOf } from '@rapporteur/service-runtime';
import type { StorageConfigRow } from '../schema/team-storage-entities.ts';

/** A configuration with its secrets in plaintext (specification 4.9). */
export type StorageConfiguration = BodyOf<'putStorageConfig'>;

/** Throws VALIDATION for what the contract cannot express. */
export function checkConfiguration(given: StorageConfiguration): void {
  if (/[?#]|^[^/]*\/\/[^/]*@/.test(given.endpoint))
    throw invalid('endpoint', 'must have no user name, query or fragment: they are not sent to the store.');
  if (!isKeyPrefix(given.key_prefix))
    throw invalid('key_prefix', 'must be empty, or a folder that ends with a slash, for example recordings/.');
  if (given.kms_key_id !== null && given.server_side_encryption !== 'aws:kms')
    throw invalid('kms_key_id', 'needs server_side_encryption aws:kms.');
}

/** The record of specification 2.5, without secrets. */
export function describeStorageConfig(row: StorageConfigRow) {
  return {
    storage_config_id: row.storage_config_id,
    enabled: row.replaced_at === null,
    endpoint: row.endpoint,
    region: row.region,
    force_path_style: row.force_path_style,
    allow_transient_spill: row.allow_transient_spill,
    artifacts_bucket: row.artifacts_bucket,
    audio_chunks_bucket: row.audio_chunks_bucket,
    logs_bucket: row.logs_bucket,
    key_prefix: row.key_prefix,
    server_side_encryption: row.server_side_encryption,
    kms_key_id: row.kms_key_id,
    ingest_access_key_id: row.ingest_access_key_id,
    service_access_key_id: row.service_access_key_id,
    last_verified_at: row.last_verified_at,
    last_error_at: row.last_error_at,
    last_error_message: row.last_error_message,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

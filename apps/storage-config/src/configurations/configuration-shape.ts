import { z } from 'zod';
import type { StorageConfigRow } from '../schema/team-storage-entities.ts';

const bucket = z.string().min(1).max(255);
const accessKeyId = z.string().min(1).max(256);
const secretAccessKey = z.string().min(1).max(512);

/** Body of `PUT /v2/storage-config` (specification 4.9). */
export const storageConfigBody = z.strictObject({
  endpoint: z
    .url({ protocol: /^https?$/ })
    .max(2_048)
    .refine(
      (text) => !/[?#]|^[^/]*\/\/[^/]*@/.test(text),
      'must have no user name, query or fragment: they are not sent to the store',
    ),
  region: z.string().min(1).max(64),
  force_path_style: z.boolean().default(false),
  artifacts_bucket: bucket,
  audio_chunks_bucket: bucket,
  logs_bucket: bucket,
  ingest_access_key_id: accessKeyId,
  ingest_secret_access_key: secretAccessKey,
  service_access_key_id: accessKeyId,
  service_secret_access_key: secretAccessKey,
  allow_transient_spill: z.boolean().default(false),
});
/** A configuration with its secrets in plaintext. */
export type StorageConfiguration = z.infer<typeof storageConfigBody>;

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
    ingest_access_key_id: row.ingest_access_key_id,
    service_access_key_id: row.service_access_key_id,
    last_verified_at: row.last_verified_at,
    last_error_at: row.last_error_at,
    last_error_message: row.last_error_message,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

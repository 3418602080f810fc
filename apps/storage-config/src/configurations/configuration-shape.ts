import { isKeyPrefix } from '@rapporteur/object-store';
import { z } from 'zod';
import type { StorageConfigRow } from '../schema/team-storage-entities.ts';

const bucket = z.string().min(1).max(255);
const accessKeyId = z.string().min(1).max(256);
const secretAccessKey = z.string().min(1).max(512);
/** It is sent as a header. */
const kmsKeyId = z
  .string()
  .min(1)
  .max(2_048)
  .regex(/^[!-~]+$/, 'must be the id, alias or ARN of a key');

/** Body of `PUT /v2/storage-config` (specification 4.9). */
export const storageConfigBody = z
  .strictObject({
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
    key_prefix: z
      .string()
      .max(255)
      .refine(isKeyPrefix, 'must be empty, or a folder that ends with a slash, for example recordings/')
      .default(''),
    server_side_encryption: z.enum(['AES256', 'aws:kms']).nullable().default(null),
    kms_key_id: kmsKeyId.nullable().default(null),
  })
  .refine((body) => body.kms_key_id === null || body.server_side_encryption === 'aws:kms', {
    path: ['kms_key_id'],
    message: 'needs server_side_encryption aws:kms',
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

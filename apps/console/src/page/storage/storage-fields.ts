import type { components } from '@rapporteur/sdk';

type PutStorageConfig = components['schemas']['PutStorageConfig'];
type Known = Partial<Omit<components['schemas']['StorageConfig'], 'storage_config_id'>>;

interface StorageField {
  readonly name: keyof PutStorageConfig;
  readonly label: string;
  readonly hint?: string;
  readonly type: 'text' | 'url' | 'password';
  readonly maxLength: number;
  readonly optional?: true;
  /** Secrets are never returned. */
  readonly value: string;
}

/** The fields of the form, filled with the present configuration. */
export function fieldsOf(known: Known | null): readonly StorageField[] {
  return [...placeFields(known), ...keyFields(known)];
}

function placeFields(known: Known | null): readonly StorageField[] {
  const bucket = { type: 'text', maxLength: 255 } as const;
  return [
    {
      name: 'endpoint',
      label: 'Address',
      hint: 'The S3 address without the bucket, for example https://s3.eu-central-1.amazonaws.com. This service must reach it.',
      type: 'url',
      maxLength: 2_048,
      value: known?.endpoint ?? '',
    },
    { name: 'region', label: 'Region', type: 'text', maxLength: 64, value: known?.region ?? '' },
    {
      name: 'artifacts_bucket',
      label: 'Bucket of recordings and transcripts',
      ...bucket,
      value: known?.artifacts_bucket ?? '',
    },
    {
      name: 'audio_chunks_bucket',
      label: 'Bucket of fragments',
      hint: 'Parts of recordings while they run. It may be the same.',
      ...bucket,
      value: known?.audio_chunks_bucket ?? '',
    },
    {
      name: 'logs_bucket',
      label: 'Bucket of evidence',
      hint: 'Screenshots and page data of failed bots. It may be the same.',
      ...bucket,
      value: known?.logs_bucket ?? '',
    },
    {
      name: 'key_prefix',
      label: 'Folder in the buckets',
      hint: 'Ends with a slash, for example recordings/. Empty: none.',
      ...bucket,
      optional: true,
      value: known?.key_prefix ?? '',
    },
    {
      name: 'kms_key_id',
      label: 'KMS key',
      hint: "Id, alias or ARN, for encryption with KMS. Empty: the account's default key.",
      type: 'text',
      maxLength: 2_048,
      optional: true,
      value: known?.kms_key_id ?? '',
    },
  ];
}

function keyFields(known: Known | null): readonly StorageField[] {
  const keyId = { type: 'text', maxLength: 256 } as const;
  const secret = { type: 'password', maxLength: 512, value: '' } as const;
  return [
    {
      name: 'ingest_access_key_id',
      label: 'Ingest key id',
      hint: 'Writes objects and aborts multipart uploads.',
      ...keyId,
      value: known?.ingest_access_key_id ?? '',
    },
    { name: 'ingest_secret_access_key', label: 'Ingest secret key', ...secret },
    {
      name: 'service_access_key_id',
      label: 'Service key id',
      hint: 'Reads, lists, writes and deletes.',
      ...keyId,
      value: known?.service_access_key_id ?? '',
    },
    { name: 'service_secret_access_key', label: 'Service secret key', ...secret },
  ];
}

/** Values and labels; empty: what the buckets do by default. */
export const encryptions = [
  ['', 'as the buckets do by default'],
  ['AES256', 'SSE-S3'],
  ['aws:kms', 'SSE-KMS'],
] as const;

/** The request for the form's data; a checked box has the value `on`. */
export function requestFrom(textOf: (name: string) => string): PutStorageConfig {
  const texts = Object.fromEntries(fieldsOf(null).map(({ name }) => [name, textOf(name)]));
  const encryption = encryptions.find(([name]) => name === textOf('server_side_encryption'))?.[0] ?? '';
  return {
    ...(texts as Omit<PutStorageConfig, 'force_path_style' | 'allow_transient_spill'>),
    server_side_encryption: encryption === '' ? null : encryption,
    kms_key_id: texts['kms_key_id'] || null,
    force_path_style: textOf('force_path_style') === 'on',
    allow_transient_spill: textOf('allow_transient_spill') === 'on',
  };
}

import { describe, expect, test } from '@jest/globals';
import { checkConfiguration } from './configuration-shape.ts';
import type { StorageConfiguration } from './configuration-shape.ts';

const body: StorageConfiguration = {
  endpoint: 'https://s3.example.com',
  region: 'r',
  force_path_style: false,
  artifacts_bucket: 'b',
  audio_chunks_bucket: 'b',
  logs_bucket: 'b',
  key_prefix: '',
  server_side_encryption: null,
  kms_key_id: null,
  ingest_access_key_id: 'k',
  ingest_secret_access_key: 's',
  service_access_key_id: 'k',
  service_secret_access_key: 's',
  allow_transient_spill: false,
};

describe('the body of PUT /v2/storage-config', () => {
  test.each([
    ['endpoint', 'https://user:password@s3.example.com'],
    ['endpoint', 'https://s3.example.com/?region=x'],
    ['endpoint', 'https://s3.example.com/#x'],
    ['key_prefix', 'recordings'],
    ['key_prefix', '/recordings/'],
    ['key_prefix', '../'],
    ['kms_key_id', 'key-1'],
  ])('refuses %s %j, naming the field', (field, value) => {
    expect(() => checkConfiguration({ ...body, [field]: value })).toThrow(`${field}: `);
  });

  test('may name a folder, and a key for encryption with KMS', () => {
    checkConfiguration(body);
    checkConfiguration({
      ...body,
      server_side_encryption: 'aws:kms',
      kms_key_id: 'alias/recordings',
      key_prefix: 'a/b/',
    });
  });
});

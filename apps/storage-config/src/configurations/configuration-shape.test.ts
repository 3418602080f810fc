import { describe, expect, test } from '@jest/globals';
import { readInput } from '@rapporteur/service-runtime';
import { storageConfigBody } from './configuration-shape.ts';

const body = {
  endpoint: 'https://s3.example.com',
  region: 'r',
  artifacts_bucket: 'b',
  audio_chunks_bucket: 'b',
  logs_bucket: 'b',
  ingest_access_key_id: 'k',
  ingest_secret_access_key: 's',
  service_access_key_id: 'k',
  service_secret_access_key: 's',
};
const withField = (field: string, value: unknown) => () => readInput(storageConfigBody, { ...body, [field]: value });

describe('the body of PUT /v2/storage-config', () => {
  test('uses virtual-hosted addresses and holds nothing unless it says otherwise', () => {
    expect(readInput(storageConfigBody, body)).toEqual({
      ...body,
      force_path_style: false,
      allow_transient_spill: false,
      key_prefix: '',
      server_side_encryption: null,
      kms_key_id: null,
    });
  });

  test.each([
    ['region', 64],
    ['artifacts_bucket', 255],
    ['audio_chunks_bucket', 255],
    ['logs_bucket', 255],
    ['ingest_access_key_id', 256],
    ['ingest_secret_access_key', 512],
    ['service_access_key_id', 256],
    ['service_secret_access_key', 512],
  ])('requires %s with 1 to %i characters', (field, most) => {
    expect(withField(field, 'x'.repeat(most))()).toMatchObject({ [field]: 'x'.repeat(most) });
    for (const value of [undefined, '', 'x'.repeat(most + 1)]) {
      let message = '';
      try {
        withField(field, value)();
      } catch (error) {
        message = (error as Error).message;
      }
      expect(message).toContain(`${field}: `);
    }
  });

  test.each([
    ['endpoint', 's3.example.com'],
    ['endpoint', 'ftp://s3.example.com'],
    ['endpoint', 'https://user:password@s3.example.com'],
    ['endpoint', 'https://s3.example.com/?region=x'],
    ['endpoint', 'https://s3.example.com/#x'],
    ['allow_transient_spill', 'true'],
    ['key_prefix', 'recordings'],
    ['key_prefix', '/recordings/'],
    ['key_prefix', '../'],
    ['key_prefix', `${'x'.repeat(255)}/`],
    ['server_side_encryption', 'none'],
    ['kms_key_id', ''],
    ['kms_key_id', 'key-1'],
  ])('refuses %s %j, naming the field', (field, value) => {
    expect(withField(field, value)).toThrow(`${field}: `);
  });

  test('takes a folder, and a key for encryption with KMS', () => {
    const encrypted = {
      ...body,
      server_side_encryption: 'aws:kms',
      kms_key_id: 'alias/recordings',
      key_prefix: 'a/b/',
    };
    expect(readInput(storageConfigBody, encrypted)).toMatchObject(encrypted);
    const injected = { ...encrypted, kms_key_id: 'a\r\nx-amz-acl: public-read' };
    expect(() => readInput(storageConfigBody, injected)).toThrow('kms_key_id: ');
  });

  test('refuses a field that is not known', () => {
    expect(withField('bucket', 'b')).toThrow();
  });
});

import { describe, expect, test } from '@jest/globals';
import { loadConfig } from '@rapporteur/service-runtime';
import { storageConfig } from './config.ts';

const good = {
  RAPPORTEUR_PORT: '0',
  RAPPORTEUR_ADMIN_PORT: '0',
  RAPPORTEUR_DATABASE_URL: 'postgres://localhost/storage',
  RAPPORTEUR_INTERNAL_SECRET: 'x'.repeat(32),
  RAPPORTEUR_SIGNING_SECRET: 'x'.repeat(32),
  RAPPORTEUR_SECRET_KEY: 'x'.repeat(44),
  RAPPORTEUR_STORE_DRIVER: 's3',
  RAPPORTEUR_PUBLIC_URL: 'https://files.example.com/',
};

describe('the settings of storage-config', () => {
  test('take addresses with a slash at the end', () => {
    const given = { ...good, RAPPORTEUR_S3_ENDPOINT: 'http://10.0.0.7:9000/' };
    expect(loadConfig(storageConfig, given)).toMatchObject({
      publicUrl: 'https://files.example.com',
      s3Endpoint: 'http://10.0.0.7:9000',
    });
  });

  test('let signed links work for 4 hours unless configured otherwise', () => {
    expect(loadConfig(storageConfig, good).artifactUrlTtlMs).toBe(4 * 3_600_000);
  });

  test('keep fragments at least until no upload that was permitted before can arrive', () => {
    const given = { ...good, RAPPORTEUR_FRAGMENT_RETENTION_MS: '60000' };
    expect(() => loadConfig(storageConfig, given)).toThrow(
      'RAPPORTEUR_FRAGMENT_RETENTION_MS has a value that does not fit',
    );
  });

  test.each(['PUBLIC_URL', 'S3_ENDPOINT', 'S3_PUBLIC_ENDPOINT'])('refuse a %s without http or https', (name) => {
    expect(() => loadConfig(storageConfig, { ...good, [`RAPPORTEUR_${name}`]: 'storage:9000' })).toThrow(
      `RAPPORTEUR_${name} has a value that does not fit: must be an http or https address`,
    );
  });
});

import { expect, test } from '@jest/globals';
import { loadConfig } from '@rapporteur/service-runtime';
import { storageConfig } from './config.ts';
import { openStore } from './open-store.ts';

const settings = {
  RAPPORTEUR_PORT: '0',
  RAPPORTEUR_ADMIN_PORT: '0',
  RAPPORTEUR_DATABASE_URL: 'postgres://localhost/storage',
  RAPPORTEUR_INTERNAL_SECRET: 'x'.repeat(32),
  RAPPORTEUR_SIGNING_SECRET: 'x'.repeat(32),
  RAPPORTEUR_SECRET_KEY: 'x'.repeat(44),
  RAPPORTEUR_STORE_DRIVER: 's3',
  RAPPORTEUR_S3_REGION: 'eu-central-1',
  RAPPORTEUR_S3_BUCKET: 'bucket',
  RAPPORTEUR_PUBLIC_URL: 'https://files.example.com/',
};
const open = (more: Record<string, string>, environment = {}) =>
  openStore(loadConfig(storageConfig, { ...settings, ...more }), environment);
const keys = { RAPPORTEUR_S3_ACCESS_KEY_ID: 'a', RAPPORTEUR_S3_SECRET_ACCESS_KEY: 'b' };
const linkOf = async (more: Record<string, string>): Promise<string> => {
  const store = await open(more);
  const url = await store.signedGetUrl('bots/one/video.mp4', { expiresAtMs: Date.now() + 60_000 });
  await store.close();
  return url;
};

test('keys are needed unless the role of the pod is to be used', async () => {
  await expect(open({})).rejects.toThrow('RAPPORTEUR_S3_ACCESS_KEY_ID is missing');
  await expect(open({ RAPPORTEUR_S3_CREDENTIALS: 'role', ...keys })).rejects.toThrow('no key or session token');
});

test('links lead to the bucket with keys that last, and to this service with temporary ones', async () => {
  expect(await linkOf(keys)).toContain('amazonaws.com/');
  expect(await linkOf({ ...keys, RAPPORTEUR_S3_SESSION_TOKEN: 'c' })).toMatch(
    /^https:\/\/files\.example\.com\/artifacts\//,
  );
  expect(await linkOf({ RAPPORTEUR_S3_CREDENTIALS: 'role' })).toMatch(/^https:\/\/files\.example\.com\/artifacts\//);
});

test('objects are stored below the folder of the settings', async () => {
  const folder = { ...keys, RAPPORTEUR_STORE_KEY_PREFIX: 'recordings/' };
  expect(await linkOf(folder)).toContain('amazonaws.com/recordings/bots/one/video.mp4?');
  expect(await linkOf({ ...folder, RAPPORTEUR_S3_SESSION_TOKEN: 'c' })).toContain('/artifacts/bots/one/video.mp4?');
});

test('signed uploads carry the encryption of the settings', async () => {
  const encryption = { RAPPORTEUR_S3_SERVER_SIDE_ENCRYPTION: 'aws:kms', RAPPORTEUR_S3_KMS_KEY_ID: 'alias/recordings' };
  const store = await open({ ...keys, ...encryption });
  const put = await store.direct?.signedPut('a', { contentType: 'text/plain', expiresAtMs: Date.now() + 60_000 });
  expect(put?.headers).toMatchObject({
    'x-amz-server-side-encryption': 'aws:kms',
    'x-amz-server-side-encryption-aws-kms-key-id': 'alias/recordings',
  });
  await store.close();
});

test.each([
  [{ ...keys, RAPPORTEUR_STORE_KEY_PREFIX: 'recordings' }, 'RAPPORTEUR_STORE_KEY_PREFIX must be a folder'],
  [{ RAPPORTEUR_STORE_DRIVER: 'disk', RAPPORTEUR_STORE_KEY_PREFIX: 'a/' }, 'RAPPORTEUR_STORE_KEY_PREFIX has no effect'],
  [
    { RAPPORTEUR_STORE_DRIVER: 'disk', RAPPORTEUR_S3_SERVER_SIDE_ENCRYPTION: 'AES256' },
    'RAPPORTEUR_S3_SERVER_SIDE_ENCRYPTION has an effect with the store driver s3 only',
  ],
  [
    { ...keys, RAPPORTEUR_S3_KMS_KEY_ID: 'key' },
    'RAPPORTEUR_S3_KMS_KEY_ID needs RAPPORTEUR_S3_SERVER_SIDE_ENCRYPTION=aws:kms',
  ],
])('settings without an effect are refused: %j', async (more, words) => {
  await expect(open(more)).rejects.toThrow(words);
});

const azure = {
  RAPPORTEUR_STORE_DRIVER: 'azure',
  RAPPORTEUR_AZURE_ACCOUNT: 'recordings',
  RAPPORTEUR_AZURE_CONTAINER: 'meetings',
};
const role = { RAPPORTEUR_AZURE_CREDENTIALS: 'role' };

test.each([
  ['an account', { RAPPORTEUR_AZURE_ACCOUNT: '' }, 'RAPPORTEUR_AZURE_ACCOUNT is missing'],
  ['a key', {}, 'RAPPORTEUR_AZURE_ACCOUNT_KEY is missing'],
  ['no key beside the identity', { ...role, RAPPORTEUR_AZURE_ACCOUNT_KEY: 'a2V5' }, 'no key may be set'],
  ['what the webhook writes', role, 'AZURE_TENANT_ID is missing'],
])('Azure Blob needs %s', async (_what, more, words) => {
  await expect(open({ ...azure, ...more })).rejects.toThrow(words);
});

test('a folder of a container comes before every key', async () => {
  const folder = { ...azure, RAPPORTEUR_AZURE_ACCOUNT_KEY: 'a2V5', RAPPORTEUR_STORE_KEY_PREFIX: 'recordings/' };
  expect(await linkOf(folder)).toContain('/meetings/recordings/bots/one/video.mp4?');
});

test('links of Azure Blob lead to the container', async () => {
  expect(await linkOf({ ...azure, RAPPORTEUR_AZURE_ACCOUNT_KEY: 'a2V5' })).toMatch(
    /^https:\/\/recordings\.blob\.core\.windows\.net\/meetings\/bots\/one\/video\.mp4\?.*sp=r&/,
  );
});

test('with the workload identity no connection is opened before the store is used', async () => {
  const injected = { AZURE_TENANT_ID: 't', AZURE_CLIENT_ID: 'c', AZURE_FEDERATED_TOKEN_FILE: '/nowhere' };
  await (await open({ ...azure, ...role }, injected)).close();
});

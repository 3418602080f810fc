// Google Cloud Storage by its S3 interface, as far as the public record states its limits. The test server is the HTTP proxy
// of the client, which addresses Google.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { describeObjectStore } from '../conformance/object-store-suite.ts';
import { openS3Store } from '../index.ts';
import type { ObjectStore, S3StoreOptions } from '../index.ts';
import { startStrictStore } from '../testing/index.ts';
import type { StrictStore } from '../testing/index.ts';
import { isGoogle } from './s3-google.ts';

let strict: StrictStore;
const options = (): S3StoreOptions => ({
  endpoint: 'http://storage.googleapis.com',
  region: 'auto',
  bucket: 'b',
  credentials: { accessKeyId: 'GOOG1EXAMPLE', secretAccessKey: 's' },
  forcePathStyle: true,
  agentOptions: { proxyEnv: { http_proxy: strict.endpoint } },
});
beforeAll(async () => {
  strict = await startStrictStore({ google: true });
});
afterAll(() => strict.stop());

describeObjectStore('Google Cloud Storage', () => Promise.resolve({ driver: 's3', s3: options() }), {
  hasAtomicConditions: false,
});

describe('a bucket of Google with versioning', () => {
  const text = { contentType: 'text/plain' };
  let store: ObjectStore;
  beforeAll(() => void (store = openS3Store(options())));
  afterAll(() => store.close());
  beforeEach(async () => {
    strict.limit({ google: true });
    await store.deletePrefix('bots/');
    strict.limit({ google: true, keepsVersions: true });
    for (const key of ['bots/1/a', 'bots/1/a', 'bots/1/b', 'bots/2/a']) await store.put(key, Buffer.from('x'), text);
  });

  test('keeps no version below a deleted prefix', async () => {
    await store.deletePrefix('bots/1/');
    expect([strict.keys().filter((id) => id.startsWith('b/bots/')), strict.versions()]).toEqual([['b/bots/2/a'], 1]);
    await store.deletePrefix('bots/2/');
    expect(strict.versions()).toBe(0);
  });

  test('keeps no version of one deleted object', async () => {
    for (const key of ['bots/1/a', 'bots/1/b', 'bots/2/a']) await store.delete(key);
    expect(strict.versions()).toBe(0);
  });
});

test.each([
  [undefined, false],
  ['https://storage.googleapis.com', true],
  ['https://storage.europe-west3.rep.googleapis.com', true],
  ['https://storage.googleapis.com.example.com', false],
  ['https://s3.example.com', false],
])('%s is Google: %s', (endpoint, expected) => {
  expect(isGoogle(endpoint)).toBe(expected);
});

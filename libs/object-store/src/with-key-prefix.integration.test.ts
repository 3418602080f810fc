import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openS3Store, verifyStore } from './index.ts';
import type { ObjectStore, S3StoreOptions } from './index.ts';
import { startStrictStore } from './testing/index.ts';
import type { StrictStore } from './testing/index.ts';

const type = { contentType: 'text/plain' };
const links = { signedUrlBase: 'http://links.test/artifacts', signingSecret: 'x'.repeat(32) };
const inAMinute = () => ({ expiresAtMs: Date.now() + 60_000 });
let strict: StrictStore;
beforeAll(async () => {
  strict = await startStrictStore();
});
afterAll(() => strict.stop());
beforeEach(() => strict.limit({}));

const open = (over: Partial<S3StoreOptions> = {}): ObjectStore =>
  openS3Store({
    endpoint: strict.endpoint,
    region: 'auto',
    bucket: 'b',
    credentials: { accessKeyId: 'a', secretAccessKey: 's' },
    forcePathStyle: true,
    maxAttempts: 1,
    ...over,
  });

describe('a store in a folder of a bucket', () => {
  test('sends no request outside of it', async () => {
    strict.limit({ permits: 'recordings/eu/' });
    const store = open({ keyPrefix: 'recordings/eu/' });
    await verifyStore(store);
    const info = await store.put('bots/1/a.txt', Buffer.from('0123'), type);
    expect(info.key).toBe('bots/1/a.txt');
    const read = await store.get('bots/1/a.txt', { range: { first: 1, last: 2 } });
    expect([read.info.key, String(await buffer(read.body))]).toEqual(['bots/1/a.txt', '12']);
    expect((await store.head('bots/1/a.txt'))?.key).toBe('bots/1/a.txt');
    expect(await store.head('bots/1/b.txt')).toBeNull();
    const upload = await store.createMultipart('bots/1/open.mp4', type);
    expect(
      await store.sweepUnfinished({ idleMs: -Infinity, prefixes: ['bots/'], owns: (key) => key !== 'bots/1/open.mp4' }),
    ).toBe(0);
    await store.abortMultipart('bots/1/open.mp4', upload);
    expect(strict.keys()).toEqual(['b/recordings/eu/bots/1/a.txt']);
    await store.delete('bots/1/a.txt');
    expect(strict.keys()).toEqual([]);
  });

  test('lists and deletes what is in it, page by page, and nothing beside it', async () => {
    const [whole, store] = [open(), open({ keyPrefix: 'recordings/' })];
    const beside = ['bots/1/a', 'recordings', 'recordings-2/bots/1/a', 'zoo'];
    for (const key of beside) await whole.put(key, Buffer.from('x'), type);
    for (const key of ['bots/1/a', 'bots/1/b', 'bots/12/a']) await store.put(key, Buffer.from('x'), type);
    const first = await store.list({ prefix: '', limit: 2 });
    const second = await store.list({
      prefix: '',
      limit: 2,
      ...(first.cursor === null ? {} : { cursor: first.cursor }),
    });
    expect([...first.objects, ...second.objects].map(({ key }) => key)).toEqual(['bots/1/a', 'bots/1/b', 'bots/12/a']);
    expect(await store.deletePrefix('bots/1/')).toBe(2);
    await expect(store.deletePrefix('')).rejects.toMatchObject({ code: 'VALIDATION' });
    await store.deletePrefix('bots/12/');
    expect(strict.keys()).toEqual(beside.map((key) => `b/${key}`));
    for (const key of beside) await whole.delete(key);
  });

  test('signs requests for its objects, and links of another server without its name', async () => {
    const store = open({ keyPrefix: 'recordings/' });
    const put = await store.direct?.signedPut('bots/1/a', { ...type, ...inAMinute() });
    expect(new URL(put?.url ?? '').pathname).toBe('/b/recordings/bots/1/a');
    expect(new URL(await store.signedGetUrl('bots/1/a', inAMinute())).pathname).toBe('/b/recordings/bots/1/a');
    const linking = open({ keyPrefix: 'recordings/', links });
    expect(new URL(await linking.signedGetUrl('bots/1/a', inAMinute())).pathname).toBe('/artifacts/bots/1/a');
  });

  test.each(['recordings', '/recordings/', 'a//b/', '../'])('refuses the folder %j', (keyPrefix) => {
    expect(() => open({ keyPrefix })).toThrow(/must end with a slash|not allowed/);
  });
});

describe('server-side encryption', () => {
  const kms = { algorithm: 'aws:kms', kmsKeyId: 'arn:aws:kms:eu-central-1:1:key/2' } as const;
  const required = {
    'x-amz-server-side-encryption': 'aws:kms',
    'x-amz-server-side-encryption-aws-kms-key-id': kms.kmsKeyId,
  };

  test('is requested by every request that creates an object, and by no other one', async () => {
    strict.limit({ requiresEncryption: required });
    const store = open({ encryption: kms });
    await verifyStore(store);
    await store.put('whole', Buffer.from('x'), type);
    await store.put('parts', Buffer.alloc(9 * 1024 ** 2), type);
    for (const key of ['b/whole', 'b/parts'])
      expect(strict.headerOf(key, 'x-amz-server-side-encryption-aws-kms-key-id')).toBe(kms.kmsKeyId);
    await expect(verifyStore(open())).rejects.toThrow(
      'Writing a test object failed: The object store refuses this access key the request. (HTTP 403, AccessDenied: User is not authorized to perform: s3:PutObject with an explicit deny in a resource-based policy)',
    );
    await expect(
      open({ encryption: { algorithm: 'AES256', kmsKeyId: null } }).put('other', Buffer.from('x'), type),
    ).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  test('is part of a signed request: its sender cannot leave it out, and is given the headers', async () => {
    strict.limit({ requiresEncryption: required });
    const put = await open({ encryption: kms }).direct?.signedPut('signed', { ...type, bytes: 1, ...inAMinute() });
    expect(put?.headers).toMatchObject(required);
    const { searchParams } = new URL(put?.url ?? '');
    expect(searchParams.get('X-Amz-SignedHeaders')?.split(';')).toEqual(expect.arrayContaining(Object.keys(required)));
    expect([...searchParams.keys()].filter((name) => name.toLowerCase() in required)).toEqual([]);
  });
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sha256Of } from '../conformance/probes.ts';
import { openS3Store } from '../index.ts';
import type { ObjectStore } from '../index.ts';
import { startStrictStore } from '../testing/index.ts';
import type { StrictStore } from '../testing/index.ts';

const names = Array.from({ length: 12 }, (_, index) => `segments/${index} <&> é`);
let strict: StrictStore;
let store: ObjectStore;
beforeAll(async () => {
  strict = await startStrictStore();
});
afterAll(() => strict.stop());
beforeEach(async () => {
  strict.limit({});
  const credentials = { accessKeyId: 'a', secretAccessKey: 's' };
  const { endpoint } = strict;
  store = openS3Store({ endpoint, region: 'auto', bucket: 'b', credentials, forcePathStyle: true, maxAttempts: 1 });
  for (const name of names) await store.put(`bots/1/${name}`, Buffer.from('x'), { contentType: 'text/plain' });
});
const deletions = async (work: () => Promise<unknown>): Promise<string[]> => {
  const from = strict.seen.length;
  await work();
  return strict.seen.slice(from).filter((line) => /^(DELETE$|POST delete)/.test(line));
};
const deleteAll = () => store.deletePrefix('bots/1/');
const one = ['POST delete'];
const singles = names.map(() => 'DELETE');

describe('deleting a prefix of an S3 store', () => {
  test.each([
    ['requires Content-MD5', { requiresMd5: true }, one],
    ['knows no deletion of several keys', { refusesMultiDelete: true }, [...one, ...singles]],
    ['confirms no key by name', { confirmsNoKeys: true }, [...one, ...singles]],
  ])('leaves nothing where the store %s', async (_what, limits, requests) => {
    strict.limit(limits);
    expect(await deletions(deleteAll)).toEqual(requests);
    expect(strict.keys()).toEqual([]);
  });

  test('sends single deletions at once after a store confirmed none in one request', async () => {
    strict.limit({ refusesMultiDelete: true });
    await deleteAll();
    for (const name of names) await store.put(`bots/1/${name}`, Buffer.from('x'), { contentType: 'text/plain' });
    expect(await deletions(deleteAll)).toEqual(singles);
    expect(strict.keys()).toEqual([]);
  });

  test.each([
    ['stated', 'The bucket retains objects by object lock (COMPLIANCE); they cannot be deleted before that ends.'],
    ['hidden', 'or end the object lock that retains them.'],
    ['minio', 'The bucket retains objects by object lock (COMPLIANCE)'],
  ] as const)(
    'is not confirmed where an object lock retains the versions (%s), with that reason',
    async (retention, words) => {
      strict.limit({ retention });
      await store.put('bots/1/retained', Buffer.from('x'), { contentType: 'text/plain' });
      for (const work of [() => store.delete('bots/1/retained'), deleteAll])
        await expect(work()).rejects.toMatchObject({
          code: 'UNAVAILABLE',
          message: expect.stringContaining(words),
          cause: { message: 'Access Denied because object protected by object lock.' },
        });
      strict.limit({ keepsVersions: true });
      for (let round = 0; round < 2; round += 1) await deleteAll();
      expect(strict.versions()).toBe(0);
    },
  );

  test('is not confirmed while one entry of a response with status 200 is an error, and deletes the rest', async () => {
    strict.limit({ locked: /segments\/7/ });
    await expect(deleteAll()).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('refuses'),
    });
    expect(strict.keys()).toEqual(['b/bots/1/segments/7 <&> é']);
    strict.limit({});
    expect(await deleteAll()).toBe(1);
  });

  test('is not confirmed while the store lists what it says it deleted', async () => {
    strict.limit({ keepsDeleted: true });
    await expect(deleteAll()).rejects.toMatchObject({ message: expect.stringContaining('still lists objects') });
    strict.limit({});
    await deleteAll();
  });

  test('aborts the multipart uploads below it and no others', async () => {
    const upload = await store.createMultipart('bots/1/video.mp4', { contentType: 'video/mp4' });
    const other = await store.createMultipart('bots/12/video.mp4', { contentType: 'video/mp4' });
    await deleteAll();
    const part = { body: Buffer.from('x'), sha256: '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881' };
    await expect(store.uploadPart('bots/1/video.mp4', upload, 1, part)).rejects.toMatchObject({
      code: 'OBJECT_NOT_FOUND',
    });
    await store.uploadPart('bots/12/video.mp4', other, 1, part);
    await store.abortMultipart('bots/12/video.mp4', other);
  });
});

describe('a bucket with versioning', () => {
  const versioned = { keepsVersions: true };
  beforeEach(async () => {
    await deleteAll();
    strict.limit(versioned);
    for (const name of [...names, ...names])
      await store.put(`bots/1/${name}`, Buffer.from(name), { contentType: 'a/b' });
    await store.put('bots/12/other', Buffer.from('x'), { contentType: 'text/plain' });
  });
  afterEach(async () => {
    strict.limit(versioned);
    await store.deletePrefix('bots/12/');
    await deleteAll();
  });

  test('keeps no version and no delete marker below a deleted prefix', async () => {
    await deleteAll();
    expect([strict.keys(), strict.versions()]).toEqual([['b/bots/12/other'], 1]);
  });

  test('keeps no version of one deleted object, and those of others', async () => {
    const [name = ''] = names;
    await store.delete(`bots/1/${name}`);
    await store.delete('bots/1');
    expect(strict.versions()).toBe(2 * names.length - 2 + 1);
  });

  test.each([
    ['list', { versionListing: 'refused' }],
    ['delete', { deniesVersionDeletion: true }],
  ] as const)('of which the key may not %s the versions is never said to be empty', async (_what, limits) => {
    strict.limit({ ...versioned, ...limits });
    const reason = { code: 'UNAVAILABLE', message: expect.stringContaining('s3:DeleteObjectVersion') };
    for (let attempt = 0; attempt < 2; attempt += 1) await expect(deleteAll()).rejects.toMatchObject(reason);
    for (let attempt = 0; attempt < 2; attempt += 1)
      await expect(store.delete('bots/12/other')).rejects.toMatchObject(reason);
    strict.limit(versioned);
    await deleteAll();
    await store.delete('bots/12/other');
    expect(strict.versions()).toBe(0);
  });
});

describe('a store that lists as sparsely as some do', () => {
  test.each([
    ['begins with an empty page', { beginsWithEmptyPage: true }],
    ['lists no versions', { versionListing: 'refused' }],
    ['takes a list of versions for a list of objects', { versionListing: 'plain' }],
  ] as const)('and %s keeps nothing of a deleted prefix', async (_what, limits) => {
    strict.limit(limits);
    await deleteAll();
    expect(strict.keys()).toEqual([]);
  });

  test('keeps uploads whose beginning it does not state, unless everything is deleted', async () => {
    const upload = await store.createMultipart('bots/1/live.mp4', { contentType: 'video/mp4' });
    strict.limit({ omitsTimes: true });
    expect(await store.sweepUnfinished({ idleMs: 1, prefixes: ['bots/'] })).toBe(0);
    await store.uploadPart('bots/1/live.mp4', upload, 1, {
      body: Buffer.from('x'),
      sha256: sha256Of(Buffer.from('x')),
    });
    expect(await store.sweepUnfinished({ idleMs: -Infinity, prefixes: ['bots/'] })).toBe(1);
  });

  test('and finds uploads below a prefix only by a list of the bucket, ends those and no others', async () => {
    const [ours, theirs] = ['bots/1/live.mp4', 'archive/film.mp4'];
    const [upload, other] = [
      await store.createMultipart(ours, { contentType: 'video/mp4' }),
      await store.createMultipart(theirs, { contentType: 'video/mp4' }),
    ];
    strict.limit({ listsUploadsByName: true });
    await store.deletePrefix('bots/1/');
    const part = { body: Buffer.from('x'), sha256: sha256Of(Buffer.from('x')) };
    await expect(store.uploadPart(ours, upload, 1, part)).rejects.toMatchObject({ code: 'OBJECT_NOT_FOUND' });
    await store.uploadPart(theirs, other, 1, part);
    await store.abortMultipart(theirs, other);
  });
});

describe('the completion of a multipart upload', () => {
  const key = 'bots/1/video.mp4';
  let upload = '';
  let repeating: ObjectStore;
  beforeEach(async () => {
    const credentials = { accessKeyId: 'a', secretAccessKey: 's' };
    const { endpoint } = strict;
    repeating = openS3Store({
      endpoint,
      region: 'auto',
      bucket: 'b',
      credentials,
      forcePathStyle: true,
      maxAttempts: 2,
    });
    upload = await repeating.createMultipart(key, { contentType: 'video/mp4' });
    await repeating.uploadPart(key, upload, 'head', {
      body: Buffer.from('head'),
      sha256: sha256Of(Buffer.from('head')),
    });
  });
  const complete = () => repeating.completeMultipart(key, upload, { parts: 0, tail: false });

  test('is repeated when a response with status 200 carries an error', async () => {
    strict.limit({ completions: ['error'] });
    expect(await complete()).toMatchObject({ bytes: 4 });
  });

  test('joins the newest content of a part that the store lists more than once', async () => {
    strict.limit({ listsFormerParts: true });
    expect(await complete()).toMatchObject({ bytes: 4 });
  });

  test('is confirmed by the object when the response is lost', async () => {
    strict.limit({ completions: ['lost'] });
    expect(await complete()).toMatchObject({ bytes: 4 });
  });

  test('fails and leaves the parts when the store stays overloaded, so that it can be requested again', async () => {
    strict.limit({ completions: ['error', 'error'] });
    await expect(complete()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(await complete()).toMatchObject({ bytes: 4 });
  });

  test('of another object than the stored one is not taken for done', async () => {
    await repeating.put(key, Buffer.from('older'), { contentType: 'video/mp4' });
    await repeating.abortMultipart(key, upload);
    await expect(complete()).rejects.toMatchObject({ code: 'OBJECT_NOT_FOUND' });
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
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
    ['wants Content-MD5', { requiresMd5: true }, one],
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

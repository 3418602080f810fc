import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { describeObjectStore } from '../conformance/object-store-suite.ts';
import { sha256Of } from '../conformance/probes.ts';
import { openS3Store, verifyStore } from '../index.ts';
import type { ObjectStore, S3StoreOptions } from '../index.ts';
import { startFaultProxy, startS3Server } from '../testing/index.ts';
import type { FaultProxy, S3Server } from '../testing/index.ts';
import { newS3Client } from './s3-client.ts';

let server: S3Server;
let running: Promise<S3Server> | undefined;
/** One server for the file, started by whichever block runs first. */
const serverOf = async () => (server = await (running ??= startS3Server()));
const optionsFor = (bucket: string, more: Partial<S3StoreOptions> = {}): S3StoreOptions => ({
  endpoint: server.endpoint,
  region: server.region,
  bucket,
  credentials: { accessKeyId: server.accessKeyId, secretAccessKey: server.secretAccessKey },
  forcePathStyle: true,
  ...more,
});
afterAll(async () => {
  await (await running)?.stop();
});

describeObjectStore('an S3 server', async () => {
  await serverOf();
  await server.createBucket('conformance');
  return { driver: 's3', s3: optionsFor('conformance') };
});

describe('a signed S3 URL', () => {
  const content = randomBytes(10_000);
  let store: ObjectStore;
  beforeAll(async () => {
    await serverOf();
    await server.createBucket('signed');
    store = openS3Store(optionsFor('signed'));
    await store.put('bots/1/vidéo.mp4', content, { contentType: 'video/mp4' });
  }, 90_000);
  afterAll(() => store.close());
  const inOneHour = () => ({ expiresAtMs: Date.now() + 3_600_000 });

  test('gives the object, whole or in part, with type and file name', async () => {
    const url = await store.signedGetUrl('bots/1/vidéo.mp4', inOneHour());
    const whole = await fetch(url);
    expect(Buffer.from(await whole.arrayBuffer()).equals(content)).toBe(true);
    expect(whole.headers.get('content-type')).toBe('video/mp4');
    expect(whole.headers.get('content-disposition')).toBe(
      `inline; filename="vid_o.mp4"; filename*=UTF-8''vid%C3%A9o.mp4`,
    );
    const part = await fetch(url, { headers: { range: 'bytes=100-199' } });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(content.subarray(100, 200))).toBe(true);
  });

  test('can override the type and the name', async () => {
    const url = await store.signedGetUrl('bots/1/vidéo.mp4', {
      ...inOneHour(),
      downloadName: 'x.bin',
      contentType: 'application/x-test',
    });
    const response = await fetch(url);
    expect(response.headers.get('content-type')).toBe('application/x-test');
    expect(response.headers.get('content-disposition')).toBe('inline; filename="x.bin"');
    await response.body?.cancel();
  });

  test('is refused for another object, without its signature, and with a later expiry', async () => {
    const url = new URL(await store.signedGetUrl('bots/1/vidéo.mp4', inOneHour()));
    await store.put('bots/2/other.mp4', content, { contentType: 'video/mp4' });
    const changed = (change: (copy: URL) => void) => {
      const copy = new URL(url);
      change(copy);
      return fetch(copy);
    };
    const responses = await Promise.all([
      changed((copy) => (copy.pathname = '/signed/bots/2/other.mp4')),
      changed((copy) => (copy.search = '')),
      changed((copy) => copy.searchParams.set('X-Amz-Expires', '604800')),
    ]);
    expect(responses.map((response) => response.status)).toEqual([403, 403, 403]);
  });

  test('cannot be made for longer than S3 allows or for the past', async () => {
    await expect(store.signedGetUrl('x', { expiresAtMs: Date.now() - 1 })).rejects.toMatchObject({
      code: 'VALIDATION',
    });
    await expect(store.signedGetUrl('x', { expiresAtMs: Date.now() + 8 * 86_400_000 })).rejects.toMatchObject({
      code: 'VALIDATION',
    });
  });
});

describe('a store that cannot be used', () => {
  beforeAll(serverOf, 90_000);
  test.each([
    ['an unknown bucket', () => optionsFor('not-there'), 'The bucket of the object store does not exist.'],
    [
      'a wrong secret',
      () => optionsFor('signed', { credentials: { accessKeyId: server.accessKeyId, secretAccessKey: 'wrong' } }),
      'refuses the secret of this access key',
    ],
    [
      'an unknown key',
      () => optionsFor('signed', { credentials: { accessKeyId: 'unknown', secretAccessKey: 'x' } }),
      'does not recognise this access key',
    ],
    [
      'no server at the address',
      () => optionsFor('signed', { endpoint: 'http://127.0.0.1:1', maxAttempts: 1 }),
      'ECONNREFUSED',
    ],
  ])('is refused at the start with a sentence for %s', async (_what, options, sentence) => {
    const store = openS3Store(options());
    await expect(verifyStore(store)).rejects.toThrow(sentence);
    await expect(verifyStore(store)).rejects.toThrow('Writing a test object failed');
    await store.close();
  });
});

describe('a bucket that other programs use too', () => {
  const theirs = ['archive/film.mp4', 'bots', 'bots-of-others/film.mp4', 'zoo/film.mp4'].sort();
  const prefixes = ['bots/', 'checks/'];
  let store: ObjectStore;
  let client: S3Client;
  beforeAll(async () => {
    await serverOf();
    await server.createBucket('shared');
    const options = optionsFor('shared');
    store = openS3Store(options);
    client = newS3Client(options, options.endpoint);
    for (const Key of theirs) await client.send(new CreateMultipartUploadCommand({ Bucket: 'shared', Key }));
  }, 90_000);
  afterAll(async () => {
    client.destroy();
    await store.close();
  });
  const open = async () => {
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: 'shared' }));
    return Uploads.map(({ Key }) => Key ?? '').sort();
  };

  test('keeps their uploads when ours are swept', async () => {
    for (const key of ['bots/1/video.mp4', 'checks/1']) await store.createMultipart(key, { contentType: 'video/mp4' });
    expect(await store.sweepUnfinished({ idleMs: 3_600_000, prefixes })).toBe(0);
    expect(await store.sweepUnfinished({ idleMs: 0, prefixes })).toBe(2);
    expect(await open()).toEqual(theirs);
  });
});

describe('an object store that fails now and then', () => {
  const content = randomBytes(20 * 1024 * 1024);
  const put = { contentType: 'video/mp4', sha256: sha256Of(content) };
  let proxy: FaultProxy;
  let store: ObjectStore;
  let round = 0;
  let key = '';
  beforeAll(async () => {
    await serverOf();
    await server.createBucket('faulty');
    proxy = await startFaultProxy(server.endpoint);
    store = openS3Store(optionsFor('faulty', { endpoint: proxy.url }));
  }, 90_000);
  beforeEach(() => {
    proxy.decide(() => 'pass');
    key = `bots/1/${(round += 1)}.mp4`;
  });
  afterAll(async () => {
    await store.close();
    await proxy.stop();
  });
  const unfinished = () => {
    proxy.decide(() => 'pass');
    return store.sweepUnfinished({ idleMs: 0, prefixes: ['bots/'] });
  };

  test.each([
    [
      'answers 503 to every third request',
      ({ seenBefore }: { seenBefore: number }) => (seenBefore % 3 === 0 ? 503 : 'pass'),
    ] as const,
    [
      'breaks the connection in the middle of a part',
      ({ line, seenBefore }: { line: string; seenBefore: number }) =>
        line.startsWith('PUT') && seenBefore % 2 === 1 ? 'cut-request' : 'pass',
    ] as const,
  ])('still gets a large object whole when the server %s', async (_what, fate) => {
    proxy.decide(fate);
    await store.put(key, content, put);
    proxy.decide(() => 'pass');
    expect((await buffer((await store.get(key)).body)).equals(content)).toBe(true);
    expect(await unfinished()).toBe(0);
  });

  test.each([['503', 503] as const, ['403', 403] as const])(
    'throws UNAVAILABLE when the server responds %s to every part, and leaves no half object',
    async (_what, status) => {
      proxy.decide(({ line }) => (line.includes('partNumber=') ? status : 'pass'));
      await expect(store.put(key, content, put)).rejects.toMatchObject({ code: 'UNAVAILABLE', retryable: true });
      expect(await unfinished()).toBe(0);
      expect(await store.head(key)).toBeNull();
    },
  );

  test('leaves an upload for the sweep, and no object, when the server is gone also for the abort', async () => {
    proxy.decide(({ line }) => (line.includes('uploadId=') ? 503 : 'pass'));
    await expect(store.put(key, content, put)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    proxy.decide(() => 'pass');
    expect(await store.sweepUnfinished({ idleMs: 3_600_000, prefixes: ['bots/'] })).toBe(0);
    expect(await unfinished()).toBe(1);
    expect(await store.head(key)).toBeNull();
  });

  test('breaks the stream of a reader instead of passing half an object off as whole', async () => {
    await store.put(key, content, put);
    proxy.decide(() => 'cut-response');
    await expect((async () => buffer((await store.get(key)).body))()).rejects.toThrow();
  });
});

// The driver against Azurite, which takes a minute to install. It shows neither a real service's order of keys beyond
// U+FFFF, nor versions, soft deletion, throttling, or keys by workload identity.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { provideAzurite } from '@rapporteur/cluster';
import { describeObjectStore } from '../conformance/object-store-suite.ts';
import { openAzureStore, verifyStore } from '../index.ts';
import type { AzureStoreOptions, ObjectStore, SignedRequestToStore } from '../index.ts';
import { startAzurite } from '../testing/azurite.ts';
import type { Azurite } from '../testing/azurite.ts';

const entry = await provideAzurite((text) => void process.stdout.write(`${text}\n`));
let running: Promise<Azurite> | undefined;
const optionsFor = async (container: string, more: Partial<AzureStoreOptions> = {}): Promise<AzureStoreOptions> => {
  const { account, accountKey, endpoint } = await (running ??= startAzurite(entry));
  return { account, endpoint, container, credentials: { accountKey }, ...more };
};
const inOneHour = () => ({ expiresAtMs: Date.now() + 3_600_000 });
afterAll(async () => (await running)?.stop());

describeObjectStore('Azurite', async () => {
  const azure = await optionsFor('conformance');
  await (await running)?.createContainer('conformance');
  return { driver: 'azure', azure };
});

describe('a signed URL of Azure Blob', () => {
  const content = randomBytes(10_000);
  const key = 'bots/1/vidéo #1.mp4';
  let store: ObjectStore;
  beforeAll(async () => {
    store = await openAzureStore(await optionsFor('signed'));
    await (await running)?.createContainer('signed');
    await store.put(key, content, { contentType: 'video/mp4' });
  }, 90_000);
  afterAll(() => store.close());
  const send = async ({ url, ...rest }: SignedRequestToStore, body: Buffer) =>
    (await fetch(url, { ...rest, body: new Uint8Array(body) })).status;

  test('gives the object, whole or in part, with type and file name', async () => {
    const url = await store.signedGetUrl(key, { ...inOneHour(), downloadName: 'x.bin', contentType: 'a/b' });
    const whole = await fetch(url);
    expect(Buffer.from(await whole.arrayBuffer()).equals(content)).toBe(true);
    expect([whole.headers.get('content-type'), whole.headers.get('content-disposition')]).toEqual([
      'a/b',
      'inline; filename="x.bin"',
    ]);
    const part = await fetch(url, { headers: { range: 'bytes=100-199' } });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(content.subarray(100, 200))).toBe(true);
  });

  test('is refused for another object, for writing, and with a later expiry', async () => {
    await store.put('bots/2/other', content, { contentType: 'a/b' });
    const url = await store.signedGetUrl(key, inOneHour());
    const changed = async (change: (copy: URL) => void, method = 'GET') => {
      const copy = new URL(url);
      change(copy);
      return (await fetch(copy, { method, headers: { 'x-ms-blob-type': 'BlockBlob' } })).status;
    };
    const statuses = await Promise.all([
      changed((copy) => (copy.pathname = copy.pathname.replace(/bots.*/, 'bots/2/other'))),
      changed(() => undefined, 'PUT'),
      changed((copy) => copy.searchParams.set('se', '2099-01-01T00:00:00Z')),
    ]);
    expect(statuses).toEqual([403, 403, 403]);
  });

  test('for writing stores an object once', async () => {
    const request = await store.direct?.signedPut('bots/1/slot', { ...inOneHour(), contentType: 'a/b' });
    const [first, again] = [Buffer.from('first'), Buffer.from('again')];
    if (request === undefined) throw new Error('The store takes nothing directly.');
    expect(await send(request, first)).toBe(201);
    const unconditional = Object.entries(request.headers).filter(([name]) => name !== 'if-none-match');
    expect(await send({ ...request, headers: Object.fromEntries(unconditional) }, again)).toBe(403);
    expect((await store.head('bots/1/slot'))?.bytes).toBe(5);
  });

  test('is given for no part, because it would permit to replace the object', async () => {
    const upload = await store.createMultipart('bots/1/parts', { contentType: 'video/mp4' });
    expect(await store.direct?.signedPart('bots/1/parts', upload, 'head', inOneHour())).toBeNull();
    await store.abortMultipart('bots/1/parts', upload);
  });
});

describe('a container that cannot be used', () => {
  test.each([
    ['an unknown container', {}, 'The container of the object store does not exist.'],
    ['a wrong key', { credentials: { accountKey: 'd3Jvbmc=' } }, 'refuses the key or token of this account'],
    ['no server at the address', { endpoint: 'http://127.0.0.1:1/recordings', maxAttempts: 1 }, 'ECONNREFUSED'],
  ])('is refused at the start with a sentence for %s', async (_what, more, sentence) => {
    const store = await openAzureStore(await optionsFor('not-there', more));
    await expect(verifyStore(store)).rejects.toThrow(sentence);
    await store.close();
  });
});

test('no key is stored where uploads are noted', async () => {
  const store = await openAzureStore(await optionsFor('conformance'));
  const put = store.put('.uploads/x', Buffer.from('x'), { contentType: 'a/b' });
  await expect(put).rejects.toMatchObject({ code: 'VALIDATION' });
  await store.close();
});

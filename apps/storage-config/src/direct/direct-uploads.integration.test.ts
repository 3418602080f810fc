import { randomBytes, randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { directFragmentsReply, directPartReply, internalCalls, internalRoutes } from '@rapporteur/contracts';
import type { DirectPartReply } from '@rapporteur/contracts';
import { waitFor } from '@rapporteur/testbed';
import { sha256Of, startStorage, teamId } from '../testing/storage-under-test.ts';
import type { GrantHolder, StorageUnderTest } from '../testing/storage-under-test.ts';
import { startCustomerStore } from '../testing/team-buckets-under-test.ts';
import type { CustomerStore } from '../testing/team-buckets-under-test.ts';

const mebibyte = 1024 ** 2;
const fragmentKey = 'segments/0001/000001.m4s';
type SignedRequest = NonNullable<DirectPartReply['request']>;
let customer: CustomerStore;
/** The team of its bots has a bucket of its own. */
let withTeamBucket: StorageUnderTest;
/** The deployment's object store is S3. */
let onS3: StorageUnderTest;
beforeAll(async () => {
  customer = await startCustomerStore();
  for (const bucket of ['theirs', 'ours']) await customer.createBucket(bucket);
  withTeamBucket = await startStorage();
  onS3 = await startStorage({ own: customer.client('ours') });
  const body = customer.configuration(['theirs', 'theirs', 'theirs']);
  expect((await withTeamBucket.api('PUT', '/v2/storage-config', { body })).status).toBe(200);
}, 120_000);
afterAll(async () => {
  await withTeamBucket.stop();
  await onS3.stop();
  await customer.stop();
});

const kinds = [
  ["a team's bucket", () => withTeamBucket, 'theirs', ''],
  ['the object store of the service', () => onS3, 'ours', 'bots/'],
] as const;

const post = (storage: StorageUnderTest, { grant }: GrantHolder, route: string, body: unknown) =>
  fetch(storage.url + route, {
    method: 'POST',
    headers: { authorization: `Bearer ${grant}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

async function signed(storage: StorageUnderTest, runner: GrantHolder, body: unknown): Promise<SignedRequest> {
  const response = await post(storage, runner, internalRoutes.grantDirectParts, body);
  expect(response.status).toBe(200);
  const { request } = directPartReply.parse(await response.json());
  if (request === null) throw new Error('Nothing is taken directly.');
  return request;
}

/**
 * On a connection of its own: a server may close one instead of reading a body that it refuses, which is 403 too.
 */
async function send({ url, method, headers }: SignedRequest, bytes: Buffer): Promise<number> {
  const { 'content-length': _length, ...rest } = headers;
  return await new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method, headers: { ...rest, 'content-length': bytes.length }, agent: false });
    sent.once('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', (error) => (/ECONNRESET|EPIPE/.test(String(error)) ? resolve(403) : reject(error)));
    sent.end(bytes);
  });
}

const listed = async (runner: GrantHolder) =>
  ((await (await runner.get('?prefix=segments/')).json()) as { objects: unknown }).objects;

describe.each(kinds)('a part of a multipart upload that is sent to %s itself', (_what, storageOf, _bucket, _start) => {
  test('is joined by the service, and is no other part, and of no other length', async () => {
    const storage = storageOf();
    const runner = await storage.scheduler.grant(randomUUID());
    const key = 'artifacts/video.mp4';
    const route = `${internalRoutes.grantMultipart}/${key}`;
    const started = await post(storage, runner, route, { contentType: 'video/mp4' });
    const { upload } = (await started.json()) as { upload: string };
    const parts = { head: randomBytes(5 * mebibyte), 1: randomBytes(6 * mebibyte), tail: randomBytes(1_000) };
    for (const [name, bytes] of Object.entries(parts)) {
      const part = name === '1' ? 1 : name;
      const request = await signed(storage, runner, { key, upload, part, bytes: bytes.length });
      const other = new URL(request.url);
      other.searchParams.set('partNumber', '77');
      expect(await send({ ...request, url: other.href }, bytes)).toBe(403);
      expect(await send(request, Buffer.concat([bytes, bytes]))).toBe(403);
      expect(await send(request, bytes)).toBe(200);
    }
    const finish = `${route}?upload=${encodeURIComponent(upload)}`;
    expect((await post(storage, runner, finish, { parts: 1, tail: true })).status).toBe(201);
    const whole = Buffer.from(await (await runner.get(`/${key}`)).arrayBuffer());
    expect(sha256Of(whole)).toBe(sha256Of(Buffer.concat([parts.head, parts[1], parts.tail])));
  });
});

async function exchange(storage: StorageUnderTest, runner: GrantHolder, body: unknown) {
  const response = await post(storage, runner, internalRoutes.grantDirectFragments, body);
  if (!response.ok) return { status: response.status, slots: [] };
  return { status: 200, slots: directFragmentsReply.parse(await response.json()).slots ?? [] };
}

/** The slot that was filled. */
async function fill(storage: StorageUnderTest, runner: GrantHolder, bytes: Buffer): Promise<string> {
  const [granted] = (await exchange(storage, runner, { commit: null, slots: 1 })).slots;
  if (granted === undefined) throw new Error('No slot was granted.');
  expect(await send(granted.request, bytes)).toBe(200);
  return granted.slot;
}

describe.each(kinds)('a fragment in a slot of %s', (_what, storageOf, bucket, start) => {
  const committed = (bytes: Buffer, slot: string) => ({
    commit: { key: fragmentKey, bytes: bytes.length, slot },
    slots: 0,
  });

  test('is read once it is committed, takes the slot once, and goes with the others', async () => {
    const [storage, botId, bytes] = [storageOf(), randomUUID(), randomBytes(40_000)];
    const runner = await storage.scheduler.grant(botId);
    const { slots } = await exchange(storage, runner, { commit: null, slots: 2 });
    const [granted, other] = slots;
    if (granted === undefined || other === undefined) throw new Error('Two slots were requested.');
    expect(granted.slot).not.toBe(other.slot);
    const elsewhere = new URL(granted.request.url);
    elsewhere.pathname = elsewhere.pathname.replace(granted.slot, other.slot);
    expect(await send({ ...granted.request, url: elsewhere.href }, bytes)).toBe(403);
    expect(await send(granted.request, bytes)).toBe(200);
    expect(await send(granted.request, randomBytes(1_000))).toBe(412);
    expect((await runner.get(`/${fragmentKey}`)).status).toBe(404);
    expect(await listed(runner)).toEqual([]);
    expect((await exchange(storage, runner, committed(bytes, granted.slot))).status).toBe(200);
    expect(Buffer.from(await (await runner.get(`/${fragmentKey}`)).arrayBuffer()).equals(bytes)).toBe(true);
    expect(await listed(runner)).toEqual([{ key: fragmentKey, bytes: bytes.length }]);
    const stored = `${start}${botId}/attempts/0001/segments/slots/${granted.slot}`;
    expect(await customer.keysOf(bucket)).toContain(stored);
    await storage.scheduler.deleteData(botId);
    expect(await customer.keysOf(bucket)).not.toContain(stored);
  });

  test('of an attempt that was superseded, or of a bot that has ended, is never read', async () => {
    const [storage, botId, bytes] = [storageOf(), randomUUID(), randomBytes(20_000)];
    const former = await storage.scheduler.grant(botId);
    const [late] = (await exchange(storage, former, { commit: null, slots: 1 })).slots;
    if (late === undefined) throw new Error('No slot was granted.');
    const runner = await storage.scheduler.grant(botId, 2);
    expect(await send(late.request, bytes)).toBe(200);
    expect((await exchange(storage, former, committed(bytes, late.slot))).status).toBe(403);
    expect((await exchange(storage, former, { commit: null, slots: 1 })).status).toBe(403);
    // The slot is one of the former attempt: a commit by the newer one finds no object.
    expect((await exchange(storage, runner, committed(bytes, late.slot))).status).toBe(200);
    expect((await runner.get(`/${fragmentKey}`)).status).toBe(404);
    const slot = await fill(storage, runner, bytes);
    expect(
      (await storage.scheduler.post(internalCalls.storage.endGrants.path, { bots: [{ botId, teamId }] })).status,
    ).toBe(200);
    expect((await exchange(storage, runner, committed(bytes, slot))).status).toBe(403);
    expect((await runner.get(`/${fragmentKey}`)).status).toBe(404);
  });

  test('is replaced by the same one when that passes the service', async () => {
    const [storage, bytes] = [storageOf(), randomBytes(20_000)];
    const runner = await storage.scheduler.grant(randomUUID());
    await exchange(storage, runner, committed(bytes, await fill(storage, runner, bytes)));
    expect((await runner.put(fragmentKey, Buffer.from('newer'))).status).toBe(201);
    expect(await (await runner.get(`/${fragmentKey}`)).text()).toBe('newer');
  });

  test('that arrives after the deletion of the data goes when no signed request is valid any more', async () => {
    const [storage, botId, bytes] = [storageOf(), randomUUID(), randomBytes(20_000)];
    const runner = await storage.scheduler.grant(botId);
    const [late] = (await exchange(storage, runner, { commit: null, slots: 1 })).slots;
    if (late === undefined) throw new Error('No slot was granted.');
    await storage.scheduler.deleteData(botId);
    expect(await send(late.request, bytes)).toBe(200);
    const stored = `${start}${botId}/attempts/0001/segments/slots/${late.slot}`;
    storage.advance(15 * 60_000);
    expect(await storage.deleteLateWrites()).toBe(0);
    expect(await customer.keysOf(bucket)).toContain(stored);
    storage.advance(5 * 60_000 + 1_000);
    expect(await storage.deleteLateWrites()).toBeGreaterThan(0);
    expect(await customer.keysOf(bucket)).not.toContain(stored);
    expect(await storage.deleteLateWrites()).toBe(0);
  });

  test('of another bot is not reached by its name', async () => {
    const [storage, bytes] = [storageOf(), randomBytes(20_000)];
    const owner = await storage.scheduler.grant(randomUUID());
    const thief = await storage.scheduler.grant(randomUUID());
    const slot = await fill(storage, owner, bytes);
    await exchange(storage, thief, committed(bytes, slot));
    expect((await thief.get(`/${fragmentKey}`)).status).toBe(404);
    for (const commit of [
      { key: fragmentKey, bytes: 1, slot: '../../x' },
      { key: '../x', bytes: 1, slot },
    ])
      expect((await exchange(storage, thief, { commit, slots: 0 })).status).toBe(400);
    expect((await exchange(storage, thief, { commit: null, slots: 33 })).status).toBe(400);
  });
});

test('a folder takes nothing directly, and reports it', async () => {
  const storage = await startStorage();
  try {
    const runner = await storage.scheduler.grant(randomUUID());
    const part = { key: 'artifacts/video.mp4', upload: 'any', part: 1, bytes: 1 };
    const response = await post(storage, runner, internalRoutes.grantDirectParts, part);
    expect([response.status, await response.json()]).toEqual([200, { request: null }]);
    const slots = await post(storage, runner, internalRoutes.grantDirectFragments, { commit: null, slots: 1 });
    expect([slots.status, await slots.json()]).toMatchObject([200, { slots: null }]);
  } finally {
    await storage.stop();
  }
});

describe('a grant that was stolen', () => {
  const content = Buffer.from('of another bot');
  const hostileKeys = (botId: string) => [
    `../${botId}/artifacts/a.txt`,
    `..%2F${botId}%2Fartifacts%2Fa.txt`,
    `%2e%2e/${botId}/artifacts/a.txt`,
    `/${botId}/artifacts/a.txt`,
    `bots/${botId}/artifacts/a.txt`,
    `${botId}/artifacts/a.txt`,
    `attempts/0001/../../${botId}/artifacts/a.txt`,
  ];

  test.each(kinds)(
    'reaches nothing of another bot in %s, by any verb and route',
    async (_what, storageOf, bucket, _start) => {
      const storage = storageOf();
      const victim = randomUUID();
      const owner = await storage.scheduler.grant(victim);
      expect((await owner.put('artifacts/a.txt', content)).status).toBe(201);
      const route = `${internalRoutes.grantMultipart}/artifacts/v.mp4`;
      const { upload } = (await (await post(storage, owner, route, { contentType: 'video/mp4' })).json()) as {
        upload: string;
      };
      const thief = await storage.scheduler.grant(randomUUID());
      const before = (await customer.keysOf(bucket)).filter((key) => key.includes(victim));
      const slot = await fill(storage, owner, content);

      const authorization = `Bearer ${thief.grant}`;
      const json = { authorization, 'content-type': 'application/json' };
      const named = `?upload=${encodeURIComponent(upload)}`;
      for (const key of hostileKeys(victim)) {
        for (const base of [internalRoutes.grantObjects, internalRoutes.grantMultipart])
          for (const method of ['GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE']) {
            const withBody = !['GET', 'HEAD'].includes(method);
            const response = await fetch(`${storage.url}${base}/${key}${method === 'POST' ? '' : `${named}&part=1`}`, {
              method,
              headers: { ...json, 'x-content-sha256': sha256Of(content) },
              ...(withBody ? { body: content as Uint8Array<ArrayBuffer> } : {}),
            });
            expect(await response.text()).not.toContain(String(content));
          }
        const part = { key, upload, part: 1, bytes: 5 };
        const response = await post(storage, thief, internalRoutes.grantDirectParts, part);
        const { request } = response.ok ? directPartReply.parse(await response.json()) : { request: null };
        if (request !== null) await send(request, content);
        for (const named of [key, `segments/${key}`])
          await exchange(storage, thief, { commit: { key: named, bytes: 5, slot }, slots: 0 });
        await post(storage, thief, internalRoutes.grantRelease, { artifacts: [{ key, bytes: content.length }] });
      }
      // The other bot's upload accepts no part and no completion with it, under its own key either.
      const foreign = `${storage.url}${route}${named}`;
      for (const [method, query, body] of [
        ['PUT', '&part=1', randomBytes(5 * mebibyte)],
        ['POST', '', Buffer.from('{"parts":0,"tail":false}')],
        ['DELETE', '', null],
      ] as const) {
        const hash = { 'x-content-sha256': sha256Of(body ?? Buffer.alloc(0)) };
        const init = body === null ? {} : { body: body as Uint8Array<ArrayBuffer> };
        // 503: the store did not respond in time.
        const status = await waitFor(
          async () => {
            const response = await fetch(foreign + query, { method, headers: { ...json, ...hash }, ...init });
            return response.status !== 503 && response.status;
          },
          { what: `a response to ${method}` },
        );
        expect([method, status]).toEqual([method, method === 'DELETE' ? 204 : 404]);
      }
      expect(await (await owner.get('/artifacts/a.txt')).text()).toBe(String(content));
      const after = (await customer.keysOf(bucket)).filter((key) => key.includes(`${victim}/artifacts`));
      expect(after.filter((key) => key.startsWith(victim) || key.startsWith(`bots/${victim}`))).toEqual(before);
      const head = randomBytes(1_000);
      const put = await fetch(`${foreign}&part=head`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${owner.grant}`, 'x-content-sha256': sha256Of(head) },
        body: head as Uint8Array<ArrayBuffer>,
      });
      expect(put.status).toBe(201);
    },
  );
});

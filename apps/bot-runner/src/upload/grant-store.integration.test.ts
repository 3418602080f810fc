import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { directFragments, internalRoutes } from '@rapporteur/contracts';
import { fail, toEnvelope } from '@rapporteur/failures';
import { createOutboundHttp } from '@rapporteur/outbound-http';
import type { OutboundRequest } from '@rapporteur/outbound-http';
import { FakeClock } from '@rapporteur/async/testing';
import { startReceiver } from '@rapporteur/testbed/receiver';
import type { Receiver, Respond } from '@rapporteur/testbed/receiver';
import { quietLogger } from '../testing/quiet-logger.ts';
import { createDirectUploads, createGrantStore, GrantRefused, openUploads } from './grant-store.ts';

const media = Buffer.alloc(20_000, 'media');
const key = 'segments/0001/000001.m4s';
const signal = new AbortController().signal;
/** `METHOD /path` of each request, in order. */
let seen: string[] = [];
let bodies: Buffer[] = [];
/** The object store's response. */
let storeStatus = 200;
/** storage-config's response to a request for a direct upload. */
let grantStatus = 200;
/** When the slots expire. */
let expiresAtMs = 0;
let customers = false;
let takesDirectly = true;
const reason = 'The object store refuses this access key the request. (HTTP 403, AccessDenied: Access Denied)';
/** storage-config's response to everything. */
let refusal: number | null = null;
let url = '';
const ownStore = createOutboundHttp({ allow: ['loopback'], requireHttps: false });

/** storage-config and the object store on one port. */
const respond: Respond = ({ method, path, body: received }, response) => {
  seen.push(`${method} ${path}`);
  bodies.push(received);
  const envelope = toEnvelope(fail('UNAVAILABLE', { message: reason }));
  if (refusal !== null) return void response.writeHead(refusal).end(refusal === 503 ? JSON.stringify(envelope) : '{}');
  if (path.startsWith('/store/')) return void response.writeHead(storeStatus).end();
  if (path === internalRoutes.grantDirectParts)
    return void response.writeHead(200).end(JSON.stringify({ request: null }));
  if (path !== internalRoutes.grantDirectFragments) return void response.writeHead(201).end('{}');
  const { commit, slots: count } = directFragments.parse(JSON.parse(String(received)));
  const signed = { method: 'PUT', url: `${url}/store/signed`, headers: {}, customers };
  const slots = Array.from({ length: count }, () => ({ slot: randomUUID(), request: signed }));
  const body = { slots: takesDirectly ? slots : null, expiresAt: new Date(expiresAtMs).toISOString() };
  response.writeHead(commit === null ? grantStatus : 200).end(JSON.stringify(body));
};
let server: Receiver;
beforeAll(async () => {
  server = await startReceiver(respond);
  url = server.url;
});
afterAll(async () => {
  ownStore.close();
  await server.close();
});
beforeEach(() => {
  [seen, bodies, storeStatus, grantStatus, customers, takesDirectly, refusal] = [[], [], 200, 200, false, true, null];
});

function setUp() {
  const clock = new FakeClock();
  expiresAtMs = clock.now() + 15 * 60_000;
  const outboundRequests: OutboundRequest[] = [];
  const request = async (requested: OutboundRequest) => {
    outboundRequests.push(requested);
    return { status: 200, headers: {}, bodyPrefix: Buffer.alloc(0), durationMs: 1 };
  };
  const grant = { url, grant: 'grant' };
  const direct = createDirectUploads({
    ...grant,
    outbound: (signed) => (signed.customers ? { request } : ownStore),
    clock,
    logger: quietLogger,
  });
  let stored = 0;
  const store = createGrantStore({ ...grant, direct, onStored: (bytes) => (stored += bytes) });
  const put = (name = key, bytes: Uint8Array = media) =>
    store.put({ key: name, content: { bytes }, contentType: 'video/mp4' }, signal);
  return { clock, put, direct, outboundRequests, stored: () => stored };
}

/** The same request fetches slots and commits. */
const exchanged = `POST ${internalRoutes.grantDirectFragments}`;
const proxied = `PUT ${internalRoutes.grantObjects}/${key}`;

describe('a fragment', () => {
  test('goes to the object store and is committed; small objects and other keys pass storage-config', async () => {
    const { put, stored } = setUp();
    await put();
    expect(seen).toEqual([exchanged, 'PUT /store/signed', exchanged]);
    expect(bodies[1]?.equals(media)).toBe(true);
    const commit = { key, bytes: media.length, slot: expect.any(String) };
    expect(JSON.parse(String(bodies[2]))).toEqual({ commit, slots: 0 });
    expect(stored()).toBe(media.length);
    seen = [];
    await put('segments/0001/000001.json', Buffer.from('{}'));
    await put('artifacts/video.mp4');
    expect(seen).toEqual([
      `PUT ${internalRoutes.grantObjects}/segments/0001/000001.json`,
      `PUT ${internalRoutes.grantObjects}/artifacts/video.mp4`,
    ]);
  });

  test.each([403, 503])(
    'that the object store responds with %i passes storage-config, and so do others for a minute',
    async (status) => {
      const { clock, put } = setUp();
      storeStatus = status;
      await put();
      expect(seen).toEqual([exchanged, 'PUT /store/signed', proxied]);
      seen = [];
      await put();
      expect(seen).toEqual([proxied]);
      seen = [];
      storeStatus = 200;
      await clock.advance(60_000);
      await put();
      expect(seen).toEqual(['PUT /store/signed', exchanged]);
    },
  );

  test('takes one request to storage-config: the commit, which fetches slots when none is left', async () => {
    const { put } = setUp();
    for (let sequence = 1; sequence <= 9; sequence += 1) await put(`segments/0001/${sequence}.m4s`);
    expect(seen.filter((line) => line === exchanged)).toHaveLength(10);
    const bodiesOfCommits = bodies.filter((_body, index) => seen[index] === exchanged).map(String);
    const requested = bodiesOfCommits.map((body) => directFragments.parse(JSON.parse(body)));
    expect(requested.map(({ slots }) => slots)).toEqual([8, 0, 0, 0, 0, 0, 0, 0, 8, 0]);
    expect(new Set(requested.map(({ commit }) => commit?.slot)).size).toBe(10);
  });

  test('uses no slot whose request is about to expire', async () => {
    const { clock, put } = setUp();
    await put();
    await clock.advance(11 * 60_000);
    expiresAtMs += 11 * 60_000;
    seen = [];
    await put();
    expect(seen).toEqual([exchanged, 'PUT /store/signed', exchanged]);
  });

  test('passes storage-config where the store takes nothing directly', async () => {
    takesDirectly = false;
    await setUp().put();
    expect(seen).toEqual([exchanged, proxied]);
  });

  test('goes to a store that takes no parts, which is asked once a minute', async () => {
    const { clock, put, direct } = setUp();
    const part = { key: 'artifacts/video.mp4', upload: 'upload', part: 1 } as const;
    const asked = `POST ${internalRoutes.grantDirectParts}`;
    for (const _attempt of [1, 2]) expect(await direct.sendPart(part, media, signal)).toBe(false);
    await put();
    expect(seen).toEqual([asked, exchanged, 'PUT /store/signed', exchanged]);
    await clock.advance(60_001);
    seen = [];
    expect(await direct.sendPart(part, media, signal)).toBe(false);
    expect(seen).toEqual([asked]);
  });

  test("goes to a customer's store under the rules for customers' addresses", async () => {
    customers = true;
    const { put, outboundRequests } = setUp();
    await put();
    expect(outboundRequests).toMatchObject([{ method: 'PUT', url: `${url}/store/signed`, body: media }]);
    expect(seen).toEqual([exchanged, exchanged]);
  });

  test('of a run that lost its grant goes nowhere', async () => {
    grantStatus = 403;
    await expect(setUp().put()).rejects.toBeInstanceOf(GrantRefused);
    expect(seen).toEqual([exchanged]);
  });
});

test('an upload that the storage does not take is reported with its reason, at most every ten minutes', async () => {
  refusal = 503;
  const clock = new FakeClock();
  const failures: string[] = [];
  const { store, multipart } = openUploads(
    { storage: { url, grant: 'grant' }, outbound: { allow: [], requireHttps: false, caFile: null, proxy: null } },
    { onStored: () => undefined, onFailed: (message) => failures.push(message), clock, logger: quietLogger },
  );
  const put = () => store.put({ key: 'a', content: { bytes: Buffer.from('a') }, contentType: 'text/plain' }, signal);
  await expect(put()).rejects.toThrow(`The storage service responded with HTTP 503 for storing a. ${reason}`);
  await expect(multipart.start('b', 'video/mp4', signal)).rejects.toThrow(reason);
  expect(failures).toEqual([reason]);
  await clock.advance(600_000);
  await expect(multipart.start('b', 'video/mp4', signal)).rejects.toThrow(reason);
  expect(failures).toEqual([reason, reason]);
  refusal = 403;
  await clock.advance(600_000);
  await expect(put()).rejects.toMatchObject({ name: 'GrantRefused' });
  expect(failures).toHaveLength(2);
});

import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { grantListing, internalCalls, internalRoutes } from '@rapporteur/contracts';
import { createService, Secret } from '@rapporteur/service-runtime';
import { waitFor } from '@rapporteur/testbed';
import { internalSecret, sha256Of, startStorage, teamId } from '../testing/storage-under-test.ts';
import type { GrantHolder, StorageUnderTest } from '../testing/storage-under-test.ts';

let storage: StorageUnderTest;
let botId = '';
let runner: GrantHolder;
beforeAll(async () => {
  storage = await startStorage({ maxObjectBytes: 2_000_000, uploadIdleMs: 1_000 });
});
beforeEach(async () => {
  botId = randomUUID();
  runner = await storage.scheduler.grant(botId);
});
afterAll(() => storage.stop());

const incoming = () => readdir(join(storage.folder, 'incoming'));
const stored = async () => (await storage.store.list({ prefix: `bots/${botId}/` })).objects.map(({ key }) => key);
const codeOf = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code];
const rejected = [403, 'FST_ERR_GRANT_REJECTED'];
const invalid = [400, 'FST_ERR_VALIDATION'];

describe('a grant', () => {
  const content = Buffer.from('a small recording');

  test('lets its holder store an object, read it back and list it', async () => {
    const response = await runner.put('segments/video/0001.m4s', content);
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({ key: 'segments/video/0001.m4s', bytes: content.byteLength });
    expect(await storage.store.head(`bots/${botId}/segments/video/0001.m4s`)).toMatchObject({
      contentType: 'video/mp4',
      sha256: sha256Of(content),
    });
    const read = await runner.get('/segments/video/0001.m4s');
    expect(read.headers.get('content-type')).toBe('video/mp4');
    expect(Buffer.from(await read.arrayBuffer()).equals(content)).toBe(true);
    const rest = await runner.get('/segments/video/0001.m4s', 'bytes=8-');
    expect([rest.status, rest.headers.get('content-range')]).toEqual([206, 'bytes 8-16/17']);
    expect(await rest.text()).toBe('recording');
    expect((await runner.get('/segments/video/0001.m4s', 'bytes=17-')).status).toBe(416);
    await runner.put('manifest.json', Buffer.from('{}'));
    const listed = grantListing.parse(await (await runner.get('?prefix=segments/')).json());
    expect(listed.objects).toEqual([{ key: 'segments/video/0001.m4s', bytes: content.byteLength }]);
    expect(grantListing.parse(await (await runner.get('')).json()).objects).toHaveLength(2);
  });

  test('lets its holder send the same object again, and replace one', async () => {
    for (const body of [content, content, Buffer.from('longer than before')]) {
      expect((await runner.put('manifest.json', body)).status).toBe(201);
      const read = await runner.get('/manifest.json');
      expect(Buffer.from(await read.arrayBuffer()).equals(body)).toBe(true);
    }
  });

  test('lists more objects than fit one page of the store', async () => {
    const names = Array.from({ length: 1_003 }, (_none, index) => `segments/${String(index).padStart(5, '0')}`);
    for (let start = 0; start < names.length; start += 50) {
      const puts = names
        .slice(start, start + 50)
        .map((name) => storage.store.put(`bots/${botId}/${name}`, content, { contentType: 'video/mp4' }));
      await Promise.all(puts);
    }
    const { objects } = grantListing.parse(await (await runner.get('?prefix=segments/')).json());
    expect(objects.map(({ key }) => key)).toEqual(names);
  });

  test('responds with 404 for an object that is not there', async () => {
    expect(await codeOf(await runner.get('/nothing.json'))).toEqual([404, 'FST_ERR_OBJECT_NOT_FOUND']);
  });

  test.each([
    [
      'another character in the signature',
      (grant: string) => grant.slice(0, -2) + (grant.at(-2) === 'A' ? 'B' : 'A') + grant.at(-1),
    ],
    ['another bot in it', (grant: string) => changed(grant, { sub: randomUUID() })],
    ['another fencing number in it', (grant: string) => changed(grant, { fencing: 2 })],
    ['no algorithm', (grant: string) => `${encoded({ alg: 'none' })}.${grant.split('.')[1]}.`],
    ['nothing', () => ''],
  ])('is refused with %s', async (_what, change) => {
    const authorization = `Bearer ${change(runner.grant)}`;
    expect(await codeOf(await runner.put('x', content, { authorization }))).toEqual(rejected);
    const read = await fetch(`${storage.url}${internalRoutes.grantObjects}?prefix=`, { headers: { authorization } });
    expect(await codeOf(read)).toEqual(rejected);
    expect(await stored()).toEqual([]);
  });

  test('is refused without the header, and with an internal token in its place', async () => {
    const scheduler = createService({ name: 'bot-scheduler', logLevel: 'silent', internalSecret });
    const token = await scheduler.auth.sign({ audience: 'storage-config' });
    expect(await codeOf(await runner.put('x', content, { authorization: `Bearer ${token}` }))).toEqual(rejected);
    expect(await codeOf(await fetch(`${storage.url}${internalRoutes.grantObjects}/x`))).toEqual(rejected);
    await scheduler.stop();
  });

  test('is refused once it has expired', async () => {
    const short = await storage.scheduler.grant(botId, 2, 20_000);
    expect((await short.put('x', content)).status).toBe(201);
    storage.advance(21_000);
    expect(await codeOf(await short.put('y', content))).toEqual(rejected);
    expect(await codeOf(await short.get('/x'))).toEqual(rejected);
    storage.advance(-21_000);
  });

  test.each([
    '..%2Fother%2Fx',
    '%2e%2e/other/x',
    'a/%2e%2e/%2e%2e/other/x',
    'a//b',
    '/etc/passwd',
    'a%2Fb',
    'a%5Cb',
    'a%00b',
    'a%0Ab',
    '%E0%A4%A',
    'a/',
    'x'.repeat(300),
  ])('gives nothing outside its own bot to the path %j', async (path) => {
    // fetch would normalize the path.
    const put = await rawRequest('PUT', path, runner.grant);
    expect(put).toBe(400);
    expect(await rawRequest('GET', path, runner.grant)).toBe(400);
    expect(await stored()).toEqual([]);
  });

  test.each(['../', 'a/../../', '/', 'a//'])('lists nothing outside its own bot for the prefix %j', async (prefix) => {
    expect(await codeOf(await runner.get(`?prefix=${encodeURIComponent(prefix)}`))).toEqual(invalid);
  });

  function rawRequest(method: string, path: string, grant: string): Promise<number> {
    const headers = {
      authorization: `Bearer ${grant}`,
      'x-content-sha256': sha256Of(content),
      'content-length': method === 'PUT' ? content.byteLength : 0,
    };
    const { hostname, port } = new URL(storage.url);
    return new Promise((resolve, reject) => {
      const sent = request(
        { hostname, port, method, path: `${internalRoutes.grantObjects}/${path}`, headers, agent: false },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      );
      sent.on('error', reject);
      sent.end(method === 'PUT' ? content : undefined);
    });
  }
});

describe('a newer runner of the same bot', () => {
  const content = Buffer.from('x');

  test('ends every right of the older one, for writing, reading and listing', async () => {
    await runner.put('manifest.json', content);
    const newer = await storage.scheduler.grant(botId, 2);
    const responses = await Promise.all([
      runner.put('late.mp4', content),
      runner.get('/manifest.json'),
      runner.get('?prefix='),
    ]);
    for (const reply of responses) {
      expect(reply.status).toBe(403);
      expect(await reply.json()).toMatchObject({
        code: 'FST_ERR_GRANT_REJECTED',
        message: expect.stringContaining('A newer runner took over'),
      });
    }
    expect((await newer.get('/manifest.json')).status).toBe(200);
    expect(await stored()).toEqual([`bots/${botId}/manifest.json`]);
  });

  test('makes an upload fail that began before and ends after', async () => {
    const body = randomBytes(400_000);
    const upload = slowUpload(storage.url, 'late.mp4', body);
    upload.send(body.subarray(0, 200_000));
    await waitFor(async () => (await incoming()).length === 1, { what: 'the upload to begin' });
    await storage.scheduler.grant(botId, 2);
    upload.send(body.subarray(200_000));
    expect(await upload.status()).toBe(403);
    expect(await stored()).toEqual([]);
    expect(await incoming()).toEqual([]);
  });

  test('cannot be taken over by an older number, but may request its own grant again', async () => {
    const second = await storage.scheduler.grant(botId, 5);
    await expect(storage.scheduler.grant(botId, 4)).rejects.toThrow('403');
    const again = await storage.scheduler.grant(botId, 5);
    expect((await second.put('a', content)).status).toBe(201);
    expect((await again.put('a', content)).status).toBe(201);
  });

  test('wins against any number of parallel requests, and exactly one grant stays good', async () => {
    const requested = await Promise.allSettled(
      Array.from({ length: 20 }, (_none, index) => storage.scheduler.grant(botId, index + 2)),
    );
    const holders = requested.flatMap((reply) => (reply.status === 'fulfilled' ? [reply.value] : []));
    const statuses = await Promise.all(
      holders.map(async (holder, index) => (await holder.put(`${index}.mp4`, content)).status),
    );
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(await stored()).toHaveLength(1);
  });
});

describe('requesting a grant', () => {
  const sendRequest = (over: object) =>
    storage.scheduler.post(internalCalls.storage.grantUpload.path, {
      botId: randomUUID(),
      teamId,
      fencing: 1,
      expiresAt: '2030-01-01T00:00:00.000Z',
      ...over,
    });

  test.each([
    ['a bot id that is none', { botId: 'b' }],
    ['a fencing number of 0', { fencing: 0 }],
    ['a fencing number over the range', { fencing: 2 ** 31 }],
    ['an expiry that is no instant', { expiresAt: 'tomorrow' }],
  ])('is refused with %s', async (_what, over) => {
    expect(await codeOf(await sendRequest(over))).toEqual(invalid);
  });

  test('is refused for a bot of another team, and leaves the grant of that team good', async () => {
    const reply = await sendRequest({ botId, teamId: randomUUID(), fencing: 9 });
    expect(await codeOf(reply)).toEqual(rejected);
    expect((await runner.put('a', Buffer.from('x'))).status).toBe(201);
  });

  test.each([
    ['another service', new Secret(internalSecret.reveal()), 'delivery'],
    ['a caller without the internal secret', new Secret('x'.repeat(40)), 'bot-scheduler'],
  ])('is refused to %s', async (_who, secret, name) => {
    const stranger = createService({ name, logLevel: 'silent', internalSecret: secret });
    const reply = await stranger.auth.fetch('storage-config', storage.url + internalCalls.storage.grantUpload.path, {
      method: 'POST',
    });
    expect(reply.status).toBe(401);
    await stranger.stop();
  });
});

describe('an upload', () => {
  test.each([
    ['without a hash', { 'x-content-sha256': '' }],
    ['with a hash that is none', { 'x-content-sha256': 'ABC' }],
  ])('is refused %s', async (_what, headers) => {
    expect(await codeOf(await runner.put('x', Buffer.from('x'), headers))).toEqual(invalid);
  });

  test('is refused when its content has another hash', async () => {
    const reply = await runner.put('x', Buffer.from('x'), { 'x-content-sha256': '0'.repeat(64) });
    expect(await codeOf(reply)).toEqual([400, 'FST_ERR_OBJECT_DIGEST']);
    expect(await stored()).toEqual([]);
    expect(await incoming()).toEqual([]);
  });

  test('is refused by its announced length before a byte is read', async () => {
    const upload = slowUpload(storage.url, 'x', Buffer.alloc(2_000_001));
    upload.send(Buffer.alloc(10));
    expect(await upload.status()).toBe(413);
  });

  test('without an announced length is refused as soon as it passes the limit, and the sender gets the reason', async () => {
    const upload = slowUpload(storage.url, 'x', null);
    upload.send(Buffer.alloc(1_000_000));
    upload.send(Buffer.alloc(1_500_000));
    expect(await upload.status()).toBe(413);
    await waitFor(() => upload.closed(), { what: 'the connection to end although the body never does' });
    expect(await stored()).toEqual([]);
    expect(await incoming()).toEqual([]);
  });

  test('whose sender disappears leaves nothing', async () => {
    const upload = slowUpload(storage.url, 'x', Buffer.alloc(1_000_000));
    upload.send(Buffer.alloc(500_000));
    await waitFor(async () => (await incoming()).length === 1, { what: 'the upload to begin' });
    upload.cut();
    await waitFor(async () => (await incoming()).length === 0, { what: 'the unfinished file to go' });
    expect(await stored()).toEqual([]);
  });

  test('whose sender falls silent is given up and leaves nothing', async () => {
    const upload = slowUpload(storage.url, 'x', Buffer.alloc(1_000_000));
    upload.send(Buffer.alloc(500_000));
    expect(await upload.status()).toBe(400);
    expect(await incoming()).toEqual([]);
    expect(await stored()).toEqual([]);
  });

  test('may take longer than the server allows other requests', async () => {
    const server = createServer(
      { requestTimeout: 1_000, headersTimeout: 1_000, connectionsCheckingInterval: 50 },
      storage.app,
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const body = randomBytes(1_000);
    const upload = slowUpload(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'slow.mp4', body);
    for (let start = 0; start < 1_000; start += 100) {
      upload.send(body.subarray(start, start + 100));
      // The duration is under test: longer than the server's limit in all.
      await sleep(130);
    }
    expect(await upload.status()).toBe(201);
    expect(await stored()).toEqual([`bots/${botId}/slow.mp4`]);
    server.close();
    server.closeAllConnections();
  });
});

/** A PUT over a bare socket, sent chunk by chunk. `body` null: chunked and without an end. */
function slowUpload(url: string, key: string, body: Buffer | null) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let reply = '';
  let closed = false;
  socket.on('data', (chunk) => (reply += String(chunk)));
  socket.on('error', () => undefined);
  socket.on('close', () => (closed = true));
  socket.write(
    [
      `PUT ${internalRoutes.grantObjects}/${key} HTTP/1.1`,
      'host: storage',
      `authorization: Bearer ${runner.grant}`,
      `x-content-sha256: ${sha256Of(body ?? Buffer.alloc(0))}`,
      body === null ? 'transfer-encoding: chunked' : `content-length: ${body.byteLength}`,
      '\r\n',
    ].join('\r\n'),
  );
  return {
    send: (bytes: Buffer) => {
      if (body === null) socket.write(`${bytes.byteLength.toString(16)}\r\n`);
      socket.write(bytes);
      if (body === null) socket.write('\r\n');
    },
    status: () =>
      waitFor(() => Number(/^HTTP\/1.1 (\d+)/.exec(reply)?.[1] ?? 0), { what: `an answer to the upload of ${key}` }),
    cut: () => socket.destroy(),
    closed: () => closed,
  };
}

function encoded(content: object): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

/** The same token with other claims and the old signature. */
function changed(grant: string, claims: object): string {
  const [header = '', payload = '', signature = ''] = grant.split('.');
  const old = JSON.parse(String(Buffer.from(payload, 'base64url'))) as object;
  return `${header}.${encoded({ ...old, ...claims })}.${signature}`;
}

import { createServer as createRawServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { createApp, createLogger, createService, sendFailures } from '@rapporteur/service-runtime';
import { doubtfulRequests, exchangeRaw, smuggledPath } from '@rapporteur/testbed';
import { startReceiver } from '@rapporteur/testbed/receiver';
import type { Receiver } from '@rapporteur/testbed/receiver';
import { refuseMalformedPaths } from '../contract/validator.ts';
import { consoleRoutes } from './console.routes.ts';

const service = createService({ name: 'api-gateway', logger: createLogger('api-gateway', 'silent') });
const seen: { url: string; host: string; cookie: string; body: string }[] = [];
let upstream: Receiver;
let url = '';
const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(async () => {
  upstream = await startReceiver(({ path, headers, body }, response) => {
    seen.push({ url: path, host: headers.host ?? '', cookie: headers.cookie ?? '', body: String(body) });
    response
      .writeHead(201, { 'content-type': 'text/html', 'set-cookie': 'a=1', 'keep-alive': 'timeout=1' })
      .end(`page ${path}`);
  });
  const app = createApp(service);
  app.use(refuseMalformedPaths);
  app.use(consoleRoutes(upstream.url));
  app.get('/', (_request, response) => void response.send('start page'));
  app.use(...sendFailures(service));
  ({ url } = await service.listen(app, { host: '127.0.0.1', port: 0 }));
});
afterAll(async () => {
  await service.stop();
  await upstream.close();
});

test('a browser that opens the address gets to the console, another client to the start page', async () => {
  await request(url).get('/').accept('text/html').expect(302).expect('location', '/console');
  await request(url).get('/').accept('text/plain').expect('start page');
});

test('requests below /console go to it as they are, with the host that the browser requested', async () => {
  const response = await request(url).post('/console/session?a=%2F').set('cookie', 'b=2').send('{}').expect(201);
  expect(response.text).toBe('page /console/session?a=%2F');
  expect(response.headers['set-cookie']).toEqual(['a=1']);
  const host = new URL(url).host;
  expect(seen.at(-1)).toEqual({ url: '/console/session?a=%2F', host, cookie: 'b=2', body: '{}' });
});

test('nothing else goes to it', async () => {
  const before = seen.length;
  await request(url).get('/consoles').expect(404);
  expect(seen).toHaveLength(before);
});

test('a body that is too large ends before it is sent whole', async () => {
  const response = await fetch(`${url}/console/session`, { method: 'POST', body: Buffer.alloc(6 * 1024 * 1024) });
  expect(response.status).toBe(413);
});

test('a body of unknown length that turns out too large ends too, and the service goes on', async () => {
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(Buffer.alloc(1024 * 1024)),
  });
  const sent = fetch(`${url}/console/session`, { method: 'POST', body, duplex: 'half' } as RequestInit);
  // The response may be lost when the connection closes before the body is sent.
  expect(
    await sent.then(
      ({ status }) => status,
      () => 413,
    ),
  ).toBe(413);
  await request(url).get('/console').expect(201);
});

describe('bytes that two servers may frame differently', () => {
  test.each(doubtfulRequests)('$name make one request, or none', async ({ bytes }) => {
    const before = seen.length;
    await exchangeRaw(url, bytes('/console/first'));
    const responses = await Promise.all(
      ['/console/second', '/console/third'].map((path) => request(url).get(path).expect(201)),
    );
    expect(responses.map(({ text }) => text)).toEqual(['page /console/second', 'page /console/third']);
    const urls = seen.slice(before).map((one) => one.url);
    expect(urls.filter((one) => one === smuggledPath)).toEqual([]);
    expect(urls.filter((one) => one === '/console/first').length).toBeLessThanOrEqual(1);
  });

  test.each(['GET', 'HEAD', 'OPTIONS'])('a body of %s is refused before the console receives it', async (method) => {
    const before = seen.length;
    const [first] = doubtfulRequests.filter(({ name }) => name === `${method} with a chunked body`);
    expect(await exchangeRaw(url, first?.bytes('/console/first') ?? '')).toMatch(/^HTTP\/1.1 400 /);
    expect(seen).toHaveLength(before);
  });

  test('the body of DELETE arrives with its length', async () => {
    await request(url).delete('/console/one').send({ a: 1 }).expect(201);
    expect(seen.at(-1)).toMatchObject({ url: '/console/one', body: '{"a":1}' });
  });

  test('an address of another server as the path is refused', async () => {
    const bytes = 'GET http://other.example/console HTTP/1.1\r\nHost: front\r\nConnection: close\r\n\r\n';
    expect(await exchangeRaw(url, bytes)).toMatch(/^HTTP\/1.1 400 /);
  });
});

describe('a response that is not one', () => {
  const good = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood';
  test.each([
    ['two responses', `${good}${good.replace('good', 'evil')}`, /^HTTP\/1.1 200 [^]*good$/],
    ['two lengths', good.replace('\r\n\r\n', '\r\nContent-Length: 2\r\n\r\n'), /^HTTP\/1.1 503 /],
    ['both lengths', good.replace('\r\n\r\n', '\r\nTransfer-Encoding: chunked\r\n\r\n'), /^HTTP\/1.1 503 /],
    ['a status of two digits', good.replace('200', '99'), /^HTTP\/1.1 503 /],
    ['a status beyond all', good.replace('200', '999'), /^HTTP\/1.1 (503|999) /],
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n\r\n', /^HTTP\/1.1 503 /],
    ['a header that is cut off', 'HTTP/1.1 200 OK\r\nContent-Le', /^HTTP\/1.1 503 /],
    ['a body that is cut off', good.replace('4', '400'), /^HTTP\/1.1 200 [^]*good$/],
    [
      'a chunk that is cut off',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\ngood',
      /^HTTP\/1.1 200 [^]*good\r\n$/,
    ],
    ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n', /^HTTP\/1.1 503 /],
    ['only an interim one', 'HTTP/1.1 103 Early Hints\r\n\r\n', /^HTTP\/1.1 503 /],
  ])('%s: no other request receives a part of it', async (_what, bytes, expected) => {
    const broken = createRawServer((socket) => {
      socket.on('error', () => undefined);
      // Early: before the body of the request is there.
      socket.once('data', () => socket.end(bytes, 'latin1'));
    });
    await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', () => resolve()));
    const app = createApp(service);
    app.use(consoleRoutes(addressOf(broken)));
    app.use(...sendFailures(service));
    const front = await service.listen(app, { host: '127.0.0.1', port: 0 });
    const sent = 'POST /console/a HTTP/1.1\r\nHost: front\r\nContent-Length: 2\r\nConnection: close\r\n\r\nab';
    for (let turn = 0; turn < 2; turn += 1) expect(await exchangeRaw(front.url, sent)).toMatch(expected);
    broken.close();
  });
});

test('a console that is away is an error with a sentence, and the rest goes on', async () => {
  await upstream.close();
  const response = await request(url).get('/console').expect(503);
  expect(response.body).toMatchObject({ code: 'FST_ERR_UNAVAILABLE' });
  await request(url).get('/').expect(200);
});

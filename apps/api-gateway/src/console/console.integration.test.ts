import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import request from 'supertest';
import { createApp, createLogger, createReverseProxy, createService, sendFailures } from '@rapporteur/service-runtime';
import { consoleRoutes } from './console.routes.ts';

const service = createService({ name: 'api-gateway', logger: createLogger('api-gateway', 'silent') });
const proxy = createReverseProxy();
const seen: { url: string; host: string; cookie: string; body: string }[] = [];
const upstream = createServer((received, response) => {
  let body = '';
  received.on('data', (chunk: Buffer) => (body += String(chunk)));
  received.once('end', () => {
    const { url = '', headers } = received;
    seen.push({ url, host: headers.host ?? '', cookie: headers.cookie ?? '', body });
    response
      .writeHead(201, { 'content-type': 'text/html', 'set-cookie': 'a=1', 'keep-alive': 'timeout=1' })
      .end('page');
  });
});
let url = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', () => resolve()));
  const app = createApp(service);
  app.use(consoleRoutes({ url: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`, proxy }));
  app.get('/', (_request, response) => void response.send('start page'));
  app.use(...sendFailures(service));
  ({ url } = await service.listen(app, { host: '127.0.0.1', port: 0 }));
});
afterAll(async () => {
  proxy.close();
  await service.stop();
  upstream.closeAllConnections();
  upstream.close();
});

test('a browser that opens the address gets to the console, another client to the start page', async () => {
  await request(url).get('/').accept('text/html').expect(302).expect('location', '/console');
  await request(url).get('/').accept('text/plain').expect('start page');
});

test('requests below /console go to it as they are, with the host that the browser requested', async () => {
  const answer = await request(url).post('/console/session?a=%2F').set('cookie', 'b=2').send('{}').expect(201, 'page');
  expect(answer.headers['set-cookie']).toEqual(['a=1']);
  const host = new URL(url).host;
  expect(seen.at(-1)).toEqual({ url: '/console/session?a=%2F', host, cookie: 'b=2', body: '{}' });
});

test('nothing else goes to it', async () => {
  const before = seen.length;
  await request(url).get('/consoles').expect(404);
  expect(seen).toHaveLength(before);
});

test('a body that is too large ends before it is sent whole', async () => {
  const answer = await fetch(`${url}/console/session`, { method: 'POST', body: Buffer.alloc(6 * 1024 * 1024) });
  expect(answer.status).toBe(413);
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

test('a console that is away is an error with a sentence, and the rest goes on', async () => {
  await new Promise<void>((resolve) => {
    upstream.close(() => resolve());
    upstream.closeAllConnections();
  });
  const answer = await request(url).get('/console').expect(503);
  expect(answer.body).toMatchObject({ code: 'FST_ERR_UNAVAILABLE' });
  await request(url).get('/').expect(200);
});

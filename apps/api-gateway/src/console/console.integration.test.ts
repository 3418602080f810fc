import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createApp, createLogger, createReverseProxy, createService, sendFailures } from '@rapporteur/service-runtime';
import { consoleRoutes } from './console.routes.ts';

const service = createService({ name: 'api-gateway', logger: createLogger('api-gateway', 'silent') });
const proxy = createReverseProxy();
const seen: { url: string; host: string; cookie: string; body: string }[] = [];
const upstream = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += String(chunk)));
  request.once('end', () => {
    const { url = '', headers } = request;
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
  const browser = await fetch(url, { headers: { accept: 'text/html' }, redirect: 'manual' });
  expect([browser.status, browser.headers.get('location')]).toEqual([302, '/console']);
  expect(await (await fetch(url, { headers: { accept: 'text/plain' } })).text()).toBe('start page');
});

test('requests below /console go to it as they are, with the host that the browser requested', async () => {
  const answer = await fetch(`${url}/console/session?a=%2F`, {
    method: 'POST',
    body: '{}',
    headers: { cookie: 'b=2' },
  });
  expect([answer.status, await answer.text(), answer.headers.get('set-cookie')]).toEqual([201, 'page', 'a=1']);
  const host = new URL(url).host;
  expect(seen.at(-1)).toEqual({ url: '/console/session?a=%2F', host, cookie: 'b=2', body: '{}' });
});

test('nothing else goes to it', async () => {
  const before = seen.length;
  expect((await fetch(`${url}/consoles`)).status).toBe(404);
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
  // The response may be lost when the connection ends before the body does.
  expect(
    await sent.then(
      ({ status }) => status,
      () => 413,
    ),
  ).toBe(413);
  expect((await fetch(`${url}/console`)).status).toBe(201);
});

test('a console that is away is an error with a sentence, and the rest goes on', async () => {
  await new Promise<void>((resolve) => {
    upstream.close(() => resolve());
    upstream.closeAllConnections();
  });
  const answer = await fetch(`${url}/console`);
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([503, 'FST_ERR_UNAVAILABLE']);
  expect((await fetch(url)).status).toBe(200);
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import type { OutboundHttpOptions, OutboundMessage, OutboundSocket, OutboundSocketRequest } from './index.ts';
import { refusalSentence } from './outbound-failure.ts';
import { certificateFor } from './testing/certificate.ts';
import { hostileHosts } from './testing/hostile-urls.ts';
import { failureOf, LoopbackHarness } from './testing/loopback-harness.ts';

const harness = new LoopbackHarness();
const listening = harness.listening.bind(harness);
const client = harness.client.bind(harness);
const folder = mkdtempSync(join(tmpdir(), 'rapporteur-sockets-'));
afterAll(() => {
  harness.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A WebSocket server that passes each connection to the test. */
async function receiver(onConnection: (socket: WebSocket, headers: IncomingHttpHeaders) => void): Promise<number> {
  const server = createServer();
  const sink = new WebSocketServer({ server, autoPong: true });
  sink.on('connection', (socket, request) => {
    socket.on('error', () => undefined);
    onConnection(socket, request.headers);
  });
  return await listening(server);
}

const call = (url: string, more: Partial<OutboundSocketRequest> = {}): OutboundSocketRequest => ({
  url,
  timeoutMs: 30_000,
  maxMessageBytes: 10_000,
  ...more,
});

function nextMessage(socket: OutboundSocket): Promise<OutboundMessage> {
  return new Promise((resolve) => socket.onMessage(resolve));
}

describe('a WebSocket to a name that leads inside', () => {
  let accepted = 0;
  let port = 0;
  beforeAll(async () => {
    const canary = createTcpServer((socket) => {
      accepted += 1;
      socket.destroy();
    });
    port = await listening(canary, '0.0.0.0');
  });

  test('is not opened by any hostile form of the host, on a port where something listens everywhere', async () => {
    const outbound = client({ allow: [], lookup: () => Promise.resolve(['127.0.0.1']) });
    for (const host of hostileHosts) {
      for (const scheme of ['ws', 'wss']) {
        await expect(outbound.connectSocket(call(`${scheme}://${host}:${port}/`))).rejects.toMatchObject({
          message: refusalSentence,
        });
      }
    }
    expect(accepted).toBe(0);
  });

  test.each([
    ['a private address', ['10.0.0.1']],
    ['loopback mapped into IPv6', ['::ffff:127.0.0.1']],
    ['the metadata service', ['169.254.169.254']],
    ['one public and one inside address', ['93.184.216.34', '127.0.0.1']],
    ['no address', []],
  ])('is not opened with %s behind the name', async (_what, responses) => {
    const outbound = client({ allow: [], lookup: () => Promise.resolve(responses) });
    const failure = await failureOf(outbound.connectSocket(call(`ws://stream.example.com:${port}/`)));
    expect(failure.message).toBe(refusalSentence);
    expect(accepted).toBe(0);
  });

  test('is not opened by a name server that changes its response', async () => {
    let requested = 0;
    const hit = await receiver((socket) => socket.send('outside'));
    const outbound = client({
      allow: [`127.0.0.1:${hit}`],
      lookup: () => Promise.resolve(requested++ === 0 ? ['127.0.0.1'] : ['127.0.0.2']),
    });
    const socket = await outbound.connectSocket(call(`ws://rebind.example.com:${hit}/`));
    expect(await nextMessage(socket)).toBe('outside');
    expect(requested).toBe(1);
    await socket.close();
    const failure = await failureOf(outbound.connectSocket(call(`ws://rebind.example.com:${port}/`)));
    expect(failure.kind).toBe('address-refused');
    expect(accepted).toBe(0);
  });

  test.each([301, 302, 303, 307, 308])(
    'is not followed to by a %i redirect, which is returned as it is',
    async (status) => {
      const endpoint: RequestListener = (_request, response) =>
        void response.writeHead(status, { location: `ws://127.0.0.1:${port}/` }).end();
      const server = createServer(endpoint);
      server.on('upgrade', (_request, socket) => {
        socket.end(`HTTP/1.1 ${status} Moved\r\nLocation: http://127.0.0.1:${port}/\r\nContent-Length: 0\r\n\r\n`);
      });
      const failure = await failureOf(client().connectSocket(call(`ws://127.0.0.1:${await listening(server)}/`)));
      expect(failure).toMatchObject({ kind: 'protocol', message: expect.stringContaining(String(status)) });
      expect(accepted).toBe(0);
    },
  );

  test('is not opened through a proxy that the environment names', async () => {
    const hit = await receiver((socket) => socket.send('direct'));
    const program = `
      import { createOutboundHttp } from ${JSON.stringify(join(import.meta.dirname, 'index.ts'))};
      const outbound = createOutboundHttp({ allow: ['loopback'], requireHttps: false });
      const socket = await outbound.connectSocket({ url: 'ws://127.0.0.1:${hit}/', timeoutMs: 30_000, maxMessageBytes: 100 });
      socket.onMessage((message) => { console.log(message); void socket.close(); });`;
    const proxy = `http://127.0.0.1:${port}`;
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program],
      { env: { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy, http_proxy: proxy, ALL_PROXY: proxy, WS_PROXY: proxy } },
    );
    const [output] = (await once(child.stdout, 'data')) as [Buffer];
    expect(output.toString().trim()).toBe('direct');
    expect(accepted).toBe(0);
  });

  test('needs wss where the operator configures it, and one of the two schemes always', async () => {
    const outbound = client({ allow: [], requireHttps: true });
    await expect(outbound.connectSocket(call('ws://stream.example.com/'))).rejects.toThrow('must start with wss://');
    await expect(outbound.connectSocket(call('https://stream.example.com/'))).rejects.toThrow('ws or wss');
    await expect(outbound.connectSocket(call('ws+unix:///var/run/docker.sock'))).rejects.toThrow('ws or wss');
    await expect(outbound.connectSocket(call('wss://stream.example.com/#x'))).rejects.toThrow('#');
    expect(() => outbound.checkUrl('wss://stream.example.com/', 'socket')).not.toThrow();
    expect(() => outbound.checkUrl('wss://stream.example.com/')).toThrow('http or https');
  });
});

describe('an open WebSocket', () => {
  test('carries text and bytes both ways, uncompressed, with the headers it was given', async () => {
    const seen: { headers: IncomingHttpHeaders; got: [boolean, string][] } = { headers: {}, got: [] };
    const port = await receiver((socket, headers) => {
      seen.headers = headers;
      socket.on('message', (data: Buffer, isBinary) => {
        seen.got.push([isBinary, data.toString()]);
        socket.send(isBinary ? Buffer.from([1, 2]) : 'back');
      });
    });
    const socket = await client().connectSocket(call(`ws://localhost:${port}/a?b=c`, { headers: { 'x-mine': 'yes' } }));
    const first = nextMessage(socket);
    expect(socket.send('there')).toBe(true);
    expect(await first).toBe('back');
    const second = nextMessage(socket);
    expect(socket.send(Buffer.from('bytes'))).toBe(true);
    expect(await second).toEqual(Buffer.from([1, 2]));
    expect(seen.got).toEqual([
      [false, 'there'],
      [true, 'bytes'],
    ]);
    expect(seen.headers).toMatchObject({ 'x-mine': 'yes', host: `localhost:${port}` });
    expect(seen.headers['sec-websocket-extensions']).toBeUndefined();
    await socket.close();
    expect(await socket.ended).toMatchObject({ why: 'closed-by-us' });
    expect(socket.send('late')).toBe(false);
  });

  test('states who ended it, and with which code', async () => {
    const port = await receiver((socket) => socket.close(4_001, 'bye'));
    const socket = await client().connectSocket(call(`ws://127.0.0.1:${port}/`));
    expect(await socket.ended).toEqual({ why: 'closed-by-them', code: 4_001 });
  });

  test('takes no more than fits when the other side stops reading', async () => {
    const port = await receiver((socket) => socket.pause());
    const socket = await client().connectSocket(call(`ws://127.0.0.1:${port}/`, { maxWaitingBytes: 200_000 }));
    let sent = 0;
    while (socket.send(Buffer.alloc(50_000)) && sent < 1_000) sent += 1;
    expect(sent).toBeLessThan(1_000);
    expect(socket.waitingBytes).toBeLessThanOrEqual(200_000);
    await socket.close();
  });

  test('ends when the other side sends more than a message may hold', async () => {
    const port = await receiver((socket) => socket.send(Buffer.alloc(10_001)));
    const socket = await client().connectSocket(call(`ws://127.0.0.1:${port}/`));
    expect(await socket.ended).toMatchObject({ why: 'too-large' });
  });

  test('ends when the peer no longer responds, though its connection is open', async () => {
    const port = await receiver((socket) => socket.pause());
    const socket = await client().connectSocket(call(`ws://127.0.0.1:${port}/`, { pingEveryMs: 50 }));
    expect(await socket.ended).toMatchObject({ why: 'no-response' });
  });

  test('stays open while the peer responds, and responds to it', async () => {
    const [pings, pongs] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const port = await receiver((socket) => {
      let rounds = 0;
      socket.on('pong', () => ((rounds += 1) === 3 ? pongs.resolve() : socket.ping()));
      socket.ping();
      let received = 0;
      socket.on('ping', () => (received += 1) === 3 && pings.resolve());
    });
    const socket = await client().connectSocket(call(`ws://127.0.0.1:${port}/`, { pingEveryMs: 200 }));
    await Promise.all([pings.promise, pongs.promise]);
    expect(socket.send('still there')).toBe(true);
    await socket.close();
  });

  test('is closed within a second although the peer sends no close frame', async () => {
    const port = await receiver((socket) => socket.pause());
    const socket = await client().connectSocket(call(`ws://127.0.0.1:${port}/`));
    const startedAt = performance.now();
    await Promise.all([socket.close(), socket.close()]);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});

describe('an address that accepts no WebSocket', () => {
  test.each<[string, RequestListener, string]>([
    ['answers as a web page', (_request, response) => void response.end('hello'), '200'],
    ['knows no such path', (_request, response) => void response.writeHead(404).end(), '404'],
  ])('because it %s fails in plain words', async (_what, reply, words) => {
    const port = await listening(createServer(reply));
    const failure = await failureOf(client().connectSocket(call(`ws://127.0.0.1:${port}/secret-path?key=secret`)));
    expect(failure).toMatchObject({ kind: 'protocol', message: expect.stringContaining(words) });
    expect(JSON.stringify(failure) + failure.message + failure.stack).not.toContain('secret');
  });

  test.each([
    [
      'promises another protocol',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n',
      'protocol',
    ],
    ['speaks no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'protocol'],
    ['has headers larger than 16 KiB', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 'protocol'],
  ])('because it %s is a failure', async (_what, bytes, kind) => {
    const port = await listening(
      createTcpServer((socket) => void socket.on('error', () => undefined).once('data', () => socket.end(bytes))),
    );
    expect((await failureOf(client().connectSocket(call(`ws://127.0.0.1:${port}/`)))).kind).toBe(kind);
  });

  test('because nothing listens there, it never responds, or the request is aborted', async () => {
    expect((await failureOf(client().connectSocket(call('ws://127.0.0.1:1/')))).kind).toBe('connect');
    const port = await listening(createTcpServer((socket) => void socket.on('error', () => undefined)));
    const slow = await failureOf(client().connectSocket(call(`ws://127.0.0.1:${port}/`, { timeoutMs: 200 })));
    expect(slow.kind).toBe('timeout');
    const stop = new AbortController();
    const pending = failureOf(client().connectSocket(call(`ws://127.0.0.1:${port}/`, { signal: stop.signal })));
    stop.abort();
    expect((await pending).kind).toBe('cancelled');
    const late = await failureOf(client().connectSocket(call(`ws://127.0.0.1:${port}/`, { signal: stop.signal })));
    expect(late.kind).toBe('cancelled');
  });
});

test('over TLS a certificate must hold for the name, and the further authorities count', async () => {
  const certificate = certificateFor('stream.example.com');
  const caFile = join(folder, 'authority.pem');
  writeFileSync(caFile, certificate.cert);
  const server = createSecureServer(certificate);
  new WebSocketServer({ server }).on('connection', (socket) => socket.send('secure'));
  const port = await listening(server);
  const connect = (host: string, options: Partial<OutboundHttpOptions>) =>
    client({ requireHttps: true, lookup: () => Promise.resolve(['127.0.0.1']), ...options }).connectSocket(
      call(`wss://${host}:${port}/`),
    );
  const socket = await connect('stream.example.com', { caFile });
  expect(await nextMessage(socket)).toBe('secure');
  await socket.close();
  expect((await failureOf(connect('stream.example.com', {}))).message).toContain('signed by itself');
  expect((await failureOf(connect('other.example.com', { caFile }))).message).toContain('for another host name');
  expect((await failureOf(connect('127.0.0.1', { caFile }))).message).toContain('for another host name');
});

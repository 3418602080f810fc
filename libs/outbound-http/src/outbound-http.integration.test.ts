import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { OutboundRequest } from './index.ts';
import { refusalSentence } from './outbound-failure.ts';
import { hostileHosts } from './testing/hostile-urls.ts';
import { failureOf, LoopbackHarness } from './testing/loopback-harness.ts';

const harness = new LoopbackHarness();
const listening = harness.listening.bind(harness);
const client = harness.client.bind(harness);
afterAll(() => harness.close());

async function receiver(reply: RequestListener, host = '127.0.0.1', port = 0): Promise<number> {
  return listening(createServer(reply), host, port);
}

const post = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url,
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-secret': 'canary-secret' },
  body: Buffer.from('{"word":"canary-body"}'),
  timeoutMs: 30_000,
  maxResponseBytes: 1_000,
  ...more,
});

describe('a body that is streamed', () => {
  const bodyOf = (chunks: AsyncIterable<Buffer>, byteLength: number) => ({
    byteLength,
    stream: Readable.from(chunks),
  });

  test('is sent while it is read, with its length', async () => {
    let first!: () => void;
    const arrived = new Promise<void>((resolve) => (first = resolve));
    const port = await receiver((request, response) => {
      let bytes = 0;
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.byteLength;
        first();
      });
      request.on('end', () => response.end(`${bytes} of ${request.headers['content-length']}`));
    });
    const chunks = async function* () {
      yield Buffer.alloc(5);
      await arrived;
      yield Buffer.alloc(7);
    };
    const body = bodyOf(chunks(), 12);
    const { bodyPrefix } = await client().request(post(`http://127.0.0.1:${port}/`, { body }));
    expect(bodyPrefix.toString()).toBe('12 of 12');
  });

  test('ends with the request: by a refusal before its end, and where no connection is opened', async () => {
    const port = await receiver((_request, response) => void response.writeHead(413).end('too large'));
    const endless = async function* () {
      for (;;) yield Buffer.alloc(65_536);
    };
    const refused = bodyOf(endless(), 1e12);
    expect((await client().request(post(`http://127.0.0.1:${port}/`, { body: refused }))).status).toBe(413);
    expect(refused.stream.destroyed).toBe(true);
    const unsent = bodyOf(endless(), 1e12);
    expect((await failureOf(client().request(post('http://127.0.0.1:1/', { body: unsent })))).kind).toBe('connect');
    expect(unsent.stream.destroyed).toBe(true);
  });
});

describe('a name that leads inside', () => {
  let accepted = 0;
  let port = 0;
  beforeAll(async () => {
    const canary = createTcpServer((socket) => {
      accepted += 1;
      socket.destroy();
    });
    port = await listening(canary, '0.0.0.0');
  });

  test.each([
    ['a private address', ['10.0.0.1']],
    ['loopback', ['127.0.0.1']],
    ['loopback in IPv6', ['::1']],
    ['loopback mapped into IPv6', ['::ffff:127.0.0.1']],
    ['any address', ['0.0.0.0']],
    ['the metadata service', ['169.254.169.254']],
    ['a NAT64 form of loopback', ['64:ff9b::7f00:1']],
    ['a NAT64 form of the metadata service', ['64:ff9b::a9fe:a9fe']],
    ['a local NAT64 form of a public address', ['64:ff9b:1::808:808']],
    ['a 6to4 form of loopback', ['2002:7f00:1::']],
    ['one public and one inside address', ['93.184.216.34', '127.0.0.1']],
    ['many public addresses and one inside', ['93.184.216.34', '2606:2800:220:1::1', 'fd00::1']],
    ['no address', []],
    ['text that is no address', ['localhost']],
    ['an address with a zone', ['fe80::1%lo']],
  ])('with %s behind it is refused and nothing is connected', async (_what, responses) => {
    const outbound = client({ allow: [], lookup: () => Promise.resolve(responses) });
    const failure = await failureOf(outbound.request(post(`http://hook.example.com:${port}/`)));
    expect(['address-refused', 'dns']).toContain(failure.kind);
    expect(failure.message).toBe(refusalSentence);
    expect(accepted).toBe(0);
  });

  test('looks to the customer exactly like a name that does not exist', async () => {
    const missing = Object.assign(new Error('queryA ENOTFOUND db.example.com'), { code: 'ENOTFOUND' });
    const inside = client({ allow: [], lookup: () => Promise.resolve(['10.0.0.1']) });
    const nowhere = client({ allow: [], lookup: () => Promise.reject(missing) });
    const failures = await Promise.all(
      [inside, nowhere].map((outbound) => failureOf(outbound.request(post('http://db.example.com/')))),
    );
    expect(failures.map((failure) => failure.kind)).toEqual(['address-refused', 'dns']);
    expect(failures[0]?.message).toBe(failures[1]?.message);
  });

  test('is not reached by any hostile form of the host, on a port where something listens everywhere', async () => {
    const outbound = client({ allow: [], lookup: () => Promise.resolve(['127.0.0.1']) });
    for (const host of hostileHosts) {
      await expect(outbound.request(post(`http://${host}:${port}/`))).rejects.toMatchObject({
        message: refusalSentence,
      });
    }
    expect(accepted).toBe(0);
  });

  test('gains nothing by changing its response: it is queried once, and only that address is connected to', async () => {
    let requested = 0;
    const hit = await receiver((_request, response) => response.end('outside'), '127.0.0.2');
    const outbound = client({
      allow: ['127.0.0.2'],
      lookup: () => Promise.resolve(requested++ === 0 ? ['127.0.0.2'] : ['127.0.0.1']),
    });
    const reply = await outbound.request(post(`http://rebind.example.com:${hit}/`));
    expect(reply.bodyPrefix.toString()).toBe('outside');
    expect(requested).toBe(1);
    const failure = await failureOf(outbound.request(post(`http://rebind.example.com:${port}/`)));
    expect(failure.kind).toBe('address-refused');
    expect(accepted).toBe(0);
  });

  test('is not reached over plain http when only https may leave, even through a listed name rule for another port', async () => {
    const outbound = client({
      allow: ['127.0.0.1:1', 'localhost.example.com:1'],
      requireHttps: true,
      lookup: () => Promise.resolve(['127.0.0.1']),
    });
    await expect(outbound.request(post(`http://localhost.example.com:${port}/`))).rejects.toThrow('https');
    const secure = await failureOf(outbound.request(post(`https://localhost.example.com:${port}/`)));
    expect(secure.kind).toBe('address-refused');
    expect(accepted).toBe(0);
  });

  test.each([301, 302, 303, 307, 308])(
    'is not followed to by a %i redirect, which comes back as it is',
    async (status) => {
      const endpoint = await receiver((_request, response) => {
        response.writeHead(status, { location: `http://127.0.0.1:${port}/` }).end('moved');
      });
      const reply = await client().request(post(`http://127.0.0.1:${endpoint}/`));
      expect(reply.status).toBe(status);
      expect(reply.headers.location).toContain(String(port));
      expect(accepted).toBe(0);
    },
  );

  test('is not reached through a proxy that the environment names', async () => {
    const hit = await receiver((_request, response) => response.end('direct'));
    const program = `
      import { createOutboundHttp } from ${JSON.stringify(join(import.meta.dirname, 'index.ts'))};
      const outbound = createOutboundHttp({ allow: ['loopback'], requireHttps: false });
      const answer = await outbound.request({ url: 'http://127.0.0.1:${hit}/', method: 'GET', headers: {}, timeoutMs: 30_000, maxResponseBytes: 100 });
      console.log(answer.bodyPrefix.toString());
      outbound.close();`;
    const proxy = `http://127.0.0.1:${port}`;
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program],
      {
        env: { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy, http_proxy: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy },
      },
    );
    const [output] = (await once(child.stdout, 'data')) as [Buffer];
    expect(output.toString().trim()).toBe('direct');
    expect(accepted).toBe(0);
  });
});

describe('a receiver', () => {
  test('gets the bytes and headers as given, and its response comes back with what it took', async () => {
    const seen: { headers: IncomingMessage['headers']; body: string }[] = [];
    const port = await receiver(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      seen.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(202, { 'x-response': 'yes' }).end('thanks');
    });
    const reply = await client().request(post(`http://localhost:${port}/hook?a=1`));
    expect(reply).toMatchObject({ status: 202, headers: { 'x-response': 'yes' }, durationMs: expect.any(Number) });
    expect(reply.bodyPrefix.toString()).toBe('thanks');
    expect(seen).toMatchObject([
      { body: '{"word":"canary-body"}', headers: { 'x-secret': 'canary-secret', host: `localhost:${port}` } },
    ]);
  });

  test('keeps its connection for the next request to the same host and port only', async () => {
    const remotes = new Set<number>();
    const reply: RequestListener = (request, response) => {
      remotes.add(request.socket.remotePort ?? 0);
      response.end('ok');
    };
    const [one, two] = [await receiver(reply), await receiver(reply)];
    const outbound = client();
    for (const port of [one, one, one]) await outbound.request(post(`http://127.0.0.1:${port}/`));
    expect(remotes.size).toBe(1);
    await outbound.request(post(`http://127.0.0.1:${two}/`));
    await outbound.request(post(`http://localhost:${one}/`));
    expect(remotes.size).toBe(3);
  });

  test('that closed a kept connection gets the request again on a fresh one', async () => {
    let kept: Socket | undefined;
    let requests = 0;
    const port = await receiver((request, response) => {
      requests += 1;
      if (request.socket === kept) return void request.socket.resetAndDestroy();
      kept = request.socket;
      return void response.end('ok');
    });
    const outbound = client();
    await outbound.request(post(`http://127.0.0.1:${port}/`));
    const reply = await outbound.request(post(`http://127.0.0.1:${port}/`));
    expect(reply.status).toBe(200);
    expect(requests).toBe(3);
  });
});

describe('the deadline', () => {
  const trickle = async (response: ServerResponse): Promise<void> => {
    while (!response.destroyed) {
      response.write('.');
      await pause(20);
    }
  };

  test.each<[string, RequestListener]>([
    ['never responds', () => undefined],
    ['sends headers and then nothing', (_request, response) => response.writeHead(200).flushHeaders()],
    ['sends its body drop by drop', (_request, response) => void trickle(response.writeHead(200))],
    [
      'sends a promise of more and stops',
      (_request, response) => void response.writeHead(200, { 'content-length': '50' }).write('x'),
    ],
  ])('ends a request to a receiver that %s', async (_what, reply) => {
    const port = await receiver(reply);
    const startedAt = performance.now();
    const failure = await failureOf(client().request(post(`http://127.0.0.1:${port}/`, { timeoutMs: 300 })));
    expect(failure.kind).toBe('timeout');
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  test('holds for a receiver that accepts and sends headers one by one without end', async () => {
    const port = await listening(
      createTcpServer((socket) => {
        socket.on('error', () => undefined);
        socket.write('HTTP/1.1 200 OK\r\n');
        const timer = setInterval(() => socket.write('x: y\r\n'), 20);
        socket.on('close', () => clearInterval(timer));
      }),
      '127.0.0.1',
    );
    const failure = await failureOf(client().request(post(`http://127.0.0.1:${port}/`, { timeoutMs: 300 })));
    expect(failure.kind).toBe('timeout');
  });

  test('holds for a name server that never responds', async () => {
    const outbound = client({ allow: [], lookup: () => new Promise(() => undefined) });
    const failure = await failureOf(outbound.request(post('http://slow.example.com/', { timeoutMs: 200 })));
    expect(failure.kind).toBe('timeout');
  });

  test('can be cut short by the caller', async () => {
    const port = await receiver(() => undefined);
    const stop = new AbortController();
    const pending = failureOf(client().request(post(`http://127.0.0.1:${port}/`, { signal: stop.signal })));
    stop.abort();
    expect((await pending).kind).toBe('cancelled');
    const late = await failureOf(client().request(post(`http://127.0.0.1:${port}/`, { signal: stop.signal })));
    expect(late.kind).toBe('cancelled');
  });
});

describe('a response that does not fit', () => {
  const endless: RequestListener = (_request, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    };
    response.on('drain', more).on('error', () => undefined);
    more();
  };

  test('because it is too large is a failure, and no more of it is read', async () => {
    const port = await receiver(endless);
    const failure = await failureOf(client().request(post(`http://127.0.0.1:${port}/`)));
    expect(failure.kind).toBe('too-large');
  });

  test('because it is too large is cut where the caller wants only its beginning', async () => {
    const port = await receiver(endless);
    const reply = await client().request(post(`http://127.0.0.1:${port}/`, { whenTooLarge: 'cut' }));
    expect(reply).toMatchObject({ status: 200 });
    expect(reply.bodyPrefix.byteLength).toBe(1_000);
  });

  test('because the connection closes in the middle is a failure', async () => {
    const port = await receiver((request, response) => {
      response.writeHead(200, { 'content-length': '500' });
      response.write('half', () => request.socket.destroy());
    });
    expect((await failureOf(client().request(post(`http://127.0.0.1:${port}/`)))).kind).toBe('closed');
  });

  test.each([
    ['is no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'protocol'],
    ['has headers larger than 16 KiB', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 'protocol'],
    ['is empty', '', 'closed'],
  ])('because it %s is a failure', async (_what, bytes, kind) => {
    const port = await listening(
      createTcpServer((socket) => void socket.on('error', () => undefined).once('data', () => socket.end(bytes))),
      '127.0.0.1',
    );
    expect((await failureOf(client().request(post(`http://127.0.0.1:${port}/`)))).kind).toBe(kind);
  });

  test('because nothing listens there, or it speaks no TLS, states which of the two in plain words', async () => {
    const port = await receiver((_request, response) => response.end());
    const plain = await failureOf(client().request(post(`https://127.0.0.1:${port}/`)));
    expect(plain).toMatchObject({ kind: 'tls', message: expect.stringContaining('secure connection failed') });
    const gone = await failureOf(client().request(post('http://127.0.0.1:1/')));
    expect(gone).toMatchObject({ kind: 'connect', reason: 'ECONNREFUSED' });
  });

  test('never puts headers, body or address into the failure', async () => {
    const port = await listening(
      createTcpServer((socket) => void socket.on('error', () => undefined).once('data', (bytes) => socket.end(bytes))),
      '127.0.0.1',
    );
    const failure = await failureOf(client().request(post(`http://127.0.0.1:${port}/canary-path?key=canary-query`)));
    expect(failure.kind).toBe('protocol');
    const everything = `${JSON.stringify(failure)} ${failure.message} ${failure.stack ?? ''} ${String(failure.cause)}`;
    expect(everything).not.toMatch(/canary|127\.0\.0\.1/);
  });
});

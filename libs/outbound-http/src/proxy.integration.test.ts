import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer, request as requestSecure } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { WebSocketServer } from 'ws';
import { useProxyForFetch } from './index.ts';
import type { OutboundHttp, ProxySettings } from './index.ts';
import { refusalSentence } from './outbound-failure.ts';
import { certificateFor } from './testing/certificate.ts';
import { startConnectProxy } from './testing/connect-proxy.ts';
import type { ConnectProxy } from './testing/connect-proxy.ts';
import { failureOf, LoopbackHarness } from './testing/loopback-harness.ts';

const harness = new LoopbackHarness();
const folder = mkdtempSync(join(tmpdir(), 'rapporteur-proxy-'));
const caFile = join(folder, 'authority.pem');
const certificate = certificateFor('hooks.example.com');
let proxy: ConnectProxy;
let port = 0;
let plainPort = 0;
/** Names that a client resolved itself. */
let resolved: string[] = [];

beforeAll(async () => {
  writeFileSync(caFile, certificate.cert);
  proxy = await startConnectProxy();
  const secure = createSecureServer(certificate, (_request, response) => void response.end('secure'));
  new WebSocketServer({ server: secure }).on('connection', (socket) => socket.send('hello'));
  port = await harness.listening(secure);
  plainPort = await harness.listening(createServer((_request, response) => void response.end('plain')));
});
afterAll(async () => {
  harness.close();
  await proxy.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  proxy.requests.length = 0;
  proxy.answer = 200;
  resolved = [];
});

function client(exceptions: readonly string[] = [], over: Partial<ProxySettings> = {}): OutboundHttp {
  return harness.client({
    allow: ['loopback'],
    caFile,
    lookup: async (host) => {
      resolved.push(host);
      return ['127.0.0.1'];
    },
    proxy: { http: proxy.url, https: proxy.url, exceptions, ...over },
  });
}
const get = (url: string) => ({ url, method: 'GET', headers: {}, timeoutMs: 30_000, maxResponseBytes: 100 }) as const;

describe('with a proxy', () => {
  test('https and wss go through a tunnel, with the TLS of the receiver, and the proxy resolves the name', async () => {
    const outbound = client();
    for (let count = 0; count < 2; count += 1)
      expect((await outbound.request(get(`https://hooks.example.com:${port}/`))).bodyPrefix.toString()).toBe('secure');
    const request = { url: `wss://hooks.example.com:${port}/`, timeoutMs: 30_000, maxMessageBytes: 100 };
    const socket = await outbound.connectSocket(request);
    expect(await new Promise((resolve) => socket.onMessage(resolve))).toBe('hello');
    await socket.close();
    const tunnel = `CONNECT hooks.example.com:${port}`;
    // The second request used the connection of the first.
    expect({ requests: proxy.requests, resolved }).toEqual({ requests: [tunnel, tunnel], resolved: [] });
  });

  test('a client library with its agents goes through it, too', async () => {
    const { secure } = client().agents();
    const status = await new Promise((resolve, reject) => {
      const options = { host: 'hooks.example.com', port, agent: secure };
      requestSecure(options, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
    secure.destroy();
    expect({ status, requests: proxy.requests }).toEqual({
      status: 200,
      requests: [`CONNECT hooks.example.com:${port}`],
    });
  });

  test('plain http is forwarded', async () => {
    const url = `http://hooks.example.com:${plainPort}/path?a=1`;
    expect((await client().request(get(url))).bodyPrefix.toString()).toBe('plain');
    expect({ requests: proxy.requests, resolved }).toEqual({ requests: [`GET ${url}`], resolved: [] });
  });

  test.each([
    ['the name', 'hooks.example.com', ['hooks.example.com']],
    ['the name and port', 'hooks.example.com', ['PORT']],
    ['the names below another', 'hooks.example.com', ['.example.com']],
    ['loopback, which is none', '127.0.0.1', []],
  ])('an exception by %s is called directly, with every check', async (_what, host, exceptions) => {
    const outbound = client(exceptions.map((text) => text.replace('PORT', `hooks.example.com:${plainPort}`)));
    expect((await outbound.request(get(`http://${host}:${plainPort}/`))).status).toBe(200);
    expect(proxy.requests).toEqual([]);
    const inside = harness.client({
      allow: [],
      lookup: async () => ['10.0.0.1'],
      proxy: { http: proxy.url, https: proxy.url, exceptions: ['hooks.example.com'] },
    });
    const refused = await failureOf(inside.request(get(`http://hooks.example.com:${plainPort}/`)));
    expect(refused.kind).toBe('address-refused');
  });

  test('a range of addresses is an exception', async () => {
    const outbound = harness.client({
      allow: ['10.0.0.0/8'],
      proxy: { http: proxy.url, https: proxy.url, exceptions: ['10.0.0.0/9'] },
    });
    const request = (host: string) => get(`http://${host}:${plainPort}/`);
    await outbound.request({ ...request('10.127.255.255'), timeoutMs: 200 }).catch(() => undefined);
    expect(proxy.requests).toEqual([]);
    expect((await outbound.request(request('10.128.0.0'))).status).toBe(200);
    expect(proxy.requests).toEqual([`GET http://10.128.0.0:${plainPort}/`]);
  });

  test('a library that fetches goes through it, and not to addresses of the deployment', async () => {
    const direct = `http://services.example.com:${plainPort}`;
    const restore = useProxyForFetch({ http: proxy.url, https: proxy.url, exceptions: [] }, [direct]);
    try {
      const url = `http://hooks.example.com:${plainPort}/keys`;
      expect(await (await fetch(url)).text()).toBe('plain');
      await expect(fetch(direct)).rejects.toThrow('fetch failed');
      await fetch(`http://127.0.0.1:${plainPort}/`);
      expect(proxy.requests).toEqual([expect.stringContaining(`hooks.example.com:${plainPort}`)]);
    } finally {
      restore();
    }
  });

  test('only https may have one', async () => {
    const outbound = client([], { http: null });
    await outbound.request(get(`http://hooks.example.com:${plainPort}/`));
    expect({ requests: proxy.requests, resolved }).toEqual({ requests: [], resolved: ['hooks.example.com'] });
  });

  test('addresses and names of the inside are refused before the proxy is asked', async () => {
    const outbound = harness.client({ allow: [], proxy: { http: proxy.url, https: proxy.url, exceptions: [] } });
    for (const host of ['10.0.0.1', '169.254.169.254', '[fd00::1]', 'db.internal', 'db.svc', 'db'])
      await expect(outbound.request(get(`https://${host}/`))).rejects.toMatchObject({ message: refusalSentence });
    expect(proxy.requests).toEqual([]);
  });

  test.each([403, 407, 502])(
    'its status %i is a failure to connect, and is not shown to the customer',
    async (status) => {
      proxy.answer = status;
      const failure = await failureOf(client().request(get(`https://hooks.example.com:${port}/`)));
      expect(failure).toMatchObject({ kind: 'connect', reason: 'ERR_PROXY_TUNNEL' });
      expect(failure.message).not.toMatch(/prox|127|40|50/i);
    },
  );

  test('its silence ends with the deadline of the request', async () => {
    proxy.answer = 0;
    const request = { ...get(`https://hooks.example.com:${port}/`), timeoutMs: 200 };
    expect((await failureOf(client().request(request))).kind).toBe('timeout');
  });
});

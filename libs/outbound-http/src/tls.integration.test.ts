import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createOutboundHttp } from './index.ts';
import type { OutboundResponse, OutboundHttp } from './index.ts';
import { certificateFor } from './testing/certificate.ts';

const folder = mkdtempSync(join(tmpdir(), 'rapporteur-outbound-'));
const caFile = join(folder, 'authority.pem');
const certificate = certificateFor('hooks.example.com');
const names: (string | false | null)[] = [];
const server = createServer(certificate, (request, response) => {
  names.push((request.socket as TLSSocket & { servername?: string | false }).servername ?? null);
  response.end('secure');
});
let port = 0;
const clients: OutboundHttp[] = [];

beforeAll(async () => {
  writeFileSync(caFile, certificate.cert);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  for (const client of clients) client.close();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

function call(host: string, trusted: boolean): Promise<OutboundResponse> {
  const client = createOutboundHttp({
    allow: ['loopback'],
    requireHttps: true,
    lookup: () => Promise.resolve(['127.0.0.1']),
    ...(trusted ? { caFile } : {}),
  });
  clients.push(client);
  const url = `https://${host}:${port}/`;
  return client.request({ url, method: 'GET', headers: {}, timeoutMs: 30_000, maxResponseBytes: 100 });
}

describe('over https', () => {
  test('a receiver whose certificate holds is reached, by the name in the URL', async () => {
    expect((await call('hooks.example.com', true)).bodyPrefix.toString()).toBe('secure');
    expect((await call('HOOKS.example.com.', true)).status).toBe(200);
    expect(names).toEqual(['hooks.example.com', 'hooks.example.com']);
  });

  test.each([
    ['of an unknown authority', 'hooks.example.com', false, 'signed by itself'],
    ['for another name', 'other.example.com', true, 'for another host name'],
    ['for a name, called by address', '127.0.0.1', true, 'for another host name'],
  ])('a certificate %s ends the request before anything is sent', async (_what, host, trusted, words) => {
    const before = names.length;
    await expect(call(host, trusted)).rejects.toMatchObject({ kind: 'tls', message: expect.stringContaining(words) });
    expect(names.length).toBe(before);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { certificateFor } from '@rapporteur/outbound-http/testing/certificate';
import { createTestDatabase } from '@rapporteur/testbed';
import type { TestDatabase } from '@rapporteur/testbed';
import { openDatabase } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'rapporteur-database-tls-'));
const identity = (name: string, host: string) => {
  const { key, cert } = certificateFor(host);
  const files = { certFile: join(folder, `${name}.crt`), keyFile: join(folder, `${name}.key`) };
  writeFileSync(files.certFile, cert);
  writeFileSync(files.keyFile, key, { mode: 0o600 });
  return { key, cert, ...files };
};
const server = identity('server', 'localhost');
const client = identity('client', 'rapporteur');
const stranger = identity('stranger', 'rapporteur');
let database: TestDatabase;
let front: Server;

beforeAll(async () => {
  database = await createTestDatabase();
  front = await startTlsFront(new URL(database.url));
});
afterAll(async () => {
  front.close();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Terminates TLS in front of PostgreSQL as the server itself does: the client requests it, the server agrees with one
 * byte.
 */
async function startTlsFront({ hostname, port }: URL): Promise<Server> {
  const listening = createServer((near) => {
    near.once('data', () => {
      near.write('S');
      const secure = new TLSSocket(near, {
        isServer: true,
        key: server.key,
        cert: server.cert,
        ca: client.cert,
        requestCert: true,
        rejectUnauthorized: true,
      });
      const far = connect(Number(port), hostname);
      const end = (one: Socket, other: Socket): void => {
        one.on('close', () => other.destroy());
        one.on('error', () => other.destroy());
      };
      end(secure, far);
      end(far, secure);
      secure.pipe(far).pipe(secure);
    });
    near.on('error', () => undefined);
  });
  listening.listen(0, '127.0.0.1');
  await new Promise((resolve) => listening.once('listening', resolve));
  return listening;
}

describe('PostgreSQL with an authority of its own and client certificates', () => {
  const open = (query: Record<string, string>, host = 'localhost') => {
    const url = new URL(database.url);
    url.hostname = host;
    url.port = String((front.address() as AddressInfo).port);
    url.search = new URLSearchParams(query).toString();
    return openDatabase({ url: url.href, schema: 'tls', entities: [], migrations: [], applicationName: 'tls test' });
  };
  const known = { sslcert: client.certFile, sslkey: client.keyFile };
  const verified = { sslmode: 'verify-full', sslrootcert: server.certFile };

  test('is reached with its authority and a certificate that it knows', async () => {
    const opened = await open({ ...verified, ...known });
    expect(await opened.query('select 1 as one')).toEqual([{ one: 1 }]);
    await opened.close();
  });

  test.each<[what: string, query: Record<string, string>, host: string, reason: RegExp]>([
    ['without its authority', { sslmode: 'verify-full', ...known }, 'localhost', /certificate/],
    ['with another authority', { ...verified, sslrootcert: stranger.certFile, ...known }, 'localhost', /certificate/],
    ['by a name that its certificate does not hold', { ...verified, ...known }, '127.0.0.1', /altnames/],
    ['without a certificate', verified, 'localhost', /terminated|reset|ended|certificate|alert/],
  ])('is not reached %s', async (_what, query, host, reason) => {
    await expect(open(query, host)).rejects.toThrow(reason);
  });
});

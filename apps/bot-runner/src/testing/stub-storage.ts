import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { internalRoutes } from '@rapporteur/contracts';

export interface StubStorage {
  readonly url: string;
  readonly grant: string;
  readonly objects: Map<string, Buffer>;
  /** Answers with this status instead of storing, while it is set. */
  failWith: number | null;
  stop(): Promise<void>;
}

/** storage-config's grant routes, kept in memory: stores what fits its checksum, lists and gives it back. */
export async function startStubStorage(grant = 'test-grant'): Promise<StubStorage> {
  const objects = new Map<string, Buffer>();
  const storage = { failWith: null as number | null };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(500).end());
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readAll(request);
    if (request.headers.authorization !== `Bearer ${grant}`) return void response.writeHead(403).end('{}');
    if (storage.failWith !== null) return void response.writeHead(storage.failWith).end('{}');
    const url = new URL(request.url ?? '/', 'http://storage');
    const key = decodeURIComponent(url.pathname.slice(internalRoutes.grantObjects.length + 1));
    if (request.method === 'PUT') {
      const fits = createHash('sha256').update(body).digest('hex') === request.headers['x-content-sha256'];
      if (fits) objects.set(key, body);
      return void response.writeHead(fits ? 201 : 422).end('{}');
    }
    if (key === '') {
      const prefix = url.searchParams.get('prefix') ?? '';
      const found = [...objects].filter(([name]) => name.startsWith(prefix));
      return void response.end(
        JSON.stringify({ objects: found.map(([name, bytes]) => ({ key: name, bytes: bytes.length })) }),
      );
    }
    const found = objects.get(key);
    response.writeHead(found === undefined ? 404 : 200).end(found);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(storage, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    grant,
    objects,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

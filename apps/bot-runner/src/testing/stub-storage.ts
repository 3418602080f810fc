import type { ServerResponse } from 'node:http';
import { createHash } from 'node:crypto';
import { internalRoutes } from '@rapporteur/contracts';
import { startReceiver } from '@rapporteur/testbed/receiver';
import type { ReceivedCall, Respond } from '@rapporteur/testbed/receiver';

export interface StubStorage {
  readonly url: string;
  readonly grant: string;
  readonly objects: Map<string, Buffer>;
  /** Responds with this status instead of storing, while set. */
  failWith: number | null;
  /** How many objects were stored as a multipart upload. */
  incremental: number;
  /** Whether the fragments of the recording were released. */
  released: boolean;
  stop(): Promise<void>;
}

/** storage-config's grant routes in memory, over a store that takes nothing directly: objects that match their checksum. */
export async function startStubStorage(grant = 'test-grant'): Promise<StubStorage> {
  const objects = new Map<string, Buffer>();
  const multipart = new Map<string, Map<string, Buffer>>();
  const storage = { failWith: null as number | null, incremental: 0, released: false };
  const reply: Respond = (call, response) => {
    const { method, path, headers, body } = call;
    if (headers.authorization !== `Bearer ${grant}`) return void response.writeHead(403).end('{}');
    if (storage.failWith !== null) return void response.writeHead(storage.failWith).end('{}');
    const url = new URL(path, 'http://storage');
    if (url.pathname === internalRoutes.grantRelease) {
      storage.released = true;
      return void response.end('{}');
    }
    if (url.pathname === internalRoutes.grantDirectParts) return void response.end(JSON.stringify({ request: null }));
    if (url.pathname === internalRoutes.grantDirectFragments)
      return void response.end(JSON.stringify({ slots: null, expiresAt: new Date().toISOString() }));
    if (url.pathname.startsWith(internalRoutes.grantMultipart)) return storeParts(call, response);
    const key = decodeURIComponent(url.pathname.slice(internalRoutes.grantObjects.length + 1));
    if (method === 'PUT') {
      const fits = createHash('sha256').update(body).digest('hex') === headers['x-content-sha256'];
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
  const storeParts = ({ method, path, body }: ReceivedCall, response: ServerResponse): void => {
    const url = new URL(path, 'http://storage');
    const name = url.searchParams.get('upload');
    if (method === 'POST' && name === null) {
      const upload = `upload-${multipart.size + 1}`;
      multipart.set(upload, new Map());
      return void response.writeHead(201).end(JSON.stringify({ upload }));
    }
    const parts = multipart.get(name ?? '');
    if (parts === undefined) return void response.writeHead(404).end('{}');
    if (method === 'PUT') parts.set(url.searchParams.get('part') ?? '', body);
    else multipart.delete(name ?? '');
    if (method === 'POST') {
      const rank = (part: string): number => (part === 'head' ? 0 : part === 'tail' ? Infinity : Number(part));
      const inOrder = [...parts].toSorted(([one], [other]) => rank(one) - rank(other)).map(([, part]) => part);
      objects.set(
        decodeURIComponent(url.pathname.slice(internalRoutes.grantMultipart.length + 1)),
        Buffer.concat(inOrder),
      );
      storage.incremental += 1;
    }
    response.writeHead(201).end('{}');
  };
  const server = await startReceiver(reply);
  return Object.assign(storage, { url: server.url, grant, objects, stop: server.close });
}

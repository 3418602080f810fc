import { pipeline } from 'node:stream/promises';
import { fail } from '@rapporteur/failures';
import { contentDisposition, verifySignedPath } from '@rapporteur/object-store';
import type { ObjectInfo, ObjectStore } from '@rapporteur/object-store';
import { addToLog } from '@rapporteur/service-runtime';
import type { Secret, Service } from '@rapporteur/service-runtime';
import type { Express, Request, Response } from 'express';
import { readRange } from './byte-range.ts';

const base = '/artifacts/';

/** Serves what a signed link names, whole or in parts, to GET and HEAD. Nothing without a valid signature. */
export function addPublicArtifactRoutes(app: Express, service: Service, parts: { store: ObjectStore; signingSecret: Secret }): void {
  app.get(`${base}*key`, async (request, response) => {
    // A page of the customer's may play the link; the signature is the only permission there is.
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-expose-headers', 'accept-ranges, content-length, content-range, etag');
    const signed = verifySignedPath(parts.signingSecret.reveal(), {
      method: request.method,
      encodedKey: request.path.slice(base.length),
      query: new URL(request.originalUrl, 'http://host.invalid').searchParams,
      nowMs: service.clock.now(),
    });
    addToLog(request, { key: signed.key });
    const info = await parts.store.head(signed.key);
    if (info === null) throw fail('OBJECT_NOT_FOUND');
    setHeaders(response, info, signed.downloadName ?? info.key.split('/').at(-1) ?? 'artifact');
    await send(request, response, parts.store, info);
  });
}

function setHeaders(response: Response, info: ObjectInfo, name: string): void {
  response.setHeader('content-type', info.contentType);
  response.setHeader('content-disposition', contentDisposition(name));
  response.setHeader('accept-ranges', 'bytes');
  response.setHeader('etag', info.etag);
  response.setHeader('cache-control', 'private, max-age=0, must-revalidate');
  response.setHeader('x-content-type-options', 'nosniff');
}

async function send(request: Request, response: Response, store: ObjectStore, info: ObjectInfo): Promise<void> {
  if (request.headers['if-none-match'] === info.etag) {
    response.status(304).end();
    return;
  }
  const condition = request.headers['if-range'];
  const range = condition !== undefined && condition !== info.etag ? 'all' : readRange(request.headers.range, info.bytes);
  if (range === 'unsatisfiable') {
    response.setHeader('content-range', `bytes */${info.bytes}`);
    throw fail('RANGE_NOT_SATISFIABLE');
  }
  if (range !== 'all') response.setHeader('content-range', `bytes ${range.first}-${range.last}/${info.bytes}`);
  response.status(range === 'all' ? 200 : 206);
  response.setHeader('content-length', range === 'all' ? info.bytes : range.last - range.first + 1);
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  const { body } = await store.get(info.key, { ifEtag: info.etag, ...(range === 'all' ? {} : { range }) });
  // A player that seeks closes the connection in the middle: that is no failure of ours.
  await pipeline(body, response).catch((error: unknown) => {
    if (!response.destroyed && !response.writableEnded) throw error;
  });
}

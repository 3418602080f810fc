import { fail } from '@rapporteur/failures';
import { contentDisposition, verifySignedPath } from '@rapporteur/object-store';
import type { ObjectInfo, ObjectStore } from '@rapporteur/object-store';
import { addToLog, serveCall } from '@rapporteur/service-runtime';
import type { Secret, Service } from '@rapporteur/service-runtime';
import type { Express, Request, Response, Router } from 'express';
import { internalCalls } from '@rapporteur/contracts';
import { readRange, sendBody } from './byte-range.ts';

/** Types that a browser plays or shows, and never executes. */
const harmless = new Set([
  'application/json',
  'application/x-ndjson',
  'application/x-subrip',
  'audio/flac',
  'audio/mp4',
  'audio/wav',
  'audio/webm',
  'image/jpeg',
  'image/png',
  'text/plain',
  'text/vtt',
  'video/mp4',
  'video/webm',
]);

const base = '/artifacts/';

/** Serves the object of a signed link, whole or in parts, to GET and HEAD. Nothing without a valid signature. */
export function addPublicArtifactRoutes(
  app: Express,
  service: Service,
  dependencies: { readonly store: ObjectStore; readonly signingSecret: Secret },
): void {
  // A page of the customer may play the link; the signature is the only authorization.
  app.options(`${base}*key`, (_request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-methods', 'GET, HEAD');
    response.setHeader('access-control-allow-headers', 'range, if-range, if-none-match');
    response.setHeader('access-control-max-age', '86400');
    response.status(204).end();
  });

  app.get(`${base}*key`, async (request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-expose-headers', 'accept-ranges, content-length, content-range, etag');
    response.setHeader('cache-control', 'private, max-age=0, must-revalidate');
    response.setHeader('x-content-type-options', 'nosniff');
    const signed = verifySignedPath(dependencies.signingSecret.reveal(), {
      method: request.method,
      encodedKey: request.path.slice(base.length),
      query: new URL(request.originalUrl, 'http://host.invalid').searchParams,
      nowMs: service.clock.now(),
    });
    addToLog(request, { key: signed.key });
    const info = await dependencies.store.head(signed.key);
    if (info === null) throw fail('OBJECT_NOT_FOUND');
    const name = signed.downloadName ?? info.key.split('/').at(-1) ?? 'artifact';
    await send(request, response, {
      store: dependencies.store,
      info,
      name,
      contentType: signed.contentType ?? info.contentType,
    });
  });
}

interface Sending {
  readonly store: ObjectStore;
  readonly info: ObjectInfo;
  readonly name: string;
  readonly contentType: string;
}

async function send(request: Request, response: Response, sending: Sending): Promise<void> {
  const { store, info } = sending;
  response.setHeader('accept-ranges', 'bytes');
  response.setHeader('etag', info.etag);
  if (request.headers['if-none-match'] === info.etag) {
    response.status(304).end();
    return;
  }
  const condition = request.headers['if-range'];
  const range =
    condition !== undefined && condition !== info.etag ? 'all' : readRange(request.headers.range, info.bytes);
  if (range === 'unsatisfiable') {
    response.setHeader('content-range', `bytes */${info.bytes}`);
    throw fail('RANGE_NOT_SATISFIABLE');
  }
  response.setHeader('content-type', servedType(sending.contentType));
  response.setHeader('content-disposition', contentDisposition(sending.name));
  if (range !== 'all') response.setHeader('content-range', `bytes ${range.first}-${range.last}/${info.bytes}`);
  response.status(range === 'all' ? 200 : 206);
  response.setHeader('content-length', range === 'all' ? info.bytes : range.last - range.first + 1);
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  const { body } = await store.get(info.key, { ifEtag: info.etag, ...(range === 'all' ? {} : { range }) });
  await sendBody(body, response);
}

/**
 * The content type of a response. The stored type comes from a machine that also runs a meeting's web page: a stored
 * `text/html` must not become a page on our address.
 */
function servedType(stored: string): string {
  const [essence = ''] = stored.toLowerCase().split(';');
  return harmless.has(essence.trim()) ? stored : 'application/octet-stream';
}

/** Other services request links here that customers may follow for a limited time. */
export function artifactUrlRoutes(
  { auth, clock }: Pick<Service, 'auth' | 'clock'>,
  { store, artifactUrlTtlMs }: { readonly store: ObjectStore; readonly artifactUrlTtlMs: number },
): Router {
  return serveCall(auth, internalCalls.storage.signUrls, async ({ botId, keys }) => {
    const expiresAtMs = clock.now() + artifactUrlTtlMs;
    const urls: Record<string, string> = {};
    for (const [name, key] of Object.entries(keys)) {
      urls[name] = await store.signedGetUrl(`bots/${botId}/${key}`, {
        expiresAtMs,
        downloadName: `${botId}-${key.split('/').at(-1) ?? name}`,
      });
    }
    return { urls, expiresAt: new Date(expiresAtMs).toISOString() };
  });
}

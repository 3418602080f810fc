import { multipartComplete, multipartCreate, internalRoutes } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import { multipartPartBytesMin, multipartPartBytesMax } from '@rapporteur/object-store';
import type { MultipartPart } from '@rapporteur/object-store';
import { addToLog, jsonBody } from '@rapporteur/service-runtime';
import type { Service } from '@rapporteur/service-runtime';
import type { Express, Request } from 'express';
import { requestBody, announcedHash, grantOf, keyOf, relativeKey, requireGrant, tooLarge } from './granted.ts';
import { defaultIdleMs } from './objects.routes.ts';
import type { ObjectDependencies } from './objects.routes.ts';

const base = internalRoutes.grantMultipart;
const longestUploadName = 1_000;
const smallBody = jsonBody({ limitBytes: 10_000 });

/** How a runner stores an object whose length is not final yet. */
export function addMultipartRoutes(app: Express, service: Service, dependencies: ObjectDependencies): void {
  const { store, grants, maxObjectBytes } = dependencies;
  const granted = requireGrant(service, dependencies);

  app.put(`${base}/*key`, granted, async (request, response) => {
    const key = keyOf(grantOf(request), request, base);
    const part = partOf(request);
    const maxBytes = Math.min(maxObjectBytes, multipartPartBytesMax);
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
    if (typeof part === 'number' && part * multipartPartBytesMin > maxObjectBytes) throw tooLarge(maxObjectBytes);
    const body = requestBody(request, dependencies.uploadIdleMs ?? defaultIdleMs);
    await store.uploadPart(key, uploadOf(request), part, { body, sha256: announcedHash(request), maxBytes });
    addToLog(request, { key, part });
    response.status(201).json({ part });
  });

  app.post(`${base}/*key`, granted, smallBody, async (request, response) => {
    const grant = grantOf(request);
    const key = keyOf(grant, request, base);
    if (request.query['upload'] === undefined) {
      const started = multipartCreate.safeParse(request.body);
      if (!started.success) throw fail('VALIDATION', { details: started.error.message });
      response.status(201).json({ upload: await store.createMultipart(key, started.data) });
      return;
    }
    const finish = multipartComplete.safeParse(request.body);
    if (!finish.success) throw fail('VALIDATION', { details: finish.error.message });
    const stored = await store.completeMultipart(key, uploadOf(request), {
      ...finish.data,
      guard: (publish) => grants.whileCurrent(grant, publish, { strict: true }),
    });
    addToLog(request, { key: stored.key, bytes: stored.bytes });
    response.status(201).json({ key: relativeKey(grant, stored.key), bytes: stored.bytes });
  });

  app.delete(`${base}/*key`, granted, async (request, response) => {
    await store.abortMultipart(keyOf(grantOf(request), request, base), uploadOf(request));
    response.status(204).end();
  });
}

function uploadOf(request: Request): string {
  const upload = request.query['upload'];
  if (typeof upload === 'string' && upload !== '' && upload.length <= longestUploadName) return upload;
  throw fail('VALIDATION', { message: 'The query must name an upload.', details: 'upload' });
}

function partOf(request: Request): MultipartPart {
  const part = request.query['part'];
  if (part === 'head' || part === 'tail') return part;
  if (typeof part === 'string' && /^[1-9]\d{0,4}$/.test(part)) return Number(part);
  throw fail('VALIDATION', { message: 'The part is a number from 1, head or tail.', details: 'part' });
}

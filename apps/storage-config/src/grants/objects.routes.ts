import { internalRoutes } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import type { ObjectStore } from '@rapporteur/object-store';
import { addToLog } from '@rapporteur/service-runtime';
import type { Service } from '@rapporteur/service-runtime';
import type { Express } from 'express';
import type { Grant } from './grant-token.ts';
import { readRange } from '../artifacts/byte-range.ts';
import { sendBody } from '../artifacts/send-body.ts';
import { requestBody } from './request-body.ts';
import { announcedHash, grantOf, keyOf, prefixOf, relativeKey, requireGrant, tooLarge } from './granted.ts';
import type { GrantCheckDependencies } from './granted.ts';

export interface ObjectDependencies extends GrantCheckDependencies {
  readonly store: ObjectStore;
  readonly maxObjectBytes: number;
  readonly uploadIdleMs?: number;
}

const base = internalRoutes.grantObjects;
export const defaultIdleMs = 60_000;
/** A day of four-second fragments is some 50 000 objects. */
const listedAtMost = 200_000;

/** A runner's routes with its grant: store, read and list its own bot's objects. */
export function addObjectRoutes(app: Express, service: Service, dependencies: ObjectDependencies): void {
  const granted = requireGrant(service, dependencies);

  app.put(`${base}/*key`, granted, async (request, response) => {
    const grant = grantOf(request);
    const key = keyOf(grant, request, base);
    if (Number(request.headers['content-length'] ?? 0) > dependencies.maxObjectBytes)
      throw tooLarge(dependencies.maxObjectBytes);
    const stored = await dependencies.store.put(key, requestBody(request, dependencies.uploadIdleMs ?? defaultIdleMs), {
      contentType: request.headers['content-type'] ?? 'application/octet-stream',
      sha256: announcedHash(request),
      maxBytes: dependencies.maxObjectBytes,
      guard: (publish) => dependencies.grants.whileCurrent(grant, publish),
    });
    addToLog(request, { key: stored.key, bytes: stored.bytes });
    response.status(201).json({ key: relativeKey(grant, stored.key), bytes: stored.bytes });
  });

  app.get(base, granted, async (request, response) => {
    const prefix = typeof request.query['prefix'] === 'string' ? request.query['prefix'] : '';
    response.json({ objects: await listAll(dependencies.store, grantOf(request), prefix) });
  });

  app.get(`${base}/*key`, granted, async (request, response) => {
    const key = keyOf(grantOf(request), request, base);
    const found = request.headers.range === undefined ? null : await dependencies.store.head(key);
    const range = found === null ? 'all' : readRange(request.headers.range, found.bytes);
    if (range === 'unsatisfiable') throw fail('RANGE_NOT_SATISFIABLE');
    const part = range === 'all' ? {} : { range, ...(found === null ? {} : { ifEtag: found.etag }) };
    const { info, body } = await dependencies.store.get(key, part);
    if (range !== 'all') response.setHeader('content-range', `bytes ${range.first}-${range.last}/${info.bytes}`);
    response.status(range === 'all' ? 200 : 206);
    response.setHeader('content-type', info.contentType);
    response.setHeader('content-length', range === 'all' ? info.bytes : range.last - range.first + 1);
    response.setHeader('x-content-type-options', 'nosniff');
    await sendBody(body, response);
  });
}

async function listAll(store: ObjectStore, grant: Grant, prefix: string): Promise<{ key: string; bytes: number }[]> {
  const found: { key: string; bytes: number }[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await store.list({ prefix: prefixOf(grant) + prefix, ...(cursor == null ? {} : { cursor }) });
    found.push(...page.objects.map(({ key, bytes }) => ({ key: relativeKey(grant, key), bytes })));
    cursor = page.cursor;
    if (found.length > listedAtMost)
      throw fail('BODY_TOO_LARGE', { message: 'The list is too long: ask for a narrower prefix.' });
  } while (cursor !== null);
  return found;
}

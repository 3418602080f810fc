import { internalRoutes } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import { decodeKey } from '@rapporteur/object-store';
import type { ObjectStore } from '@rapporteur/object-store';
import { addToLog } from '@rapporteur/service-runtime';
import type { Secret, Service } from '@rapporteur/service-runtime';
import type { Express, Request } from 'express';
import { readGrant } from './grant-token.ts';
import type { Grant } from './grant-token.ts';
import type { Grants } from './grants.store.ts';
import { sendBody } from '../artifacts/send-body.ts';
import { arrivingBody, endUnreadBody } from './arriving-body.ts';

export interface ObjectParts {
  readonly store: ObjectStore;
  readonly grants: Grants;
  readonly signingSecret: Secret;
  readonly maxObjectBytes: number;
  readonly uploadIdleMs?: number;
}

const base = internalRoutes.grantObjects;
const defaultIdleMs = 60_000;
/** A bot of a day with four-second segments has some 50 000. */
const listedAtMost = 200_000;

/** What a runner does with its grant: store, read and list its own bot's objects. */
export function addObjectRoutes(app: Express, service: Service, parts: ObjectParts): void {
  const granted = async (request: Request): Promise<Grant> => {
    const grant = await readGrant(parts.signingSecret, request.headers.authorization, service.clock.now());
    addToLog(request, { botId: grant.botId, fencing: grant.fencing });
    await parts.grants.assertCurrent(grant);
    return grant;
  };

  app.put(`${base}/*key`, async (request, response) => {
    endUnreadBody(request, response);
    const grant = await granted(request);
    const key = keyOf(grant, request);
    if (Number(request.headers['content-length'] ?? 0) > parts.maxObjectBytes) throw tooLarge(parts.maxObjectBytes);
    const stored = await parts.store.put(key, arrivingBody(request, parts.uploadIdleMs ?? defaultIdleMs), {
      contentType: request.headers['content-type'] ?? 'application/octet-stream',
      sha256: announcedHash(request),
      maxBytes: parts.maxObjectBytes,
      guard: (publish) => parts.grants.whileCurrent(grant, publish),
    });
    addToLog(request, { key: stored.key, bytes: stored.bytes });
    response.status(201).json({ key: relativeKey(grant, stored.key), bytes: stored.bytes });
  });

  app.get(base, async (request, response) => {
    const grant = await granted(request);
    const prefix = typeof request.query['prefix'] === 'string' ? request.query['prefix'] : '';
    response.json({ objects: await listAll(parts.store, grant, prefix) });
  });

  app.get(`${base}/*key`, async (request, response) => {
    const grant = await granted(request);
    const { info, body } = await parts.store.get(keyOf(grant, request));
    response.setHeader('content-type', info.contentType);
    response.setHeader('content-length', info.bytes);
    response.setHeader('x-content-type-options', 'nosniff');
    await sendBody(body, response);
  });
}

function prefixOf(grant: Grant): string {
  return `bots/${grant.botId}/`;
}

function relativeKey(grant: Grant, key: string): string {
  return key.slice(prefixOf(grant).length);
}

/** The key inside the grant's own prefix; a path that tries to leave it is no key at all. */
function keyOf(grant: Grant, request: Request): string {
  const key = decodeKey(request.path.slice(base.length + 1));
  if (key === null) throw fail('VALIDATION', { message: 'The path is not an object key.', details: 'key' });
  return prefixOf(grant) + key;
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

function announcedHash(request: Request): string {
  const sha256 = request.headers['x-content-sha256'];
  if (typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256)) return sha256;
  const message = 'The header x-content-sha256 must hold the SHA-256 of the body in hex.';
  throw fail('VALIDATION', { message, details: 'x-content-sha256' });
}

function tooLarge(limit: number): Error {
  return fail('BODY_TOO_LARGE', { message: `An object may have at most ${limit} bytes.` });
}

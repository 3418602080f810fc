import { internalRoutes, internalCalls, fragmentRelease } from '@rapporteur/contracts';
import { fail } from '@rapporteur/failures';
import type { ObjectStore } from '@rapporteur/object-store';
import { addToLog, callerOf, serveCall, jsonBody } from '@rapporteur/service-runtime';
import type { Service, InternalAuth, Secret } from '@rapporteur/service-runtime';
import { Router } from 'express';
import type { Express } from 'express';
import type { Database } from '@rapporteur/database';
import { readRange, sendBody } from '../artifacts/byte-range.ts';
import { signGrant } from './grant-token.ts';
import type { Grant } from './grant-token.ts';
import {
  requestBody,
  announcedHash,
  grantOf,
  keyOf,
  prefixOf,
  relativeKey,
  requireGrant,
  tooLarge,
} from './granted.ts';
import type { GrantCheckDependencies } from './granted.ts';
import type { Grants } from './grants.store.ts';

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

interface GrantDependencies {
  readonly grants: Grants;
  readonly signingSecret: Secret;
  /** Address of this service for the holder of a grant. */
  readonly runnerUrl: string;
}

/** bot-scheduler requests a grant for each run of a bot, and ends the grants of bots that have ended. */
export function grantRoutes(auth: InternalAuth, dependencies: GrantDependencies): Router {
  const { grants, signingSecret, runnerUrl } = dependencies;
  const { grantUpload, endGrants } = internalCalls.storage;
  return Router().use(
    serveCall(auth, grantUpload, async (body, request) => {
      const { botId, fencing, expiresAt } = body;
      addToLog(request, { fencing });
      await grants.open(body);
      const outlastsRelease = callerOf(request).service === 'transcriber';
      const grant = await signGrant(signingSecret, { botId, fencing, outlastsRelease }, new Date(expiresAt));
      return { url: runnerUrl, grant };
    }),
    serveCall(auth, endGrants, async ({ bots }, request) => {
      await grants.end(bots);
      addToLog(request, { bots: bots.length });
      return { success: true as const };
    }),
  );
}

interface ReleaseDependencies extends GrantCheckDependencies {
  readonly database: Database;
  readonly store: ObjectStore;
}

/**
 * A runner releases the fragments of its stored recording. The request is verified: fragments are released only when
 * every artifact exists in its full length. From then on its grant writes nothing more.
 */
export function addReleaseRoutes(app: Express, service: Service, dependencies: ReleaseDependencies): void {
  const granted = requireGrant(service, dependencies);
  app.post(internalRoutes.grantRelease, granted, jsonBody({ limitBytes: 50_000 }), async (request, response) => {
    const grant = grantOf(request);
    const body = fragmentRelease.safeParse(request.body);
    if (!body.success) throw fail('VALIDATION', { details: body.error.message });
    for (const { key, bytes } of body.data.artifacts) {
      const found = await dependencies.store.head(prefixOf(grant) + key);
      if (found?.bytes !== bytes)
        throw fail('OBJECT_CHANGED', { message: `${key} is not stored as it was said to be.` });
    }
    await dependencies.database.query(
      `update bot_storage set fragments_released_at = coalesce(fragments_released_at, $3), updated_at = now()
        where bot_id = $1 and fencing = $2`,
      [grant.botId, grant.fencing, new Date(service.clock.now())],
    );
    await dependencies.grants.forget(grant.botId);
    addToLog(request, { artifacts: body.data.artifacts.length });
    response.json({ success: true });
  });
}

import { randomUUID } from 'node:crypto';
import { directCommit, directFragments, directUploadRequest, internalRoutes } from '@rapporteur/contracts';
import type { DirectFragmentsReply, DirectUploadReply, DirectUploadRequest } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { keyProblem } from '@rapporteur/object-store';
import { addToLog, jsonBody } from '@rapporteur/service-runtime';
import type { Service } from '@rapporteur/service-runtime';
import type { Express } from 'express';
import { grantOf, prefixOf, readsGrant, requireGrant, tooLarge } from '../grants/granted.ts';
import type { GrantCheckDependencies } from '../grants/granted.ts';
import type { Grant } from '../grants/grant-token.ts';
import { commitDirect, directPrefix } from './direct-objects.store.ts';

/** A runner's request for a direct upload, with the expiry of its grant. */
export type DirectWish = DirectUploadRequest & { readonly fencing: number; readonly expiresAtMs: number };

export interface SlotAttempt {
  readonly fencing: number;
  readonly expiresAtMs: number;
}

export interface DirectSigner {
  /** Null where the store of the bot cannot accept it, or fails at the moment. */
  signDirect(key: string, wish: DirectWish): Promise<DirectUploadReply['request']>;
  /** Requests that upload to these slots of an attempt; null as for `signDirect`. */
  signSlots(botId: string, slots: readonly string[], attempt: SlotAttempt): Promise<DirectFragmentsReply['slots']>;
}

export interface DirectUploadDependencies extends GrantCheckDependencies {
  readonly database: Database;
  readonly store: DirectSigner;
  readonly maxObjectBytes: number;
}

/** Expiry of the request for one object, long enough for a slow connection. */
const requestLivesMs = 15 * 60_000;
const smallBody = jsonBody({ limitBytes: 10_000 });

/** Direct uploads of runners to the object store, not through this service. */
export function addDirectUploadRoutes(app: Express, service: Service, dependencies: DirectUploadDependencies): void {
  const { database, store, grants, maxObjectBytes } = dependencies;
  const granted = requireGrant(service, dependencies);
  addDirectFragmentRoute(app, service, dependencies);

  app.post(internalRoutes.grantDirectUploads, granted, smallBody, async (request, response) => {
    const grant = grantOf(request);
    const body = directUploadRequest.safeParse(request.body);
    if (!body.success) throw fail('VALIDATION', { details: body.error.message });
    assertDirectKey(body.data);
    if (body.data.bytes > maxObjectBytes) throw tooLarge(maxObjectBytes);
    const key = prefixOf(grant) + body.data.key;
    const expiresAtMs = service.clock.now() + requestLivesMs;
    let signed: DirectUploadReply['request'] = null;
    await grants.whileCurrent(grant, async () => {
      signed = await store.signDirect(key, { ...body.data, fencing: grant.fencing, expiresAtMs });
    });
    addToLog(request, { key, kind: body.data.kind, direct: signed !== null });
    response.json({ request: signed } satisfies DirectUploadReply);
  });

  app.post(internalRoutes.grantDirectCommits, granted, smallBody, async (request, response) => {
    const grant = grantOf(request);
    const body = directCommit.safeParse(request.body);
    if (!body.success) throw fail('VALIDATION', { details: body.error.message });
    assertDirectKey({ kind: 'fragment', ...body.data });
    const { key, bytes } = body.data;
    await commit(database, grant, { key, bytes, slot: null });
    addToLog(request, { key, bytes });
    response.json({ success: true });
  });
}

/** Its commit compares the fencing number itself, and slots are granted after the check of any write. */
function addDirectFragmentRoute(app: Express, service: Service, dependencies: DirectUploadDependencies): void {
  const { database, store, grants, maxObjectBytes } = dependencies;
  app.post(
    internalRoutes.grantDirectFragments,
    readsGrant(service, dependencies),
    smallBody,
    async (request, response) => {
      const grant = grantOf(request);
      const body = directFragments.safeParse(request.body);
      if (!body.success) throw fail('VALIDATION', { details: body.error.message });
      const { commit: committed, slots: count } = body.data;
      if (committed !== null) {
        assertDirectKey({ kind: 'fragment', key: committed.key });
        if (committed.bytes > maxObjectBytes) throw tooLarge(maxObjectBytes);
        await commit(database, grant, committed);
      }
      const expiresAtMs = service.clock.now() + requestLivesMs;
      let signed: DirectFragmentsReply['slots'] = [];
      if (count > 0 || committed === null)
        await grants.whileCurrent(grant, async () => {
          const names = Array.from({ length: count }, () => randomUUID());
          signed = await store.signSlots(grant.botId, names, { fencing: grant.fencing, expiresAtMs });
        });
      addToLog(request, { key: committed?.key, bytes: committed?.bytes, slots: count });
      const expiresAt = new Date(expiresAtMs).toISOString();
      response.json({ slots: signed, expiresAt } satisfies DirectFragmentsReply);
    },
  );
}

async function commit(
  database: Database,
  { botId, fencing }: Grant,
  { key, bytes, slot }: { readonly key: string; readonly bytes: number; readonly slot: string | null },
): Promise<void> {
  if (await commitDirect(database, { botId, key }, { fencing, bytes, slot })) return;
  const message = 'A newer runner took over this bot, its recording is complete, or the bot has ended.';
  throw fail('GRANT_REJECTED', { message });
}

function assertDirectKey({ kind, key }: Pick<DirectUploadRequest, 'kind' | 'key'>): void {
  const problem = keyProblem(key);
  if (problem !== null) throw fail('VALIDATION', { message: `The key is not allowed: ${problem}.`, details: 'key' });
  if (kind === 'fragment' && !key.startsWith(directPrefix))
    throw fail('VALIDATION', { message: `Only what is below ${directPrefix} is sent this way.`, details: 'key' });
}

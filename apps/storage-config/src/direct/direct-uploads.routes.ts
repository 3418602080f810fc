import { randomUUID } from 'node:crypto';
import { directFragments, directPartRequest, internalRoutes } from '@rapporteur/contracts';
import type { DirectFragments, DirectFragmentsReply, DirectPartReply, DirectPartRequest } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { keyProblem } from '@rapporteur/object-store';
import { addToLog, jsonBody } from '@rapporteur/service-runtime';
import type { Service } from '@rapporteur/service-runtime';
import type { Express } from 'express';
import { grantOf, prefixOf, readsGrant, requireGrant, tooLarge } from '../grants/granted.ts';
import type { GrantCheckDependencies } from '../grants/granted.ts';
import type { Grant } from '../grants/grant-token.ts';
import { commitDirect, directPrefix, signedUploadMs } from './direct-objects.store.ts';

/** A runner's request for the upload of a part, with its expiry. */
export type DirectPart = DirectPartRequest & { readonly expiresAtMs: number };

export interface SlotAttempt {
  readonly fencing: number;
  readonly expiresAtMs: number;
}

export interface DirectSigner {
  /** Null where the store of the bot cannot accept it, or fails at the moment. */
  signPart(key: string, part: DirectPart): Promise<DirectPartReply['request']>;
  /** Requests that upload to these slots of an attempt; null as for `signPart`. */
  signSlots(botId: string, slots: readonly string[], attempt: SlotAttempt): Promise<DirectFragmentsReply['slots']>;
}

export interface DirectUploadDependencies extends GrantCheckDependencies {
  readonly database: Database;
  readonly store: DirectSigner;
  readonly maxObjectBytes: number;
}

const smallBody = jsonBody({ limitBytes: 10_000 });

/** Direct uploads of runners to the object store, not through this service. */
export function addDirectUploadRoutes(app: Express, service: Service, dependencies: DirectUploadDependencies): void {
  const { store, grants, maxObjectBytes } = dependencies;
  const granted = requireGrant(service, dependencies);
  addDirectFragmentRoute(app, service, dependencies);

  app.post(internalRoutes.grantDirectParts, granted, smallBody, async (request, response) => {
    const grant = grantOf(request);
    const body = directPartRequest.safeParse(request.body);
    if (!body.success) throw fail('VALIDATION', { details: body.error.message });
    assertKeyOfRunner(body.data.key);
    if (body.data.bytes > maxObjectBytes) throw tooLarge(maxObjectBytes);
    const key = prefixOf(grant) + body.data.key;
    const expiresAtMs = service.clock.now() + signedUploadMs;
    let signed: DirectPartReply['request'] = null;
    await grants.whileCurrent(grant, async () => {
      signed = await store.signPart(key, { ...body.data, expiresAtMs });
    });
    addToLog(request, { key, direct: signed !== null });
    response.json({ request: signed } satisfies DirectPartReply);
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
        assertKeyOfRunner(committed.key);
        if (!committed.key.startsWith(directPrefix))
          throw fail('VALIDATION', { message: `Only what is below ${directPrefix} is sent this way.`, details: 'key' });
        if (committed.bytes > maxObjectBytes) throw tooLarge(maxObjectBytes);
        await commit(database, grant, committed);
      }
      const expiresAtMs = service.clock.now() + signedUploadMs;
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
  { key, bytes, slot }: NonNullable<DirectFragments['commit']>,
): Promise<void> {
  if (await commitDirect(database, { botId, key }, { fencing, bytes, slot })) return;
  const message = 'A newer runner took over this bot, its recording is complete, or the bot has ended.';
  throw fail('GRANT_REJECTED', { message });
}

function assertKeyOfRunner(key: string): void {
  const problem = keyProblem(key);
  if (problem !== null) throw fail('VALIDATION', { message: `The key is not allowed: ${problem}.`, details: 'key' });
}

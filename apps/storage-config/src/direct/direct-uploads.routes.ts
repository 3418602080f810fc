import { directCommit, directUploadRequest, internalRoutes } from '@rapporteur/contracts';
import type { DirectUploadReply, DirectUploadRequest } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { keyProblem } from '@rapporteur/object-store';
import { addToLog, jsonBody } from '@rapporteur/service-runtime';
import type { Service } from '@rapporteur/service-runtime';
import type { Express } from 'express';
import { grantOf, prefixOf, requireGrant, tooLarge } from '../grants/granted.ts';
import type { GrantCheckDependencies } from '../grants/granted.ts';
import { commitDirect, directPrefix } from './direct-objects.store.ts';

/** What a runner wants to send itself, and until when it may. */
export type DirectWish = DirectUploadRequest & { readonly fencing: number; readonly expiresAtMs: number };

export interface DirectSigner {
  /** Null where the store of the bot cannot take it, or fails at the moment. */
  signDirect(key: string, wish: DirectWish): Promise<DirectUploadReply['request']>;
}

export interface DirectUploadDependencies extends GrantCheckDependencies {
  readonly database: Database;
  readonly store: DirectSigner;
  readonly maxObjectBytes: number;
}

/** A runner sends one object with such a request; a slow line takes a while for it. */
const requestLivesMs = 15 * 60_000;
const smallBody = jsonBody({ limitBytes: 10_000 });

/** How a runner sends media to the object store without passing this service. */
export function addDirectUploadRoutes(app: Express, service: Service, dependencies: DirectUploadDependencies): void {
  const { database, store, grants, maxObjectBytes } = dependencies;
  const granted = requireGrant(service, dependencies);

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
    const place = { botId: grant.botId, key };
    if (!(await commitDirect(database, place, { fencing: grant.fencing, bytes })))
      throw fail('GRANT_REJECTED', {
        message: 'A newer runner took over this bot, its recording is complete, or the bot has ended.',
      });
    addToLog(request, { key, bytes });
    response.json({ success: true });
  });
}

function assertDirectKey({ kind, key }: Pick<DirectUploadRequest, 'kind' | 'key'>): void {
  const problem = keyProblem(key);
  if (problem !== null) throw fail('VALIDATION', { message: `The key is not allowed: ${problem}.`, details: 'key' });
  if (kind === 'fragment' && !key.startsWith(directPrefix))
    throw fail('VALIDATION', { message: `Only what is below ${directPrefix} is sent this way.`, details: 'key' });
}

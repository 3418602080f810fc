import { internalRoutes, fragmentRelease } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { addToLog, jsonBody } from '@rapporteur/service-runtime';
import type { Service } from '@rapporteur/service-runtime';
import type { ObjectStore } from '@rapporteur/object-store';
import type { Express } from 'express';
import { grantOf, prefixOf, requireGrant } from '../grants/granted.ts';
import type { GrantCheckDependencies } from '../grants/granted.ts';

export interface ReleaseDependencies extends GrantCheckDependencies {
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

import { Router } from 'express';
import { internalRoutes } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import type { InternalAuth } from '@rapporteur/service-runtime';
import type { PagePackReader } from './page-pack-reader.ts';
import { describePagePacks } from './page-pack-state.ts';

/** `POST internalRoutes.pagePacks`, for operators: which page packs bots use, and what was refused. */
export function pagePackRoutes(
  auth: InternalAuth,
  { database, reader }: { readonly database: Database; readonly reader: PagePackReader },
): Router {
  const router = Router();
  router.post(internalRoutes.pagePacks, auth.require(['api-gateway']), async (_request, response) => {
    response.json(await describePagePacks(database, reader));
  });
  return router;
}

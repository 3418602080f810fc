import { Router } from 'express';
import { internalRoutes } from '@rapporteur/contracts';
import type { PagePackView } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import type { InternalAuth } from '@rapporteur/service-runtime';
import type { PagePackReader } from './page-pack-reader.ts';
import { describePagePacks } from './page-pack-state.ts';
import { findUnrecognisedPages } from './unrecognised-pages.ts';

/** `POST internalRoutes.pagePacks`, for operators: which page packs bots use, what was refused, and what bots did not recognise. */
export function pagePackRoutes(
  auth: InternalAuth,
  {
    database,
    reader,
    now,
  }: { readonly database: Database; readonly reader: PagePackReader; readonly now: () => number },
): Router {
  const router = Router();
  router.post(internalRoutes.pagePacks, auth.require(['api-gateway']), async (_request, response) => {
    const unrecognised = await findUnrecognisedPages(database, new Date(now()));
    response.json({ ...(await describePagePacks(database, reader)), unrecognised } satisfies PagePackView);
  });
  return router;
}

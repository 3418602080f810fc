import type { Router } from 'express';
import { internalCalls } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { serveCall } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import type { PagePackReader } from './page-pack-reader.ts';
import { describePagePacks } from './page-pack-state.ts';
import { findUnrecognisedPages } from './unrecognised-pages.ts';

interface PagePackDependencies {
  readonly database: Database;
  readonly reader: PagePackReader;
  readonly now: () => number;
}

/** For operators: which page packs bots use, what was refused, and what bots did not recognise. */
export function pagePackRoutes(auth: InternalAuth, { database, reader, now }: PagePackDependencies): Router {
  return serveCall(auth, internalCalls.operators.pagePacks, async () => {
    const unrecognised = await findUnrecognisedPages(database, new Date(now()));
    return { ...(await describePagePacks(database, reader)), unrecognised };
  });
}

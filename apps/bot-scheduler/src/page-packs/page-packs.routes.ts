import type { Router } from 'express';
import { internalCalls } from '@rapporteur/contracts';
import { serveCall } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import type { PagePackReader } from './page-pack-reader.ts';
import { describePagePacks } from './page-pack-state.ts';
import { findUnrecognisedPages } from './unrecognised-pages.ts';
import type { Context } from '../schema/context.ts';

interface PagePackDependencies extends Pick<Context, 'database' | 'now'> {
  readonly reader: PagePackReader;
}

/** For operators: which page packs bots use, what was refused, and what bots did not recognise. */
export function pagePackRoutes(auth: InternalAuth, { database, reader, now }: PagePackDependencies): Router {
  return serveCall(auth, internalCalls.operators.pagePacks, async () => {
    const unrecognised = await findUnrecognisedPages(database, new Date(now()));
    return { ...(await describePagePacks(database, reader)), unrecognised };
  });
}

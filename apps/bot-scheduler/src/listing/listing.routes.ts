import type { Executor } from '@rapporteur/database';
import { Router } from 'express';
import { addToLog, teamOf } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { describeListed, describeWithMetadata } from './describe-listed.ts';
import { listBots, listWithMetadata } from './list-bots.ts';
import { readListQuery, readMetadataQuery } from './list-filters.ts';

export interface ListingDependencies {
  readonly database: Executor;
  /** Epoch ms. */
  readonly now: () => number;
}

/** `GET /internal/v2/bots` and, for the legacy API, `GET /internal/v1/bots-with-metadata`. */
export function listingRoutes(auth: InternalAuth, { database, now }: ListingDependencies): Router {
  const router = Router();
  const gatewayOnly = auth.require(['api-gateway']);
  router.get('/internal/v2/bots', gatewayOnly, async (request, response) => {
    const teamId = teamOf(request);
    addToLog(request, { teamId });
    const { bots, cursor, prevCursor } = await listBots(database, readListQuery(teamId, request.query, now()));
    addToLog(request, { listed: bots.length });
    response.json({ success: true, data: bots.map(describeListed), cursor, prev_cursor: prevCursor });
  });
  router.get('/internal/v1/bots-with-metadata', gatewayOnly, async (request, response) => {
    const teamId = teamOf(request);
    addToLog(request, { teamId });
    const { bots, cursor } = await listWithMetadata(database, readMetadataQuery(teamId, request.query));
    addToLog(request, { listed: bots.length });
    const data = {
      items: bots.map(describeWithMetadata),
      next_cursor: cursor,
      last_updated: new Date(now()).toISOString(),
    };
    response.json({ success: true, data });
  });
  return router;
}

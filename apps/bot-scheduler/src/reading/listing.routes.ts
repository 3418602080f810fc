import { describeIntegrity } from '@rapporteur/contracts';
import { Router } from 'express';
import { addToLog, servePublic, teamOf } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import { listBots, listWithMetadata } from './list-bots.ts';
import { listRequestOf, readMetadataQuery } from './list-filters.ts';
import type { BotWithMetadata, ListedBot } from './list-bots.ts';
import type { Context } from '../schema/context.ts';

const seconds = (ms: string | null): number | null => (ms === null ? null : Math.round(Number(ms) / 1_000));
const instant = (at: Date | null): string | null => at?.toISOString() ?? null;

export type ListingDependencies = Pick<Context, 'database' | 'now'>;

/** The API of the list of bots and, for the legacy API, `GET /internal/v1/bots-with-metadata`. */
export function listingRoutes(auth: InternalAuth, { database, now }: ListingDependencies): Router {
  const list = servePublic(auth, {
    listBots: async ({ teamId, query, request }) => {
      const { bots, cursor, prevCursor } = await listBots(database, listRequestOf(teamId, query, now()));
      addToLog(request, { listed: bots.length });
      return { data: bots.map(describeListed), cursor, prev_cursor: prevCursor };
    },
  });
  const router = Router().use(list);
  router.get('/internal/v1/bots-with-metadata', auth.require(['api-gateway']), async (request, response) => {
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

/** One item of GET /v2/bots. */
function describeListed(bot: ListedBot) {
  return {
    bot_id: bot.id,
    bot_name: bot.bot_name,
    meeting_url: bot.meeting_url,
    meeting_platform: bot.meeting_platform,
    extra: bot.extra,
    duration: seconds(bot.duration_ms),
    created_at: bot.created_at.toISOString(),
    joined_at: instant(bot.joined_at),
    exited_at: instant(bot.exited_at),
    ended_at: instant(bot.ended_at),
    status: bot.status,
    error_code: bot.phase === 'failed' ? bot.end_code : null,
    error_message: bot.phase === 'failed' ? bot.end_message : null,
    tokens: bot.tokens,
    integrity_summary: bot.data_forgotten_at === null ? describeIntegrity(bot.integrity) : null,
  };
}

/** One item of the legacy list, in neutral names: the gateway translates. */
function describeWithMetadata(bot: BotWithMetadata) {
  return {
    number: Number(bot.number),
    bot_id: bot.id,
    bot_name: bot.bot_name,
    meeting_url: bot.meeting_url,
    created_at: bot.created_at.toISOString(),
    ended_at: instant(bot.ended_at),
    duration_seconds: seconds(bot.duration_ms),
    extra: bot.extra,
    access_count: Number(bot.access_count ?? 0),
    last_accessed_at: instant(bot.last_accessed_at),
    session_id: bot.run_name,
    speakers: bot.speakers.map(({ name }) => name),
    artifacts_deleted: bot.artifacts_deleted,
  };
}

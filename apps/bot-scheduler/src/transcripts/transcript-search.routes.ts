import type { TranscriptHit } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import { addToLog, invalid, readPlace, servePublic, writeCursor } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import type { Router } from 'express';
import type { TranscriberClient } from '../service-clients.ts';

export interface TranscriptSearchDependencies {
  readonly database: Executor;
  readonly transcriber: Pick<TranscriberClient, 'search'>;
}

interface FoundBot {
  readonly bot_id: string;
  readonly bot_name: string;
  readonly meeting_url: string;
  readonly meeting_platform: string;
  readonly joined_at: Date | null;
  readonly duration_seconds: number | null;
}

/**
 * The API of the search: what transcriber finds, with its bots. A bot whose data was deleted is left out from the
 * transaction of the deletion on.
 */
export function transcriptSearchRoutes(auth: InternalAuth, dependencies: TranscriptSearchDependencies): Router {
  return servePublic(auth, {
    searchTranscripts: async ({ teamId, query: { q, limit, cursor }, request }) => {
      const after = cursor === undefined ? null : readPlace(cursor);
      const place = after === null ? null : { at: after.at, id: after.id.toLowerCase() };
      const { problem, found, next } = await dependencies.transcriber.search({ teamId, q, limit, after: place });
      if (problem !== null) throw invalid('q', problem);
      const bots = await readBots(
        dependencies.database,
        teamId,
        found.map(({ botId }) => botId),
      );
      const data = found.flatMap(({ botId, hits, more }) => {
        const bot = bots.get(botId);
        return bot === undefined ? [] : [{ ...bot, hits: hits.map(describeHit), more_hits: more }];
      });
      addToLog(request, { listed: data.length });
      return { data, cursor: next === null ? null : writeCursor({ ...next, backward: false }) };
    },
  });
}

async function readBots(database: Executor, teamId: string, ids: readonly string[]): Promise<Map<string, FoundBot>> {
  const rows = await database.query<FoundBot>(
    `select id as bot_id, bot_name, meeting_url, meeting_platform, joined_at,
       duration_ms::float8 / 1000 as duration_seconds
     from bots where id = any($1::uuid[]) and team_id = $2 and data_forgotten_at is null`,
    [ids, teamId],
  );
  return new Map(rows.map((bot) => [bot.bot_id, bot]));
}

function describeHit({ startMs, endMs, speaker, speakerId, snippet }: TranscriptHit) {
  return { start: startMs / 1_000, end: endMs / 1_000, speaker, speaker_id: speakerId, snippet };
}

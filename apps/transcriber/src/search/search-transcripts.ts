import type { TranscriptSearchReply, TranscriptSearchRequest } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { findHits } from './find-hits.ts';
import type { SearchedUtterance } from './find-hits.ts';
import { indexQueryOf, readSearchQuery } from './search-query.ts';
import { readCandidates } from './words.store.ts';

/** Transcripts that one request reads. A rare phrase of frequent words needs further requests. */
const mostRead = 100;

/** One page of transcripts with what is searched, the newest first. */
export async function searchTranscripts(
  database: Database,
  { teamId, q, limit, after }: TranscriptSearchRequest,
): Promise<TranscriptSearchReply> {
  const query = readSearchQuery(q);
  if (typeof query === 'string') return { problem: query, found: [], next: null };
  const indexQuery = indexQueryOf(query, teamId);
  const found: TranscriptSearchReply['found'] = [];
  const problem = null;
  let place = after;
  for (let read = 0; read < mostRead;) {
    const wanted = limit - found.length + 1;
    const candidates = await database.transaction((transaction) =>
      readCandidates(transaction, { teamId, query: indexQuery, after: place, limit: wanted }),
    );
    for (const { bot_id: botId, at, utterances } of candidates) {
      if (found.length === limit) return { problem, found, next: place };
      place = { at, id: botId };
      const hits = findHits(JSON.parse(utterances) as SearchedUtterance[], query);
      if (hits !== null) found.push({ botId, hits: [...hits.hits], more: hits.more });
    }
    if (candidates.length < wanted) return { problem, found, next: null };
    read += candidates.length;
  }
  return { problem, found, next: place };
}

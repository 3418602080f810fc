import type { TranscriptSearchReply, TranscriptSearchRequest } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { fail } from '@rapporteur/failures';
import { nameOf } from '../artifacts/documents.ts';
import { hitOf, readSearchQuery, searchTextsOf } from './search-query.ts';
import { isOutOfTime, readMatches } from './words.store.ts';

/** What one request may cost: transcripts that are read, times the terms that are looked for in each. */
const mostTerms = 400;
/** A rare phrase of frequent words needs further requests. */
const mostRead = 100;
const mostHits = 5;
/** Searches of one team at the same time, each with a connection to the database. */
const mostAtOnce = 3;
const running = new Map<string, number>();

/** One page of transcripts with what is searched, the newest first. Throws RATE_LIMITED. */
export async function searchTranscripts(
  database: Database,
  request: TranscriptSearchRequest,
): Promise<TranscriptSearchReply> {
  const atOnce = running.get(request.teamId) ?? 0;
  if (atOnce >= mostAtOnce) throw fail('RATE_LIMITED', { retryAfterSeconds: 1 });
  running.set(request.teamId, atOnce + 1);
  try {
    return await search(database, request);
  } finally {
    const left = (running.get(request.teamId) ?? 1) - 1;
    if (left === 0) running.delete(request.teamId);
    else running.set(request.teamId, left);
  }
}

async function search(
  database: Database,
  { teamId, q, limit, after }: TranscriptSearchRequest,
): Promise<TranscriptSearchReply> {
  const query = readSearchQuery(q);
  if (typeof query === 'string') return { problem: query, found: [], next: null };
  const texts = searchTextsOf(query, teamId);
  const readable = Math.min(mostRead, Math.ceil(mostTerms / query.wanted.length));
  const found: TranscriptSearchReply['found'] = [];
  const problem = null;
  let place = after;
  for (let read = 0; read < readable;) {
    const wanted = Math.min(readable - read, limit - found.length + 1);
    const matches = await database
      .transaction((transaction) => readMatches(transaction, { teamId, texts, after: place, limit: wanted }))
      .catch((error: unknown) => {
        if (isOutOfTime(error)) return null;
        throw error;
      });
    if (matches === null) {
      if (found.length > 0) return { problem, found, next: place };
      return { problem: 'The search takes too long. Search for fewer or rarer words.', found, next: null };
    }
    for (const { bot_id: botId, names, at, utterances, is_whole: isWhole } of matches) {
      if (found.length === limit) return { problem, found, next: place };
      place = { at, id: botId };
      if (utterances.length === 0) continue;
      const hits = utterances.slice(0, mostHits).map((one) => {
        const hit = hitOf(one, query.wanted);
        return { ...hit, speaker: nameOf(names, hit.speaker, hit.speakerId) ?? hit.speaker };
      });
      found.push({ botId, hits, more: !isWhole || utterances.length > mostHits });
    }
    if (matches.length < wanted) return { problem, found, next: null };
    read += matches.length;
  }
  return { problem, found, next: place };
}

import type { Executor } from '@rapporteur/database';
import type { AttributedUtterance } from '../attribution/attribute.ts';
import type { SearchedUtterance } from './find-hits.ts';
import { teamLexeme } from './search-query.ts';
import { tokensOf } from './tokens.ts';

/** A tsvector holds 1 MiB of words. */
const mostWordBytes = 900_000;

export interface IndexedTranscript {
  readonly botId: string;
  readonly teamId: string;
  readonly utterances: readonly AttributedUtterance[];
  readonly now: Date;
}

/** Makes a transcript findable in place of the bot's earlier one, whose place in the order it keeps. */
export async function indexTranscript(transaction: Executor, transcript: IndexedTranscript): Promise<void> {
  const { botId, teamId, now } = transcript;
  const utterances = transcript.utterances.map(({ startMs, endMs, speaker, speakerId, text }): SearchedUtterance => [
    Math.round(startMs),
    Math.round(endMs),
    storable(speaker),
    speakerId,
    storable(text),
  ]);
  await transaction.query(
    `insert into transcript_words (bot_id, team_id, indexed_at, words, utterances)
     values ($1, $2, $3, array_to_tsvector($4::text[]), $5)
     on conflict (bot_id) do update set words = excluded.words, utterances = excluded.utterances`,
    [botId, teamId, now, [teamLexeme(teamId), ...distinctWords(utterances)], JSON.stringify(utterances)],
  );
}

/** PostgreSQL stores no NUL and no half of a surrogate pair. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

function distinctWords(utterances: readonly SearchedUtterance[]): Set<string> {
  const words = new Set<string>();
  let bytes = 0;
  for (const [, , , , text] of utterances) {
    for (const { word } of tokensOf(text)) {
      if (words.has(word)) continue;
      bytes += Buffer.byteLength(word);
      if (bytes > mostWordBytes) return words;
      words.add(word);
    }
  }
  return words;
}

export async function forgetTranscript(transaction: Executor, botId: string): Promise<void> {
  await transaction.query('delete from transcript_words where bot_id = $1', [botId]);
}

export interface Candidate {
  readonly bot_id: string;
  /** ISO 8601 in UTC with microseconds. */
  readonly at: string;
  /** JSON of SearchedUtterance[]. */
  readonly utterances: string;
}

export interface CandidateRead {
  readonly teamId: string;
  /** Text of a tsquery that contains the team. */
  readonly query: string;
  readonly after: { readonly at: string; readonly id: string } | null;
  readonly limit: number;
}

/**
 * The newest transcripts after a place whose words meet the query. To be called in a transaction: only the index may be
 * used, because PostgreSQL does not estimate what reading the words of every row costs.
 */
export async function readCandidates(transaction: Executor, read: CandidateRead): Promise<Candidate[]> {
  await transaction.query('set local enable_seqscan = off');
  return await transaction.query<Candidate>(
    `with matches as materialized (
       select bot_id, indexed_at from transcript_words
       where words @@ $1::tsquery and team_id = $2
         and ($3::timestamptz is null or (indexed_at, bot_id) < ($3::timestamptz, $4::uuid))
     ), page as materialized (select * from matches order by indexed_at desc, bot_id desc limit $5)
     select bot_id, to_char(page.indexed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, utterances
     from page join transcript_words using (bot_id) order by page.indexed_at desc, bot_id desc`,
    [read.query, read.teamId, read.after?.at ?? null, read.after?.id ?? null, read.limit],
  );
}

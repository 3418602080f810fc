import { mapInSlices } from '@rapporteur/async';
import type { Executor } from '@rapporteur/database';
import type { AttributedUtterance } from '../attribution/attribute.ts';
import type { SpeakerName } from '../schema/entities.ts';
import { mostWords, quoted, teamLexeme } from './search-query.ts';
import type { SearchedUtterance, SearchTexts } from './search-query.ts';
import { tokensOf } from './tokens.ts';

/** A tsvector holds 1 MiB of words. */
const mostWordBytes = 900_000;

export interface IndexedTranscript {
  readonly botId: string;
  readonly teamId: string;
  readonly utterances: readonly AttributedUtterance[];
  /** Given to its speakers. */
  readonly names?: readonly SpeakerName[];
  readonly now: Date;
}

/** Makes a transcript findable in place of the bot's earlier one, whose place in the order it keeps. */
export async function indexTranscript(transaction: Executor, transcript: IndexedTranscript): Promise<void> {
  const { botId, teamId, now, names = [] } = transcript;
  const { rows, words } = await indexOf(transcript.utterances);
  await transaction.query(
    `insert into transcript_words (bot_id, team_id, indexed_at, words, names)
     values ($1, $2, $3, array_to_tsvector($4::text[]), $5::jsonb)
     on conflict (bot_id) do update set words = excluded.words, names = excluded.names`,
    [botId, teamId, now, [teamLexeme(teamId), ...words], JSON.stringify(names)],
  );
  await transaction.query('delete from transcript_utterances where bot_id = $1', [botId]);
  await transaction.query(
    `insert into transcript_utterances (bot_id, number, part, start_ms, end_ms, speaker, speaker_id, text, words)
     select $1, number, part, start_ms, end_ms, speaker, speaker_id, text, words::tsvector
     from jsonb_to_recordset($2::jsonb) as item(number integer, part integer, start_ms integer, end_ms integer,
       speaker text, speaker_id integer, text text, words text)`,
    [botId, JSON.stringify(rows)],
  );
}

/** The rows of a transcript and its distinct words. Other work of the process runs between slices of a long one. */
export async function indexOf(utterances: readonly AttributedUtterance[]) {
  const words = new Set<string>();
  let bytes = 0;
  const add = (word: string): void => {
    if (bytes > mostWordBytes || words.has(word)) return;
    bytes += Buffer.byteLength(word);
    if (bytes <= mostWordBytes) words.add(word);
  };
  const rows = await mapInSlices(utterances, (utterance, number) => {
    const read = rowsOf(utterance, number);
    read.words.forEach(add);
    return read.rows;
  });
  return { rows: rows.flat(), words };
}

/** A tsvector keeps 256 positions of a word. */
const mostTokens = 250;
/** What is shown of a text without words is cut. */
const longestText = 20_000;

/** The rows and the words of an utterance. Rows of a long one overlap, so that each phrase is in one of them. */
function rowsOf(utterance: AttributedUtterance, number: number) {
  const text = storable(utterance.text);
  const tokens = tokensOf(text);
  const { startMs, endMs, speakerId: speaker_id } = utterance;
  const times = { start_ms: Math.round(startMs), end_ms: Math.round(endMs) };
  const step = mostTokens - mostWords;
  const count = Math.max(1, Math.ceil((tokens.length - mostWords) / step));
  const rows = Array.from({ length: count }, (_, part) => {
    const own = tokens.slice(part * step, part * step + mostTokens);
    const from = part === 0 ? 0 : (own[0]?.from ?? 0);
    const to = part === count - 1 ? text.length : (own.at(-1)?.to ?? text.length);
    const positions = new Map<string, number[]>();
    own.forEach(({ word }, at) => positions.set(word, [...(positions.get(word) ?? []), at + 1]));
    const vector = [...positions].map(([word, places]) => `${quoted(word)}:${places.join(',')}`).join(' ');
    const shown = text.slice(from, Math.min(to, from + longestText)).toWellFormed();
    return { number, part, ...times, speaker: storable(utterance.speaker), speaker_id, text: shown, words: vector };
  });
  return { rows, words: tokens.map(({ word }) => word) };
}

/** PostgreSQL stores no NUL and no half of a surrogate pair. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

export async function forgetTranscript(transaction: Executor, botId: string): Promise<void> {
  await transaction.query('delete from transcript_words where bot_id = $1', [botId]);
}

/** The names given to the speakers of a bot's transcript, locked in a transaction. */
export async function readNames(
  executor: Executor,
  botId: string,
  lock: 'for update' | '' = '',
): Promise<SpeakerName[]> {
  const [row] = await executor.query<{ names: SpeakerName[] }>(
    `select names from transcript_words where bot_id = $1 ${lock}`,
    [botId],
  );
  return row?.names ?? [];
}

export interface TranscriptMatch {
  readonly bot_id: string;
  readonly names: readonly SpeakerName[];
  /** ISO 8601 in UTC with microseconds. */
  readonly at: string;
  /** In the order of the recording, more than are shown; empty: it lacks a phrase, or has an excluded one. */
  readonly utterances: readonly SearchedUtterance[];
  /** Each has all that is wanted; otherwise each is the first one with one of the terms. */
  readonly is_whole: boolean;
}

export interface MatchRead {
  readonly teamId: string;
  readonly texts: SearchTexts;
  readonly after: { readonly at: string; readonly id: string } | null;
  readonly limit: number;
}

const statementMs = 2_500;

/** True for a statement that took longer than a search may. */
export function isOutOfTime(error: unknown): boolean {
  return (error as { readonly driverError?: { readonly code?: string } } | null)?.driverError?.code === '57014';
}

const found = `json_build_array(one.start_ms, one.end_ms, one.speaker, one.speaker_id, one.text)`;

/**
 * The newest transcripts after a place whose words meet the query, and where. To be called in a transaction: only the
 * index may be used, because PostgreSQL does not estimate what reading the words of every row costs.
 */
export async function readMatches(transaction: Executor, read: MatchRead): Promise<TranscriptMatch[]> {
  await transaction.query(`set local enable_seqscan = off`);
  await transaction.query(`set local statement_timeout = ${statementMs}`);
  const { texts } = read;
  return await transaction.query<TranscriptMatch>(
    `with matches as materialized (
       select bot_id, indexed_at, names from transcript_words
       where words @@ $1::tsquery and team_id = $2
         and ($3::timestamptz is null or (indexed_at, bot_id) < ($3::timestamptz, $4::uuid))
     ), page as materialized (select * from matches order by indexed_at desc, bot_id desc limit $5)
     select page.bot_id, page.names, to_char(page.indexed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
       case when excluded.yes then '[]' else coalesce(whole.list, apart.list, '[]') end as utterances,
       whole.list is not null as is_whole
     from page
     cross join lateral (
       select exists (
         select from transcript_utterances where bot_id = page.bot_id and words @@ $8::tsquery) as yes) excluded
     left join lateral (
       select json_agg(${found} order by number) as list from (
         select distinct on (number) * from transcript_utterances
         where bot_id = page.bot_id and words @@ $6::tsquery and not excluded.yes order by number, part limit 6) one
     ) whole on true
     left join lateral (
       select json_agg(${found} order by number, part) filter (where first) as list from (
         select *, row_number() over (partition by number, part) = 1 as first
         from unnest(case when whole.list is null and not excluded.yes then $7::text[] else '{}' end) term(query)
         left join lateral (
           select * from transcript_utterances where bot_id = page.bot_id and words @@ query::tsquery
           order by number, part limit 1) utterance on true) one
       having bool_and(one.number is not null)
     ) apart on true
     order by page.indexed_at desc, page.bot_id desc`,
    [
      texts.transcript,
      read.teamId,
      read.after?.at ?? null,
      read.after?.id ?? null,
      read.limit,
      texts.whole,
      texts.apart,
      texts.excluded,
    ],
  );
}

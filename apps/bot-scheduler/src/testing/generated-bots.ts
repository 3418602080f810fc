import { randomUUID } from 'node:crypto';
import type { Database } from '@rapporteur/database';
import { createSearchIndex } from '../reading/search-index.ts';

export interface GeneratedBots {
  readonly teamId: string;
  readonly count: number;
  /** When the newest of them was created. */
  readonly newest: Date;
}

/**
 * Fills the table with ended bots of one team, one every 30 seconds up to now, for measuring lists. As in production,
 * rows are stored by end time: neighbours in time are not neighbours on disk. Bot number n has:
 *
 * - bot_name `Customer <n % 10007> weekly <n>`; meeting_url with a code of ten letters of its own
 * - extra `customer` c-<n % 10000>, `region` (4 values), `rank` (a number), `seen` (every 7th), `rare` (every 50 000th)
 * - participants `Ada <n % 5003>` and `Grace <n % 709>`
 */
export async function generateBots(
  database: Database,
  { count, teamId = randomUUID(), newest = new Date() }: Pick<GeneratedBots, 'count'> & Partial<GeneratedBots>,
): Promise<GeneratedBots> {
  // Building it once over all rows is many times faster than a million insertions.
  await database.query('drop index if exists bots_search');
  for (let from = 1; from <= count; from += rowsAtOnce) {
    const until = Math.min(count, from + rowsAtOnce - 1);
    await database.query(generateSql, [teamId, from, until, count, newest]);
  }
  await database.query(
    `insert into token_accounts (team_id, balance, reserved, bot_count, newest_bot_at) values ($1, 0, 0, $2, $3)
     on conflict (team_id) do update set bot_count = excluded.bot_count, newest_bot_at = excluded.newest_bot_at`,
    [teamId, count, newest],
  );
  await createSearchIndex(database, silent);
  await database.query('analyze bots');
  return { teamId, count, newest };
}

const rowsAtOnce = 50_000;

const silent = { info: () => undefined, warn: () => undefined };

const generateSql = `
  insert into bots (
    id, team_id, created_at, admitted_at, bot_name, meeting_url, meeting_platform, meeting_id, canonical_url, join_url, simulated,
    configuration, request, extra, transcription_wanted, due_at, attempt, finalize_attempts, phase, status, history_count,
    updated_at, end_code, end_message, recorded, joined_at, exited_at, ended_at, duration_ms, participants, speakers,
    artifacts, artifacts_deleted, reserved_tokens, tokens, team_number)
  select gen_random_uuid(), $1, at, at, name, url, 'meet', code, url, url, false,
    jsonb_build_object('bot_name', name, 'meeting_url', url, 'recording_mode', 'speaker_view', 'entry_message', null,
      'ignored_participant_names', '[]'::jsonb, 'timeout_config', timeouts),
    jsonb_build_object('bot_name', name, 'meeting_url', url, 'recording_mode', 'speaker_view', 'entry_message', null,
      'ignored_participant_names', '[]'::jsonb, 'timeout_config', timeouts, 'allow_multiple_bots', true, 'extra', extra,
      'callback_enabled', false, 'transcription_enabled', false, 'streaming_enabled', false),
    extra, false, at, 1, 0, case when failed then 'failed' else 'completed' end,
    case when failed then 'failed' else 'completed' end, 7, ended,
    case when failed then 'INTERNAL_ERROR' else 'NO_SPEAKER' end, 'The meeting ended.', true, at, ended, ended, 1800000,
    people, people,
    jsonb_build_array(jsonb_build_object('kind', 'video', 'key', 'artifacts/1/video.mp4', 'bytes', 1, 'sha256', 'x',
      'contentType', 'video/mp4')),
    false, 0, '{"recording":1800,"transcription":0,"byok_transcription":0,"streaming_input":0,"streaming_output":0,"total":1800}',
    n
  from (
    select n, $5::timestamptz - ($4::bigint - n) * interval '30 seconds' as at, random() * interval '1 hour' as lasted,
      n % 97 = 0 as failed,
      'Customer ' || n * 7919 % 10007 || ' weekly ' || n as name,
      translate(substr(md5(n::text), 1, 3) || '-' || substr(md5(n::text), 4, 4) || '-' || substr(md5(n::text), 8, 3),
        '0123456789', 'ghijklmnop') as code,
      '{"waiting_room_timeout":600,"no_one_joined_timeout":600,"silence_timeout":600,"grace_period":0}'::jsonb as timeouts,
      jsonb_build_object('customer', 'c-' || n * 104729 % 10000, 'region', (array['eu', 'us', 'asia', 'africa'])[1 + n % 4],
          'rank', n * 15485863 % 1000003)
        || case when n % 7 = 0 then jsonb_build_object('seen', true) else '{}' end
        || case when n % 50000 = 0 then jsonb_build_object('rare', 'r-' || n) else '{}' end as extra,
      jsonb_build_array(jsonb_build_object('id', 1, 'name', 'Ada ' || n % 5003),
        jsonb_build_object('id', 2, 'name', 'Grace ' || n % 709)) as people
    from generate_series($2::bigint, $3::bigint) as n
  ) bot cross join lateral (select 'https://meet.google.com/' || code as url, at + lasted as ended) more
  order by ended`;

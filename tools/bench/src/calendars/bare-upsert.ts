import { cpuUsage } from 'node:process';
import pg from 'pg';
import { treeCpuMsOf } from '../measure/cpu.ts';

interface GoogleItem {
  readonly id: string;
  readonly iCalUID: string;
  readonly summary?: string;
  readonly description?: string;
  readonly start: { readonly dateTime?: string };
  readonly end: { readonly dateTime?: string };
  readonly attendees?: unknown;
}

/** Into a table with the columns and indexes of calendar-sync's, but without its references to other tables. */
const upsertSql = `
  insert into bench_events (event_id, calendar_id, team_id, series_id, occurrence_key, provider_event_id, meeting_key, title,
    description, start_at, end_at, is_all_day, time_zone, status, is_exception, is_private, is_organizer, attendees, raw,
    content_hash, bot_excluded, created_at, updated_at)
  select gen_random_uuid(), $1, $1, $1, id, id, uid, title, description, start_at, end_at, false, 'UTC', 'confirmed', false,
    false, true, attendees, raw, '', false, now(), now()
    from jsonb_to_recordset($2::jsonb) as given (id text, uid text, title text, description text, start_at timestamptz,
      end_at timestamptz, attendees jsonb, raw jsonb)
  on conflict (calendar_id, occurrence_key) do update set title = excluded.title, start_at = excluded.start_at,
    end_at = excluded.end_at, attendees = excluded.attendees, raw = excluded.raw, updated_at = excluded.updated_at`;

export interface BareUpsert {
  readonly databaseUrl: string;
  readonly postgresPid: number;
  /** Pages of each calendar, by its id in the database. */
  readonly pages: ReadonlyMap<string, readonly string[]>;
}

/**
 * The reference: JSON.parse and one batched upsert per page. Returns events per CPU-second of this process and
 * PostgreSQL.
 */
export async function measureBareUpsert({ databaseUrl, postgresPid, pages }: BareUpsert): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('drop table if exists bench_events');
    await client.query('create table bench_events (like calendars.events including all)');
    let events = 0;
    const [ownBefore, postgresBefore] = [cpuUsage(), treeCpuMsOf(postgresPid)];
    for (const [calendarId, texts] of pages) {
      for (const text of texts) {
        const { items } = JSON.parse(text) as { items: readonly GoogleItem[] };
        await client.query(upsertSql, [calendarId, JSON.stringify(items.map(rowOf))]);
        events += items.length;
      }
    }
    const own = cpuUsage(ownBefore);
    const cpuMs = (own.user + own.system) / 1_000 + treeCpuMsOf(postgresPid) - postgresBefore;
    return (events / cpuMs) * 1_000;
  } finally {
    await client.query('drop table if exists bench_events').catch(() => undefined);
    await client.end();
  }
}

function rowOf(item: GoogleItem) {
  return {
    id: item.id,
    uid: item.iCalUID,
    title: item.summary ?? '',
    description: item.description ?? null,
    start_at: item.start.dateTime,
    end_at: item.end.dateTime,
    attendees: item.attendees ?? [],
    raw: item,
  };
}

import type { Router } from 'express';
import { pageOf, servePublic } from '@rapporteur/service-runtime';
import type { InternalAuth, Page, QueryOf } from '@rapporteur/service-runtime';
import type { Executor } from '@rapporteur/database';
import type { Context } from '../schema/context.ts';
import { readBotCursor } from './list-cursor.ts';

export type UsageDependencies = Pick<Context, 'database' | 'now'>;

/** The API of resource usage. */
export function usageRoutes(auth: InternalAuth, dependencies: UsageDependencies): Router {
  const { database, now } = dependencies;
  return servePublic(auth, {
    listDailyUsage: async ({ teamId, query }) => ({
      data: await listDailyUsage(database, { teamId, at: now() }, query),
    }),
    listBotUsage: async ({ teamId, query }) => {
      const { rows, cursor, prevCursor } = await listBotUsage(database, teamId, query);
      return { data: rows, cursor, prev_cursor: prevCursor };
    },
  });
}

/** An item in the shape of the public API. */
export interface BotUsage {
  readonly bot_id: string;
  readonly ended_at: string;
  readonly meeting_platform: string;
  readonly recorded_seconds: number;
  readonly cpu_seconds: number | null;
  readonly peak_memory_bytes: number | null;
  readonly stored_bytes: number;
  readonly provider_seconds: number;
  readonly tokens: number;
}

export interface DailyUsage extends Pick<
  BotUsage,
  'recorded_seconds' | 'stored_bytes' | 'provider_seconds' | 'tokens'
> {
  readonly day: string;
  readonly bots: number;
  readonly cpu_seconds: number;
}

const usualDays = 31;
const dayMs = 86_400_000;

/** SQL for a number in the JSON column `resource_usage`. */
const used = (field: string): string => `(resource_usage->>'${field}')::float8`;
const recordedSeconds = 'coalesce(duration_ms, 0)::float8 / 1000';
const tokens = `coalesce((tokens->>'total')::float8, 0)`;
const storedBytes = `coalesce(${used('uploadedBytes')}, 0)`;
const providerSeconds = `coalesce(${used('providerMs')}, 0) / 1000`;

/** Usage of the team's bots, by the day (UTC) of their end. */
async function listDailyUsage(
  database: Executor,
  { teamId, at }: { readonly teamId: string; readonly at: number },
  { ended_before, ended_after }: QueryOf<'listDailyUsage'>,
): Promise<DailyUsage[]> {
  const before = ended_before ?? new Date(at + dayMs).toISOString();
  const earliestMs = Math.max(Date.parse(before) - usualDays * dayMs, Date.parse('0001-01-01T00:00:00Z'));
  const after = ended_after ?? new Date(earliestMs).toISOString();
  return await database.query<DailyUsage>(
    `select to_char(ended_at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*)::int as bots,
       sum(${recordedSeconds}) as recorded_seconds, coalesce(sum(${used('cpuMs')}), 0) / 1000 as cpu_seconds,
       sum(${storedBytes}) as stored_bytes, sum(${providerSeconds}) as provider_seconds, sum(${tokens}) as tokens
     from bots where team_id = $1 and ended_at is not null and ended_at >= $2 and ended_at < $3
     group by 1 order by 1`,
    [teamId, after, before],
  );
}

/** One page of the team's ended bots, newest end first. Throws VALIDATION for a cursor of another list. */
async function listBotUsage(
  database: Executor,
  teamId: string,
  { limit, cursor, ended_after, ended_before }: QueryOf<'listBotUsage'>,
): Promise<Page<BotUsage>> {
  const from = cursor === undefined ? null : readBotCursor(cursor);
  const backward = from?.backward === true;
  const found = await database.query<BotUsage>(
    `select id as bot_id, to_char(ended_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as ended_at,
       meeting_platform, ${recordedSeconds} as recorded_seconds, ${used('cpuMs')} / 1000 as cpu_seconds,
       ${used('peakMemoryBytes')} as peak_memory_bytes, ${storedBytes} as stored_bytes,
       ${providerSeconds} as provider_seconds, ${tokens} as tokens
     from bots
     where team_id = $1 and ended_at is not null
       and ($2::timestamptz is null or ended_at >= $2) and ($3::timestamptz is null or ended_at < $3)
       and ($4::timestamptz is null or (ended_at, id) ${backward ? '>' : '<'} ($4, $5::uuid))
     order by ${backward ? 'ended_at, id' : 'ended_at desc, id desc'} limit ${limit + 1}`,
    [teamId, ended_after ?? null, ended_before ?? null, from?.at ?? null, from?.id ?? null],
  );
  return pageOf(found, { limit, from, placeOf: ({ ended_at, bot_id }) => ({ at: ended_at, id: bot_id }) });
}

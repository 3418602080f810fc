import { internalCalls } from '@rapporteur/contracts';
import type { FleetReport } from '@rapporteur/contracts';
import type { Executor } from '@rapporteur/database';
import { serveCall } from '@rapporteur/service-runtime';
import type { InternalAuth } from '@rapporteur/service-runtime';
import type { Router } from 'express';
import { readCapacity } from './capacity.ts';
import type { CapacityDependencies } from './capacity.ts';

const dayMs = 86_400_000;
/** Bounds the time of the queries in a deployment that sends more in a day. */
const newestBots = 20_000;
const lateSeconds = 10;
const mostCauses = 50;
const shownDays = 30;

const newest = `newest as (
  select id, bot_name, team_id, meeting_platform, phase, end_code, end_message, admitted_at, ended_at, join_at
  from bots order by number desc limit ${newestBots})`;

/** The state of the deployment and of its last day. */
export async function readFleet(dependencies: CapacityDependencies): Promise<FleetReport> {
  const { database, now } = dependencies;
  const at = new Date(now());
  const since = new Date(at.getTime() - dayMs);
  const [capacity, phases, punctuality, platforms, failures, hours, days] = await Promise.all([
    readCapacity(dependencies),
    database.query<FleetReport['phases'][number]>(
      `select phase, meeting_platform as platform, count(*)::int as bots from bots where ended_at is null
       group by 1, 2 order by 1, 2`,
    ),
    readPunctuality(database, since, at),
    database.query<FleetReport['platforms'][number]>(
      `with ${newest}
       select meeting_platform as platform, count(*)::int as ended, count(*) filter (where phase = 'failed')::int as failed
       from newest where ended_at >= $1 group by 1 order by 1`,
      [since],
    ),
    readFailures(database, since),
    readPeriods(database, 'hour', [since, at]),
    readPeriods(database, 'day', [new Date(at.getTime() - shownDays * dayMs), at]),
  ]);
  const { limit, used, queued, oldestQueuedSeconds, pending, expectedPickupSeconds, obstacles } = capacity;
  return {
    at: at.toISOString(),
    phases,
    capacity: {
      limit,
      used,
      queued,
      oldestQueuedSeconds,
      pending,
      expectedPickupSeconds,
      obstacles: obstacles.map(({ cause, message, runs }) => ({ cause, message, runs })),
    },
    newestBots,
    punctuality,
    hours,
    days,
    platforms,
    failures,
  };
}

/** From the requested time to the beginning of the first attempt to join. */
async function readPunctuality(database: Executor, since: Date, at: Date): Promise<FleetReport['punctuality']> {
  const [row] = await database.query<FleetReport['punctuality']>(
    `with ${newest}, started as (
       select greatest(0, extract(epoch from min(history.at) - newest.join_at))::float8 as seconds
       from newest join bot_history history on history.bot_id = newest.id and history.code = 'joining_call'
       where newest.join_at >= $1 and newest.join_at <= $2 group by newest.id, newest.join_at)
     select count(*)::int as bots, count(*) filter (where seconds > ${lateSeconds})::int as late,
       percentile_cont(0.95) within group (order by seconds) as "p95Seconds", max(seconds) as "mostSeconds"
     from started`,
    [since, at],
  );
  return row ?? { bots: 0, late: 0, p95Seconds: null, mostSeconds: null };
}

/** The beginning of each period is an event without a change: the sums hold over periods in which nothing happens. */
async function readPeriods(
  database: Executor,
  unit: 'hour' | 'day',
  span: readonly [Date, Date],
): Promise<FleetReport['days']> {
  const rows = await database.query<Omit<FleetReport['days'][number], 'at'> & { at: Date }>(
    `with ${newest}, launches as (
       select id, admitted_at, coalesce(min(leases.created_at), newest.ended_at) as launched_at
       from newest left join leases on bot_id = id group by id, admitted_at, newest.ended_at),
     events as (
       select at, 0 as queued, 0 as used, 0 as ended, 0 as failed from
         generate_series(date_trunc('${unit}', $1::timestamptz, 'UTC'), $2::timestamptz, '1 ${unit}', 'UTC') as at
       union all select admitted_at, 1, 0, 0, 0 from launches
       union all select launched_at, -1, 0, 0, 0 from launches where launched_at is not null
       union all select leases.created_at, 0, 1, 0, 0 from newest join leases on bot_id = id
       union all select leases.ended_at, 0, -1, 0, 0 from newest join leases on bot_id = id where leases.ended_at is not null
       union all select ended_at, 0, 0, 1, (phase = 'failed')::int from newest where ended_at is not null),
     sums as (
       select at, ended, failed, sum(queued) over (order by at) as queued, sum(used) over (order by at) as used from events)
     select date_trunc('${unit}', at, 'UTC') as at, sum(ended)::int as ended, sum(failed)::int as failed,
       greatest(0, max(queued))::int as queued, max(used)::int as used
     from sums where at >= date_trunc('${unit}', $1::timestamptz, 'UTC') group by 1 order by 1`,
    span,
  );
  return rows.map(({ at, ...counts }) => ({ at: at.toISOString(), ...counts }));
}

interface FailureRow {
  readonly code: string | null;
  readonly bots: number;
  readonly bot_id: string;
  readonly bot_name: string;
  readonly team_name: string | null;
  readonly team_id: string;
  readonly ended_at: Date;
  readonly message: string | null;
}

async function readFailures(database: Executor, since: Date): Promise<FleetReport['failures']> {
  const rows = await database.query<FailureRow>(
    `with ${newest}, failed as (
       select *, count(*) over (partition by end_code)::int as bots,
         row_number() over (partition by end_code order by ended_at desc, id) as place
       from newest where phase = 'failed' and ended_at >= $1)
     select end_code as code, bots, id as bot_id, bot_name, team_id, name as team_name, ended_at,
       end_message as message
     from failed left join team_limits using (team_id) where place = 1 order by bots desc, end_code limit ${mostCauses}`,
    [since],
  );
  return rows.map(({ code, bots, ended_at: endedAt, message, ...example }) => ({
    code: code ?? 'UNKNOWN',
    bots,
    example: {
      botId: example.bot_id,
      botName: example.bot_name,
      teamId: example.team_id,
      teamName: example.team_name,
      endedAt: endedAt.toISOString(),
      message,
    },
  }));
}

/** For operators, through the console. */
export function fleetRoutes(auth: InternalAuth, dependencies: CapacityDependencies): Router {
  return serveCall(auth, internalCalls.operators.fleet, () => readFleet(dependencies));
}

import type { Executor } from '@rapporteur/database';

/** How fast bots can be started at present. */
export interface StartPace {
  /** Launches per second that the machine or cluster accepts; Infinity where nothing limits them. */
  readonly perSecond: number;
  /** Time from launch to a started runner, or null before the first one. */
  readonly startLatencyMs: number | null;
}

/** Bots that join in the same second and are not launched yet. */
export interface DueCount {
  readonly joinAtMs: number;
  readonly bots: number;
}

export interface LeadLimits {
  /** Always: what a runner needs between its start and its meeting. */
  readonly leastMs: number;
  /** Never more: schedules can be changed until 4 minutes before they join. */
  readonly mostMs: number;
}

/**
 * How long before its join time a scheduled bot has to be launched, given who else is due. Launches follow each other in the
 * order of join times, so the bots of a second must begin as early as all of those up to it take. Pure.
 */
export function leadTimeMs(due: readonly DueCount[], pace: StartPace, limits: LeadLimits, nowMs: number): number {
  const fixedMs = limits.leastMs + (pace.startLatencyMs ?? 0);
  let leadMs = fixedMs;
  let before = 0;
  for (const { joinAtMs, bots } of due.toSorted((one, other) => one.joinAtMs - other.joinAtMs)) {
    before += bots;
    const mustBeginAtMs = joinAtMs - fixedMs - (before / pace.perSecond) * 1_000;
    if (mustBeginAtMs <= nowMs) leadMs = Math.max(leadMs, joinAtMs - nowMs);
  }
  return Math.min(leadMs, limits.mostMs);
}

/** Bots that wait for a launch, and schedules that join within `horizonMs`, by the second. */
export async function findDue(executor: Executor, nowMs: number, horizonMs: number): Promise<DueCount[]> {
  const rows = await executor.query<{ join_at: Date; bots: number }>(
    `select date_trunc('second', join_at) as join_at, count(*)::int as bots from scheduled_bots
     where state = 'scheduled' and spawned_at is null and join_at <= $2 group by 1
     union all
     select $1::timestamptz, count(*)::int from bots where wants_run is not null and due_at <= $1`,
    [new Date(nowMs), new Date(nowMs + horizonMs)],
  );
  return rows.map(({ join_at, bots }) => ({ joinAtMs: join_at.getTime(), bots }));
}

import type { Executor } from '@rapporteur/database';

/** The current start rate. */
export interface StartPace {
  /** Launches per second that the machine or cluster accepts; Infinity without a limit. */
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
  /** Minimum: the time of a runner from its start to its meeting. */
  readonly leastMs: number;
  /** Maximum: schedules can be changed until 4 minutes before they join. */
  readonly mostMs: number;
}

/**
 * How long before its join time a scheduled bot has to be launched, given all bots that are due. Bots are launched by
 * join time, so the bots of a second start early enough for all launches up to theirs. Pure.
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

/** Bots that wait for a launch, and schedules that join within `horizonMs`, counted per second. */
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

import { loadavg } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mapConcurrently } from '@rapporteur/async';
import { systemClock } from '@rapporteur/service-runtime';
import { waitFor } from '@rapporteur/testbed';
import { judgeEnds, overlaps, quantile } from './attendance-verdict.ts';
import { openClusterScheduler } from './cluster-scheduler.ts';
import type { ClusterScheduler } from './cluster-scheduler.ts';
import { FleetMeter, print } from './fleet-meter.ts';
import { scheduleBots } from './schedule-bots.ts';

export interface Fleet {
  readonly bots: number;
  readonly duePerSecond: number;
  /** How long all bots are in their meetings at the same time. */
  readonly stayMs: number;
  readonly endsPerSecond: number;
  /** Time to live of ended Jobs. */
  readonly keepEndedMs: number;
}

const lateMs = 1_000;
/** Timers of Node may fire this early. */
const timerMs = 5;
/** From the schedule to the first join: longer than the lead time. */
const firstJoinMs = 45_000;
const marginMs = 180_000;
/** Requests to leave that wait for their response or their time. */
const endsAtOnce = 30;

/** Tests bots that join one after another until all are in their meetings, and then end one after another. */
export function testFleet(fleet: Fleet): void {
  const { bots, duePerSecond, stayMs, endsPerSecond, keepEndedMs } = fleet;
  describe(`${bots} bots in their meetings at the same time, ${duePerSecond} due per second`, () => {
    let opened: ClusterScheduler;
    let meter: FleetMeter;
    beforeAll(async () => {
      opened = await openClusterScheduler({ KUBERNETES_KEEP_ENDED_MS: String(keepEndedMs), SWEEP_MS: '1000' });
      await opened.scheduler.start();
      meter = new FleetMeter(opened);
      meter.start();
    }, 120_000);
    afterAll(async () => {
      await meter.stop();
      await opened.remove();
    }, 300_000);

    test(
      'each joins in time, once, and ends with its recording',
      async () => {
        const { scheduler, runners } = opened;
        const joinFromMs = Date.now() + firstJoinMs;
        const { teamId } = await scheduleBots(scheduler, bots, new Date(joinFromMs), 1_000 / duePerSecond);
        await meter.begin(`${duePerSecond} joins per second`);
        await waitFor(() => runners.attendances.length >= bots, {
          what: 'every bot to join',
          timeoutMs: firstJoinMs + (bots / duePerSecond) * 2_000 + marginMs,
        });
        await meter.begin(`${bots} in their meetings`);
        await systemClock.sleep(stayMs);
        await meter.begin(`${endsPerSecond} ends per second`);
        await endAll(opened, teamId, endsPerSecond);
        await meter.begin(null);
        const removedMs = await waitUntilRemoved(opened, keepEndedMs);
        const verdict = await judge(opened, fleet);
        print(
          `unanswered renewals: ${opened.sent.unanswered} of ${opened.sent.renewals}; ` +
            `no Job ${(removedMs / 1_000).toFixed(0)} s after the last end, time to live ${keepEndedMs / 1_000} s`,
        );
        expect(verdict).toEqual({
          late: 0,
          early: 0,
          twice: 0,
          lost: 0,
          ends: bots,
          attendances: bots,
          finalEvents: bots,
          reasons: { API_REQUEST: bots },
        });
      },
      firstJoinMs + (bots / duePerSecond + bots / endsPerSecond) * 2_000 + stayMs + keepEndedMs + 4 * marginMs,
    );
  });
}

/** Requests the end of every bot at this rate; resolves when all have ended. */
async function endAll({ scheduler, runners }: ClusterScheduler, teamId: string, perSecond: number): Promise<void> {
  const fromMs = Date.now();
  await mapConcurrently([...runners.attendances.entries()], endsAtOnce, async ([place, { botId }]) => {
    await systemClock.sleep(Math.max(0, fromMs + (place / perSecond) * 1_000 - Date.now()));
    const { status } = await scheduler.sendRequest('POST', `/internal/v2/bots/${botId}/leave`, teamId);
    if (status >= 300) throw new Error(`The end of ${botId} was refused with ${status}.`);
  });
  const sql = 'select count(*)::int as bots from bots where ended_at is null';
  const allEnded = async () => (await scheduler.database.query<{ bots: number }>(sql))[0]?.bots === 0;
  await waitFor(allEnded, { what: 'all bots to end', timeoutMs: marginMs });
}

/** @returns milliseconds until no Job is left */
async function waitUntilRemoved({ cluster }: ClusterScheduler, keepEndedMs: number): Promise<number> {
  const fromMs = Date.now();
  await waitFor(async () => (await cluster.count('jobs')) === 0, {
    what: 'the time to live to remove every Job',
    timeoutMs: keepEndedMs + marginMs,
  });
  return Date.now() - fromMs;
}

async function judge({ scheduler, runners }: ClusterScheduler, { bots }: Fleet) {
  const { attendances } = runners;
  const latenessMs = attendances
    .map(({ joinedAtMs, joinAtMs }) => joinedAtMs - (joinAtMs ?? joinedAtMs))
    .toSorted((one, other) => one - other);
  const starts = await scheduler.database.query<{ ms: number }>(
    `select (extract(epoch from redeemed_at - leases.created_at) * 1000)::float8 as ms
     from leases join launch_tickets using (bot_id, attempt) where redeemed_at is not null order by ms`,
  );
  const startMs = starts.map(({ ms }) => ms);
  const late = latenessMs.filter((ms) => ms > lateMs).length;
  const of = (sorted: readonly number[]): string =>
    `median ${quantile(sorted, 0.5).toFixed(0)}, p99 ${quantile(sorted, 0.99).toFixed(0)}, longest ${quantile(sorted, 1).toFixed(0)} ms`;
  const ends = await judgeEnds(scheduler.database);
  const twice = overlaps(attendances);
  print(
    `${bots} bots: ${late} late; join after the due time: ${of(latenessMs)}; from the claim to the runner's start: ${of(startMs)}; ` +
      `lost ${ends.lost}, twice ${twice}; load ${loadavg()[0]?.toFixed(1)}`,
  );
  const early = latenessMs.filter((ms) => ms < -timerMs).length;
  return { late, early, twice, attendances: attendances.length, ...ends };
}

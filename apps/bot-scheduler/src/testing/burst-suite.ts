import { loadavg } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readAllStats, sumCpuMs, treeBelow } from '@rapporteur/process-identity';
import { waitFor } from '@rapporteur/testbed';
import { assumedPerSecond } from '../launch/kubernetes/throughput.ts';
import { longestLeadMs } from '../scheduled/run-due.ts';
import { quantile } from './attendance-verdict.ts';
import type { JobScheduler } from './cluster-scheduler.ts';
import { scheduleBots } from './schedule-bots.ts';

export interface Burst {
  readonly bots: number;
  readonly createsPerSecond: number;
  /** Description of the API server. */
  readonly server: string;
  readonly open: (settings: Record<string, string>) => Promise<JobScheduler>;
}

const lateMs = 1_000;
/** Timers of Node may fire this early. */
const timerMs = 5;
/** In addition to the launches: the fixed lead time, and time to schedule the bots. */
const marginMs = 40_000;

/** Tests bots that are all due in the same second, against an API server that is called at this rate. */
export function testBurst({ bots, createsPerSecond, server, open }: Burst): void {
  describe(`${bots} bots of one second at ${createsPerSecond} Jobs per second`, () => {
    let opened: JobScheduler;
    beforeAll(async () => {
      opened = await open({ KUBERNETES_CREATES_PER_SECOND: String(createsPerSecond) });
      await opened.scheduler.start();
    }, 120_000);
    afterAll(() => opened.remove(), 120_000);

    test(
      'join in that second',
      async () => {
        const { scheduler, runners } = opened;
        const launchMs = Math.min(longestLeadMs, (bots / Math.min(createsPerSecond, assumedPerSecond)) * 1_000);
        const joinAtMs = Math.ceil((Date.now() + launchMs + marginMs) / 1_000) * 1_000;
        const cpuBeforeMs = cpuMsOf(scheduler.pid());
        const before = await opened.createdJobs();
        await scheduleBots(scheduler, bots, new Date(joinAtMs));
        await waitFor(() => runners.attendances.length >= bots, {
          what: 'every bot to join',
          timeoutMs: joinAtMs - Date.now() + 120_000,
        }).catch(async (error: unknown) => {
          process.stderr.write(
            `burst: ${runners.attendances.length} joined; ${await describeLaunches(opened, joinAtMs)}\n`,
          );
          throw error;
        });
        const created = (await opened.createdJobs()) - before;
        const latenessMs = runners.attendances.map(({ joinedAtMs }) => joinedAtMs - joinAtMs).toSorted((a, b) => a - b);
        const at = (share: number): number => quantile(latenessMs, share);
        const late = latenessMs.filter((ms) => ms > lateMs).length;
        const cpuMs = cpuMsOf(scheduler.pid()) - cpuBeforeMs;
        process.stderr.write(
          `burst: ${bots} bots at ${createsPerSecond}/s, ${server}: ${late} late; join after its second: median ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms; ` +
            `${created} Jobs created; ${await describeLaunches(opened, joinAtMs).catch(String)}; ` +
            `scheduler ${(cpuMs / bots).toFixed(1)} ms of CPU per bot; load ${loadavg()[0]?.toFixed(1)}\n`,
        );
        expect({ late, created, early: latenessMs.filter((ms) => ms < -timerMs).length }).toEqual({
          late: 0,
          created: bots,
          early: 0,
        });
      },
      (bots / createsPerSecond) * 1_000 + 600_000,
    );
  });
}

const cpuMsOf = (pid: number): number => sumCpuMs(treeBelow(pid, readAllStats()));

/** When the first attempts were launched and their tickets redeemed, in seconds before the join. */
async function describeLaunches({ scheduler }: JobScheduler, joinAtMs: number): Promise<string> {
  const [row] = await scheduler.database.query<Record<string, number | string | null>>(
    `select count(*)::int as launched, count(redeemed_at)::int as redeemed,
       extract(epoch from $1 - min(leases.created_at))::int as first, extract(epoch from $1 - max(leases.created_at))::int as last,
       extract(epoch from $1 - min(redeemed_at))::int as "firstRedeemed",
       extract(epoch from $1 - max(redeemed_at))::int as "lastRedeemed",
       (select json_object_agg(coalesce(cause, 'none'), runs) from (select cause, count(*) as runs from run_ends group by 1) ends)::text as ends
     from leases join launch_tickets using (bot_id, attempt) where attempt = 1`,
    [new Date(joinAtMs)],
  );
  return (
    `${row?.['launched']} launched from ${row?.['first']} to ${row?.['last']} s before it, ` +
    `${row?.['redeemed']} tickets redeemed from ${row?.['firstRedeemed']} to ${row?.['lastRedeemed']} s before it, ` +
    `runs that ended: ${row?.['ends'] ?? 'none'}`
  );
}

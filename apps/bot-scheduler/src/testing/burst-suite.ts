import { loadavg } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readAllStats, sumCpuMs, treeBelow } from '@rapporteur/process-identity';
import { waitFor } from '@rapporteur/testbed';
import { assumedPerSecond } from '../launch/kubernetes/throughput.ts';
import { longestLeadMs } from '../scheduled/run-due.sweep.ts';
import { openClusterScheduler } from './cluster-scheduler.ts';
import type { ClusterScheduler } from './cluster-scheduler.ts';
import { createBody } from './create-body.ts';
import { addTeam } from './test-scheduler.ts';

export interface Burst {
  readonly bots: number;
  readonly createsPerSecond: number;
}

const lateMs = 1_000;
/** Timers of Node may fire so much early. */
const timerMs = 5;
/** Beside the launches themselves: the fixed lead time, and room to schedule the bots in. */
const marginMs = 40_000;

/** Bots that are all due in the same second, against a real control plane that is used at this rate. */
export function testBurst({ bots, createsPerSecond }: Burst): void {
  describe(`${bots} bots of one second at ${createsPerSecond} Jobs per second`, () => {
    let opened: ClusterScheduler;
    beforeAll(async () => {
      opened = await openClusterScheduler({ KUBERNETES_CREATES_PER_SECOND: String(createsPerSecond) });
      await opened.scheduler.start();
    });
    afterAll(() => opened.remove());

    test(
      'join in that second',
      async () => {
        const { scheduler, cluster, runners } = opened;
        const launchMs = Math.min(longestLeadMs, (bots / Math.min(createsPerSecond, assumedPerSecond)) * 1_000);
        const joinAtMs = Math.ceil((Date.now() + launchMs + marginMs) / 1_000) * 1_000;
        const cpuBeforeMs = cpuMsOf(scheduler.pid());
        const before = await requestsOf(cluster);
        await scheduleBots(opened, bots, new Date(joinAtMs));
        await waitFor(() => runners.attendances.length >= bots, {
          what: 'every bot to join',
          timeoutMs: joinAtMs - Date.now() + 120_000,
        });
        const after = await requestsOf(cluster);
        const latenessMs = runners.attendances.map(({ joinedAtMs }) => joinedAtMs - joinAtMs).toSorted((a, b) => a - b);
        const at = (share: number): number => latenessMs[Math.ceil(latenessMs.length * share) - 1] ?? 0;
        const late = latenessMs.filter((ms) => ms > lateMs).length;
        const created = (after.get('jobs POST') ?? 0) - (before.get('jobs POST') ?? 0);
        const cpuMs = cpuMsOf(scheduler.pid()) - cpuBeforeMs;
        process.stderr.write(
          `burst: ${bots} bots at ${createsPerSecond}/s: ${late} late; join after its second: median ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms; ` +
            `${created} Jobs created; scheduler ${(cpuMs / bots).toFixed(1)} ms of CPU per bot; load ${loadavg()[0]?.toFixed(1)}\n`,
        );
        expect({ late, created, early: latenessMs.filter((ms) => ms < -timerMs).length }).toEqual({
          late: 0,
          created: bots,
          early: 0,
        });
      },
      (bots / createsPerSecond) * 1_000 + 300_000,
    );
  });
}

const cpuMsOf = (pid: number): number => sumCpuMs(treeBelow(pid, readAllStats()));

/** Requests that the API server has seen, by resource and verb. */
async function requestsOf({ client }: ClusterScheduler['cluster']): Promise<Map<string, number>> {
  const text = await client.request<string>('GET', '/metrics');
  const counts = new Map<string, number>();
  for (const [, labels = '', value = '0'] of text.matchAll(/^apiserver_request_total\{([^}]*)\} (\S+)$/gm)) {
    const label = (name: string): string => new RegExp(`[{,]${name}="([^"]*)"`).exec(`{${labels}`)?.[1] ?? '';
    const key = `${label('resource')} ${label('verb')}`;
    counts.set(key, (counts.get(key) ?? 0) + Number(value));
  }
  return counts;
}

/** One bot by the API, the others as copies of its row. */
async function scheduleBots({ scheduler }: ClusterScheduler, bots: number, joinAt: Date): Promise<void> {
  const teamId = await addTeam(scheduler.database, { dailyBotCap: 1_000_000, tokens: 1_000_000 });
  const body = createBody({ bot_name: 'records', join_at: new Date(Date.now() + 86_400_000).toISOString() });
  const { status, body: reply } = await scheduler.sendRequest('POST', '/internal/v2/bots/scheduled', teamId, body);
  if (status !== 201) throw new Error(`The bot was refused with ${status}: ${JSON.stringify(reply)}`);
  const first = reply.data['bot_id'] as unknown as string;
  await scheduler.database.query('update scheduled_bots set join_at = $2 where id = $1', [first, joinAt]);
  await scheduler.database.query(
    `insert into scheduled_bots
     select (jsonb_populate_record(null::scheduled_bots, to_jsonb(one) || jsonb_build_object('id', gen_random_uuid()))).*
     from scheduled_bots one, generate_series(2, $2::int) where one.id = $1`,
    [first, bots],
  );
}

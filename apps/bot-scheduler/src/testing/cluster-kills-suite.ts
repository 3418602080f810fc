import { loadavg } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startOwnCluster } from '@rapporteur/cluster';
import type { TestCluster } from '@rapporteur/cluster';
import { injectFaults, planFaults, seeded, waitFor } from '@rapporteur/testbed';
import type { ServiceProcess } from '@rapporteur/testbed';
import { judgeEnds, overlaps } from './attendance-verdict.ts';
import { openClusterScheduler } from './cluster-scheduler.ts';
import type { ClusterScheduler } from './cluster-scheduler.ts';
import { addTeam } from './test-scheduler.ts';

export interface ClusterKills {
  readonly bots: number;
  readonly kills: number;
  readonly seed: number;
}

let control: TestCluster;
let opened: ClusterScheduler;
let replica: ServiceProcess;
let teamId: string;

const settleWithinMs = 60_000;
/** Pause between two kills. */
const pauseMs = 400;
const launching = { RAPPORTEUR_MAX_CONCURRENT_BOTS: '20000' };

/**
 * Kills runners, both schedulers and the API server of a separate control plane while bots run as Jobs. The attendances
 * that the meetings recorded are the reference.
 */
export function testClusterKills({ bots, kills, seed }: ClusterKills): void {
  describe(`${kills} kills while ${bots} bots run as Jobs, seed ${seed}`, () => {
    const given = process.env['KUBECONFIG'];

    beforeAll(async () => {
      control = await startOwnCluster(() => undefined);
      process.env['KUBECONFIG'] = control.kubeconfigFile;
      opened = await openClusterScheduler({
        REJOINS_AFTER_FAILURE: '10',
        KUBERNETES_CREATES_PER_SECOND: '50',
        TICKET_TTL_MS: '30000',
      });
      await opened.scheduler.start();
      replica = await opened.scheduler.startReplica(launching);
      teamId = await addTeam(opened.scheduler.database, { dailyBotCap: 1_000_000, tokens: 3_600_000_000 });
    }, 180_000);
    afterAll(async () => {
      await opened.remove();
      await control.stop();
      process.env['KUBECONFIG'] = given;
    }, 120_000);

    test(
      'no bot is lost and none is twice in its meeting',
      async () => {
        const { scheduler, pods, runners } = opened;
        const sent: string[] = [];
        for (let index = 0; index < bots; index += 1) sent.push(await scheduler.sendBot(teamId, 'records'));
        await waitFor(async () => (await inCall()) === bots, {
          what: 'all bots to record',
          timeoutMs: 60_000 + bots * 300,
        });
        const struck = await strike({ kills, seed });
        const settledFromMs = Date.now();
        const all = async (): Promise<boolean> => (await inCall()) === bots && new Set(pods.running).size >= bots;
        await waitFor(all, { what: 'all bots to record again', timeoutMs: 240_000 }).catch(async (error: unknown) => {
          process.stderr.write(`kills: ${JSON.stringify(await describeStanding(opened))}\n`);
          throw error;
        });
        const settledMs = Date.now() - settledFromMs;
        for (const botId of sent) await scheduler.sendRequest('POST', `/internal/v2/bots/${botId}/leave`, teamId);
        await waitFor(async () => (await countBots('ended_at is null')) === 0, {
          what: 'all bots to end',
          timeoutMs: 240_000,
        });
        const verdict = {
          twice: overlaps(runners.attendances),
          ...(await judgeEnds(opened.scheduler.database)),
        };
        process.stderr.write(
          `kills: ${bots} bots, kills of ${struck}, seed ${seed}: ${JSON.stringify(verdict)}; ` +
            `all recorded again ${(settledMs / 1_000).toFixed(1)} s after the last kill; ${runners.attendances.length} attendances; load ${loadavg()[0]?.toFixed(1)}\n`,
        );
        expect(verdict).toEqual({ twice: 0, lost: 0, ends: bots, finalEvents: bots, reasons: { API_REQUEST: bots } });
        expect(settledMs).toBeLessThan(settleWithinMs);
      },
      600_000 + bots * 1_000 + kills * 10_000,
    );
  });
}

/** Share of the kills by victim. */
const shares = { runner: 0.65, scheduler: 0.15, replica: 0.15, 'API server': 0.05 } as const;
type Victim = keyof typeof shares;

/** @returns the number of kills per victim */
async function strike({ kills, seed }: Omit<ClusterKills, 'bots'>): Promise<string> {
  const random = seeded(seed);
  const rows = (Object.keys(shares) as Victim[]).map((victim) => ({
    kind: victim,
    times: Math.max(1, Math.round(kills * shares[victim])),
    targets: [victim],
  }));
  const { scheduler, pods } = opened;
  const kill: Readonly<Record<Victim, () => unknown>> = {
    runner: () => pods.kill(pods.running[Math.floor(random() * pods.running.length)] ?? ''),
    scheduler: async () => {
      await scheduler.end('SIGKILL');
      await scheduler.start();
    },
    replica: async () => {
      await replica.end('SIGKILL');
      replica = await scheduler.startReplica(launching);
    },
    'API server': () => control.restartApiServer?.(),
  };
  await injectFaults(
    planFaults(rows, { seed, pauseMs: [pauseMs, pauseMs] }),
    async ({ kind }) => void (await kill[kind]()),
  );
  return rows.map(({ kind, times }) => `${kind} ${times}`).join(', ');
}

/** Diagnostics of a failure: bots that do not record, and bots with running pods. */
async function describeStanding({ scheduler, pods }: ClusterScheduler) {
  const standing = await scheduler.database.query(
    `select bots.id, bots.status, bots.wants_run, bots.due_at, bots.end_code, bots.end_message, bots.rejoins, bots.failure, bots.attempt as newest, leases.attempt, leases.state,
       leases.run_name, leases.created_at, leases.renewed_at, leases.ended_at, run_ends.cause, run_ends.exit_code
     from bots left join leases on leases.bot_id = bots.id left join run_ends on run_ends.bot_id = bots.id and run_ends.attempt = leases.attempt
     where bots.status <> 'in_call_recording' or not exists (
       select from leases held where held.bot_id = bots.id and held.run_name = any($1))
     order by bots.id, leases.attempt`,
    [pods.running],
  );
  return { running: pods.running.length, distinct: new Set(pods.running).size, standing };
}

async function countBots(condition: string): Promise<number> {
  const sql = `select count(*)::int as bots from bots where ${condition}`;
  const [row] = await opened.scheduler.database.query<{ bots: number }>(sql);
  return row?.bots ?? 0;
}

const inCall = (): Promise<number> => countBots(`status = 'in_call_recording'`);

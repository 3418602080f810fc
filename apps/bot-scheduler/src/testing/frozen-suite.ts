import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { freezeProcesses, waitFor } from '@rapporteur/testbed';
import type { ServiceProcess } from '@rapporteur/testbed';
import { prepareSchedulerProcess } from './scheduler-process.ts';
import type { SchedulerProcess } from './scheduler-process.ts';
import { addTeam } from './test-scheduler.ts';

let scheduler: SchedulerProcess;
let replica: ServiceProcess;
let teamId: string;
let bots: string[];
let thaw: () => void = () => undefined;

export interface FreezeTimes {
  /** Time to live of a lease. */
  readonly timeToLiveMs: number;
  readonly renewMs: number;
  /** How long PostgreSQL, NATS and every scheduler are frozen, one after the other. */
  readonly freezeMs: number;
}

const link = (name: 'database' | 'bus') => (): (() => void) => {
  const proxy = scheduler.proxies[name];
  proxy.freeze();
  return () => proxy.thaw();
};
/** Each freezes its part, and returns what ends that. */
const frozenParts: readonly (readonly [string, () => () => void])[] = [
  ['PostgreSQL', link('database')],
  ['NATS', link('bus')],
  ['every scheduler', () => freezeProcesses([scheduler.pid(), replica.child.pid as number])],
];

/** Registers tests of two schedulers with three recording bots, of which parts are frozen for a while. */
export function testFreezes({ timeToLiveMs, renewMs, freezeMs }: FreezeTimes): void {
  const limitMs = 2 * timeToLiveMs + freezeMs + 80_000;
  beforeAll(async () => {
    scheduler = await prepareSchedulerProcess({
      LEASE_LOST_AFTER_MS: String(timeToLiveMs),
      LEASE_RENEW_MS: String(renewMs),
    });
    teamId = await addTeam(scheduler.database);
    await scheduler.start();
    replica = await scheduler.startReplica();
    bots = await Promise.all([1, 2, 3].map(() => scheduler.sendBot(teamId, 'records', { allow_multiple_bots: true })));
    for (const botId of bots) await scheduler.waitForStatus(botId, 'in_call_recording');
  }, 180_000);
  afterEach(() => {
    thaw();
    thaw = () => undefined;
  });
  afterAll(() => scheduler.remove());

  test(
    'connections of the lease pools that hang end no bot: they are dropped, and renewals go on over others',
    async () => {
      const backends = await scheduler.database.query<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and application_name = 'bot-scheduler leases'`,
      );
      expect(backends.length).toBeGreaterThan(0);
      thaw = freezeProcesses(backends.map(({ pid }) => pid));
      expect(await renewFor(2 * timeToLiveMs)).toEqual(['held', 'held', 'held']);
    },
    limitMs,
  );

  test(
    'a replica that hangs ends no bot: a renewal without a response goes to every replica',
    async () => {
      thaw = freezeProcesses([replica.child.pid as number]);
      expect(await renewFor(2 * timeToLiveMs)).toEqual(['held', 'held', 'held']);
    },
    limitMs,
  );

  describe('a freeze ends no bot', () => {
    test.each(frozenParts)(
      'of %s',
      async (_what, freeze) => {
        thaw = freeze();
        // The duration itself is tested.
        await sleep(freezeMs);
        thaw();
        expect(await renewFor(2 * renewMs)).toEqual(['held', 'held', 'held']);
      },
      limitMs,
    );

    test('and afterwards the bots leave and are complete, each in its first run', async () => {
      await Promise.all(bots.map((botId) => scheduler.sendRequest('POST', `/internal/v2/bots/${botId}/leave`, teamId)));
      for (const botId of bots) {
        const bot = await scheduler.waitForStatus(botId, 'completed');
        expect(bot).toMatchObject({ end_code: 'API_REQUEST', attempt: 1 });
      }
    }, 120_000);
  });
}

/** Waits until every bot renewed its lease at least `forMs` after now. @returns the states of all leases */
async function renewFor(forMs: number): Promise<string[]> {
  const { database } = scheduler;
  const untilMs = Date.now() + forMs;
  const read = () =>
    database.query<{ state: string; renewed_at: Date }>(
      'select state, renewed_at from leases where bot_id = any($1) order by bot_id, attempt',
      [bots],
    );
  await waitFor(
    async () => {
      const leases = await read();
      return leases.some(({ state }) => state !== 'held') || leases.every(({ renewed_at: at }) => Number(at) > untilMs);
    },
    { what: 'the leases to be renewed or lost', timeoutMs: forMs + 40_000 },
  );
  return (await read()).map(({ state }) => state);
}

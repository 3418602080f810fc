import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Database } from '@rapporteur/database';
import { createLogger } from '@rapporteur/service-runtime';
import { FakeClock } from '@rapporteur/async/testing';
import { seeded } from '@rapporteur/testbed';
import { admitDirectly } from '../testing/admit-directly.ts';
import { useBotsDatabase } from '../testing/suite-database.ts';
import { addTeam } from '../testing/test-scheduler.ts';
import { claimRuns } from './runs.store.ts';
import { LaunchPostponed } from './launcher.ts';
import type { BotLauncher, LaunchSpec, ObservedRun, StartObstacle } from './launcher.ts';
import { requestLeave } from '../lifecycle/request-leave.ts';
import { createRecordingWindow } from '../lifecycle/recording-window.ts';
import { createReconciler } from './reconcile.ts';

let database: Database;
let clock: FakeClock;
/** False: renewals cannot be recorded. */
let records = true;
let launched: LaunchSpec[] = [];
const events = { add: async () => undefined, notify: () => undefined };
const now = () => clock.now();
const settings = {
  ticketTtlMs: 60_000,
  startDeadlineMs: 0,
  leaseLostAfterMs: 20_000,
  exitSettleMs: 2_000,
  pickupDelayedAfterMs: 30_000,
  rejoinsAfterFailure: 0,
  movesDisplaced: true,
  lateForMs: 15_000,
  cpuWaitMs: 60_000,
};
const sweepMs = 1_000;

useBotsDatabase((opened) => void (database = opened));
beforeEach(async () => {
  await database.query(`update leases set state = 'lost' where state in ('launching', 'held')`);
  await database.query('update bots set wants_run = null');
  clock = new FakeClock(Date.now());
  records = true;
  launched = [];
  observed = [];
  refusals = [];
  withdrawn = [];
  withdraws = true;
  slots = 10;
  [stopped, tried, postponed, errors] = [[], [], [], []];
  [stops, refusal, pressure] = [true, null, null];
  duringLaunch = async () => undefined;
});

const noRoom = { cause: 'quota-exceeded', message: 'exceeded quota: bots' } as const;

let observed: ObservedRun[] = [];
/** The error of the next launches. */
let refusals: Error[] = [];
let withdrawn: string[] = [];
/** False: the cluster of the run is unreachable. */
let withdraws = true;
let slots = 10;
let tried: string[] = [];
let stopped: string[] = [];
/** False: runs cannot be ended. */
let stops = true;
/** The refusal of all launches; null: none. */
let refusal: StartObstacle | null = null;
let pressure: StartObstacle | null = null;
let postponed: unknown[] = [];
/** Error lines. */
let errors: string[] = [];
/** Called once, by the next launch. */
let duringLaunch = async (): Promise<void> => undefined;

/** A launcher that shows no runs, or those that a test adds. */
const launcher: BotLauncher = {
  runsOutliveScheduler: false,
  launchSlots: () => slots,
  pace: () => ({ perSecond: Number.POSITIVE_INFINITY, startLatencyMs: null }),
  evidence: async (name) => ({ status: { seen: name }, lastLogLines: ['the last line'] }),
  launch: async (spec) => {
    await duringLaunch();
    duringLaunch = async () => undefined;
    const refused = refusals.shift() ?? (refusal === null ? undefined : new LaunchPostponed(refusal));
    tried.push(spec.botId);
    if (refused !== undefined) throw refused;
    launched.push(spec);
  },
  observe: async () => observed,
  refusal: () => pressure,
  setLateRuns: () => undefined,
  withdraw: async (name) => withdrawn.push(name) > 0 && withdraws,
  stop: async (name) => {
    stopped.push(name);
    if (!stops) throw new Error('connect ECONNREFUSED 10.0.0.1:443');
  },
  forget: async () => undefined,
  onChange: () => () => undefined,
  close: async () => undefined,
};

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined };

function openReconciler(maxConcurrentBots: number, sink = events, startDeadlineMs = 0) {
  const window = createRecordingWindow(clock, 2 * sweepMs);
  const reconciler = createReconciler({
    database,
    events: sink,
    onEnded: () => undefined,
    notifyRunner: () => undefined,
    launcher,
    clock,
    logger: { ...createLogger('test', 'silent'), ...quiet, error: (_fields, message) => void errors.push(message) },
    counters: {
      launches: { inc: () => undefined },
      deaths: { inc: () => undefined },
      postponed: { inc: (labels) => void postponed.push(labels) },
      displaced: { inc: () => undefined },
    },
    window,
    settings: { ...settings, startDeadlineMs, maxConcurrentBots },
  });
  /** Runs rounds at the sweep's interval for so long. */
  const rounds = async (ms: number): Promise<void> => {
    for (const endMs = clock.now() + ms; clock.now() < endMs; await clock.advance(sweepMs)) {
      if (records) window.noteRecorded(clock.now());
      await reconciler.round();
    }
  };
  return { rounds };
}

async function admit(): Promise<string> {
  return await admitDirectly({ database, events, now }, await addTeam(database));
}

async function firstLease(botId: string): Promise<string | undefined> {
  const firstSql = 'select state from leases where bot_id = $1 and attempt = 1';
  return (await database.query<{ state: string }>(firstSql, [botId]))[0]?.state;
}

async function leave(botId: string): Promise<void> {
  const [bot] = await database.query<{ team_id: string }>('select team_id from bots where id = $1', [botId]);
  await requestLeave({ database, events, notifyRunner: () => undefined, now }, botId, bot?.team_id ?? '');
}

async function endCode(botId: string): Promise<unknown> {
  const [bot] = await database.query<{ end_code: string | null }>('select end_code from bots where id = $1', [botId]);
  return bot?.end_code;
}

describe('a leave request during a launch', () => {
  test('ends the bot when the launch is postponed, although it has no run that could receive the request', async () => {
    const { rounds } = openReconciler(10);
    const botId = await admit();
    duringLaunch = () => leave(botId);
    refusals = [new LaunchPostponed(noRoom)];
    await rounds(1_000);
    expect(await endCode(botId)).toBe('EXITING_MEETING_BEFORE_RECORD');
    await rounds(3_000);
    expect(launched).toEqual([]);
  });

  test('keeps the recording of a bot that was to rejoin, and its finalize run waits in the queue', async () => {
    const { rounds } = openReconciler(10);
    const botId = await admit();
    await database.query(
      `update bots set phase = 'recording', status = 'in_call_recording', attempt = 1, joined_at = due_at, failure = $2
       where id = $1`,
      [botId, JSON.stringify({ code: 'OOM_KILLED', at: new Date(now()).toISOString() })],
    );
    duringLaunch = () => leave(botId);
    refusals = [new LaunchPostponed(noRoom), new LaunchPostponed(noRoom)];
    await rounds(4_000);
    expect(await endCode(botId)).toBe('API_REQUEST');
    expect(launched).toMatchObject([{ botId, mode: 'finalize' }]);
  });
});

describe('a launch whose run cannot be seen', () => {
  test('is given up soon by the scheduler that made it', async () => {
    const { rounds } = openReconciler(10);
    const botId = await admit();
    await rounds(9_000);
    expect(launched).toMatchObject([{ botId, attempt: 1 }]);
    expect(await firstLease(botId)).toBe('launching');
    await rounds(3_000);
    expect(await firstLease(botId)).toBe('lost');
  });

  test('is left to another scheduler as long as its ticket is good', async () => {
    const { rounds } = openReconciler(0);
    const botId = await admit();
    await claimRuns(database, { limit: 10, ticketTtlMs: settings.ticketTtlMs, at: new Date(clock.now()) });
    await rounds(58_000);
    expect(await firstLease(botId)).toBe('launching');
    await rounds(4_000);
    expect(await firstLease(botId)).toBe('lost');
  });
});

describe('a runner that is silent', () => {
  const hold = async (): Promise<string> => {
    const botId = await admit();
    await claimRuns(database, { limit: 10, ticketTtlMs: settings.ticketTtlMs, at: new Date(clock.now()) });
    await database.query(`update leases set state = 'held', renewed_at = $2 where bot_id = $1`, [
      botId,
      new Date(clock.now()),
    ]);
    return botId;
  };

  test('keeps its lease while renewals cannot be recorded, and for the whole time to live after that', async () => {
    const { rounds } = openReconciler(0);
    const botId = await hold();
    await rounds(10_000);
    records = false;
    await rounds(60_000);
    expect(await firstLease(botId)).toBe('held');
    records = true;
    await rounds(19_000);
    expect(await firstLease(botId)).toBe('held');
    await rounds(3_000);
    expect(await firstLease(botId)).toBe('lost');
  });

  test('has failed after twenty seconds', async () => {
    const { rounds } = openReconciler(0);
    const botId = await hold();
    await rounds(19_000);
    expect(await firstLease(botId)).toBe('held');
    await rounds(3_000);
    expect(await firstLease(botId)).toBe('lost');
  });
});

describe('a launch that the cluster refuses for now', () => {
  test('leaves the bot in the queue, with its place and its attempts', async () => {
    const { rounds } = openReconciler(10);
    const botId = await admit();
    refusals = [new LaunchPostponed(noRoom), new LaunchPostponed(noRoom)];
    await rounds(1_000);
    expect(await firstLease(botId)).toBeUndefined();
    const [bot] = await database.query('select attempt, wants_run, phase from bots where id = $1', [botId]);
    expect(bot).toEqual({ attempt: 0, wants_run: 'attend', phase: 'queued' });
    await rounds(2_000);
    expect(launched).toMatchObject([{ botId, attempt: 1 }]);
  });

  test('is not tried while the launcher takes no launches', async () => {
    const { rounds } = openReconciler(10);
    const botId = await admit();
    slots = 0;
    await rounds(3_000);
    expect(await firstLease(botId)).toBeUndefined();
    slots = 1;
    await rounds(1_000);
    expect(await firstLease(botId)).toBe('launching');
  });
});

describe('a cluster that refuses every Job', () => {
  const denied = { cause: 'api-refused', message: "ValidatingAdmissionPolicy 'no-jobs' denied request" } as const;
  const botOf = async (botId: string) => {
    const [bot] = await database.query<Record<string, unknown>>(
      'select attempt, wants_run, due_at, status, end_code, end_message from bots where id = $1',
      [botId],
    );
    return bot;
  };

  test('lets bots wait in the queue with their attempts and their time, counted, and takes turns in trying them', async () => {
    const { rounds } = openReconciler(10, events, 600_000);
    const bots: string[] = [];
    for (let bot = 0; bot < 3; bot += 1) {
      bots.push(await admit());
      await clock.advance(10);
    }
    const before = await Promise.all(bots.map(botOf));
    refusal = denied;
    slots = 1;
    await rounds(6_000);
    expect(tried).toEqual([...bots, ...bots]);
    expect(await Promise.all(bots.map(botOf))).toEqual(before);
    expect(before[0]).toMatchObject({ attempt: 0, wants_run: 'attend' });
    expect(postponed).toEqual(Array.from({ length: 6 }, () => ({ cause: 'api-refused' })));
    const newest = await admit();
    await rounds(1_000);
    expect(tried.at(-1)).toBe(newest);
    refusal = null;
    slots = 10;
    await rounds(1_000);
    expect(new Set(launched.map(({ botId }) => botId))).toEqual(new Set([...bots, newest]));
    expect(launched.every(({ attempt }) => attempt === 1)).toBe(true);
  });

  test('ends a bot with this reason once it was refused for longer than the start deadline', async () => {
    const { rounds } = openReconciler(10, events, 600_000);
    const botId = await admit();
    refusal = denied;
    await rounds(10_000);
    // A correction of the time of day is no time of refusals.
    clock.correct(3_600_000);
    await rounds(580_000);
    expect(await botOf(botId)).toMatchObject({ attempt: 0, end_code: null });
    await rounds(30_000);
    expect(await botOf(botId)).toMatchObject({
      end_code: 'GENERAL_ERROR',
      end_message: expect.stringContaining('The cluster refuses to run the bot.'),
    });
  });

  test('and responds to nothing lets bots wait without a limit', async () => {
    const { rounds } = openReconciler(10, events, 600_000);
    const botId = await admit();
    refusal = { cause: 'api-unavailable', message: 'connect ECONNREFUSED 10.0.0.1:443' };
    await rounds(700_000);
    expect(await botOf(botId)).toMatchObject({ attempt: 0, end_code: null });
  });
});

test('a run that cannot be ended is tried every five seconds, and stated once a minute', async () => {
  const botId = '00000000-0000-4000-8000-000000000001';
  observed = [1, 2].map((attempt) => ({
    name: `bot-x-${attempt}`,
    botId,
    attempt,
    state: 'running' as const,
    exit: null,
    exitedAtMs: null,
  }));
  stops = false;
  const { rounds } = openReconciler(0);
  await rounds(60_000);
  clock.correct(-3_600_000);
  await rounds(60_000);
  expect(stopped.length).toBeGreaterThan(2 * 20);
  expect(stopped.length).toBeLessThanOrEqual(2 * 24);
  expect(errors).toHaveLength(2);
  stops = true;
  observed = [];
});

describe('a run that the cluster accepts, and whose pod it refuses', () => {
  const refused = (botId: string, attempt: number, cause: 'quota-exceeded' | 'pod-refused'): ObservedRun => {
    const obstacle = { cause, message: 'forbidden' } as const;
    return {
      name: `bot-${botId}-${attempt}`,
      botId,
      attempt,
      state: 'pending',
      obstacle,
      exit: null,
      exitedAtMs: null,
    };
  };

  test('is withdrawn: its bot waits in the queue with its place and its attempts, for as long as a quota is used up', async () => {
    const { rounds } = openReconciler(10);
    const botId = await admit();
    slots = 1;
    observed = [refused(botId, 1, 'quota-exceeded')];
    await rounds(1_000);
    await rounds(700_000);
    expect(withdrawn.length).toBeGreaterThan(600);
    expect(new Set(launched.map(({ attempt }) => attempt))).toEqual(new Set([1]));
    expect(await firstLease(botId)).toBe('launching');
  });

  test('is launched again where it cannot be withdrawn', async () => {
    const { rounds } = openReconciler(10, events, 600_000);
    const botId = await admit();
    withdraws = false;
    observed = [refused(botId, 1, 'quota-exceeded')];
    await rounds(40_000);
    expect(await firstLease(botId)).toBe('lost');
    expect(launched.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  test('ends with its bot where that was requested to leave meanwhile', async () => {
    const { rounds } = openReconciler(10);
    const botId = await admit();
    await rounds(1_000);
    await leave(botId);
    observed = [refused(botId, 1, 'quota-exceeded')];
    await rounds(3_000);
    expect(await endCode(botId)).toBe('EXITING_MEETING_BEFORE_RECORD');
    expect(launched).toHaveLength(1);
  });

  test('counts as a failed launch once anything but a quota refuses it for longer than the start deadline', async () => {
    const { rounds } = openReconciler(10, events, 600_000);
    const botId = await admit();
    observed = [1, 2, 3].map((attempt) => refused(botId, attempt, 'pod-refused'));
    await rounds(590_000);
    expect(launched.every(({ attempt }) => attempt === 1)).toBe(true);
    await rounds(30_000);
    const [bot] = await database.query('select end_code, end_message from bots where id = $1', [botId]);
    expect(bot).toMatchObject({ end_code: 'GENERAL_ERROR' });
    expect(bot).toMatchObject({ end_message: expect.stringContaining('The cluster refuses to run the bot.') });
  });
});

test('new bots that have waited a minute for CPU start one after another, while the machine still lacks it', async () => {
  const { rounds } = openReconciler(10);
  pressure = { cause: 'cpu-pressure', message: 'Bots on this machine that get less CPU than they need: 1.' };
  const bots = [await admit(), await admit()];
  await rounds(59_000);
  expect(launched).toHaveLength(0);
  await rounds(15_000);
  expect(launched).toMatchObject([{ waitsForCpu: false }]);
  await rounds(4_000);
  expect(launched.map(({ botId }) => botId).sort()).toEqual(bots.sort());
});

test('a run that avoids a late one is launched again under another name once that is late no more', async () => {
  const { rounds } = openReconciler(10, events, 600_000);
  const [lateBot, botId] = [await admit(), await admit()];
  await rounds(1_000);
  await database.query(`update leases set state = 'held', renewed_at = $2, late_at = $2 where bot_id = $1`, [
    lateBot,
    new Date(clock.now()),
  ]);
  const obstacle = { cause: 'cpu-pressure', message: "didn't match pod anti-affinity rules" } as const;
  const run = (of: string, state: 'pending' | 'running') =>
    ({ name: `bot-${of}-1`, botId: of, attempt: 1, state, exit: null, exitedAtMs: null }) as const;
  observed = [run(lateBot, 'running'), { ...run(botId, 'pending'), obstacle, avoids: [`bot-${lateBot}-1`] }];
  await rounds(14_000);
  expect([stopped, launched.length]).toEqual([[], 2]);
  await rounds(3_000);
  expect(stopped[0]).toBe(`bot-${botId}-1`);
  expect(launched.slice(2)).toMatchObject([{ name: `bot-${botId}-2`, botId, waitsForCpu: true }]);
  expect(postponed).toEqual([{ cause: 'cpu-pressure' }]);
  const leases = await database.query('select attempt, state from leases where bot_id = $1', [botId]);
  expect(leases).toEqual([{ attempt: 2, state: 'launching' }]);
});

test('a run that waits in a queue of the cluster is launched once, and its ticket stays valid', async () => {
  const { rounds } = openReconciler(10, events, 10_000);
  const botId = await admit();
  const obstacle = { cause: 'suspended', message: 'The queue bots has not admitted the Job.' } as const;
  observed = [{ name: `bot-${botId}-1`, botId, attempt: 1, state: 'pending', obstacle, exit: null, exitedAtMs: null }];
  await rounds(80_000);
  expect(launched).toHaveLength(1);
  expect(await firstLease(botId)).toBe('launching');
  const [ticket] = await database.query<{ expires_at: Date }>(
    'select expires_at from launch_tickets where bot_id = $1',
    [botId],
  );
  expect(ticket?.expires_at.getTime()).toBeGreaterThan(clock.now() + settings.ticketTtlMs);
  await database.query('update bots set leave_requested_at = $2 where id = $1', [botId, new Date(clock.now())]);
  await rounds(1_000);
  expect(await firstLease(botId)).toBe('lost');
  const [bot] = await database.query('select phase, end_code from bots where id = $1', [botId]);
  expect(bot).toMatchObject({ end_code: 'EXITING_MEETING_BEFORE_RECORD' });
});

describe('the end of a run', () => {
  const endOf = async (botId: string) => {
    const [row] = await database.query<Record<string, unknown>>(
      'select cause, exit_code, signal, ended_at, written_at, status, last_log_lines from run_ends where bot_id = $1',
      [botId],
    );
    return row;
  };

  test('is written once, with what was seen of it', async () => {
    const { rounds } = openReconciler(0);
    const botId = await admit();
    const [run] = await claimRuns(database, { limit: 1, ticketTtlMs: settings.ticketTtlMs, at: new Date(now()) });
    const exit = { exitCode: null, signal: 'SIGKILL', outOfMemory: true, cause: 'out-of-memory' as const };
    const exitedAtMs = now();
    observed = [{ name: run?.name ?? '', botId, attempt: 1, state: 'exited', exit, exitedAtMs }];
    await rounds(1_000);
    const written = await endOf(botId);
    expect(written).toMatchObject({
      cause: 'out-of-memory',
      exit_code: null,
      signal: 'SIGKILL',
      ended_at: new Date(exitedAtMs),
      status: { seen: run?.name },
      last_log_lines: ['the last line'],
    });
    observed = [{ ...observed[0], exit: { ...exit, cause: 'killed' } } as ObservedRun];
    await openReconciler(0).rounds(1_000);
    expect(await endOf(botId)).toEqual(written);
  });

  test('is written without a cause when it was not observed', async () => {
    const { rounds } = openReconciler(10);
    const botId = await admit();
    await rounds(12_000);
    expect(await endOf(botId)).toMatchObject({ cause: null, ended_at: null, last_log_lines: ['the last line'] });
  });

  test('of a run without a lease is written nowhere', async () => {
    const botId = '00000000-0000-4000-8000-000000000000';
    observed = [{ name: 'bot-x-1', botId, attempt: 1, state: 'exited', exit: null, exitedAtMs: now() }];
    await openReconciler(0).rounds(1_000);
    expect(await endOf(botId)).toBeUndefined();
  });
});

test('a bot whose end cannot be written keeps the round from no other one', async () => {
  const bots = await Promise.all([admit(), admit(), admit()]);
  await claimRuns(database, { limit: 10, ticketTtlMs: settings.ticketTtlMs, at: new Date(clock.now()) });
  await database.query(
    `update leases set state = 'held', renewed_at = $1, applied_sequence = 1 where state = 'launching'`,
    [new Date(clock.now())],
  );
  const refused = bots[1];
  const add = async (_transaction: unknown, _definition: unknown, data: unknown) => {
    if ((data as { botId: string }).botId === refused) throw new Error('An event is too large for the bus.');
  };
  const { rounds } = openReconciler(0, { ...events, add: add as typeof events.add });
  await rounds(23_000);
  expect(await Promise.all(bots.map(firstLease))).toEqual(['lost', 'held', 'lost']);
});

describe('nodes that leave', () => {
  const nodes = 4;
  const phases = [
    { phase: 'recording', status: 'in_call_recording' },
    { phase: 'paused', status: 'recording_paused' },
    { phase: 'finalizing', status: 'call_ended' },
  ];

  /** Each launched run has a node and renews its lease while that lives. */
  async function nodesOf(random: () => number) {
    const placed = new Map<string, number>();
    const gone = new Set<number>();
    const renew = async (): Promise<void> => {
      for (const { name, botId, attempt } of launched) {
        if (placed.has(name)) continue;
        const free = Array.from({ length: nodes }, (_, node) => node).filter((node) => !gone.has(node));
        placed.set(name, free[Math.floor(random() * free.length)] ?? 0);
        observed.push({ name, botId, attempt, state: 'running', exit: null, exitedAtMs: null });
      }
      const alive = observed.filter(({ state, unreachable }) => state === 'running' && unreachable !== true);
      await database.query(
        `update leases set state = 'held', renewed_at = $2 where run_name = any($1) and state in ('launching', 'held')`,
        [alive.map(({ name }) => name), new Date(now())],
      );
    };
    const change = (node: number, seen: Partial<ObservedRun>): void => {
      observed = observed.map((run) => (placed.get(run.name) === node ? { ...run, ...seen } : run));
    };
    return { gone, renew, change };
  }

  test.each([1, 2, 3])(
    'while their bots record, pause, finalize or leave, keep none of these, seed %i',
    async (seed) => {
      const random = seeded(seed);
      const { rounds } = openReconciler(100, events, 600_000);
      const cluster = await nodesOf(random);
      slots = 100;
      const ids = [];
      for (let bot = 0; bot < 16; bot += 1) ids.push(await admit());
      await rounds(2_000);
      await cluster.renew();
      for (const [index, id] of ids.entries()) {
        const { phase, status } = phases[index % phases.length] ?? phases[0]!;
        await database.query(
          `update bots set phase = $2, status = $3, joined_at = $4, end_code = case when $2 = 'finalizing' then 'API_REQUEST' end,
           recorded = case when $2 = 'finalizing' then true end where id = $1`,
          [id, phase, status, new Date(now())],
        );
        await database.query('update leases set applied_sequence = 4 where bot_id = $1', [id]);
      }
      for (let node = 0; node < nodes - 1; node += 1) {
        cluster.gone.add(node);
        cluster.change(node, { displaced: true });
        for (const id of ids) if (random() < 0.1) await leave(id).catch(() => undefined);
        for (let second = 0; second < 1 + random() * 10; second += 1) {
          await rounds(1_000);
          await cluster.renew();
        }
        // Its pods end, or stay in the list of a node that sends nothing.
        const exit = { exitCode: null, signal: null, outOfMemory: false, cause: 'node-lost' } as const;
        if (random() < 0.5) cluster.change(node, { state: 'exited', exit, exitedAtMs: now() });
        else cluster.change(node, { unreachable: true });
      }
      for (let second = 0; second < 60; second += 1) {
        await rounds(1_000);
        await cluster.renew();
      }
      const alive = observed.filter(({ state, unreachable }) => state === 'running' && unreachable !== true);
      const left = await database.query(
        `select bots.id, phase, wants_run, array_agg(run_name || ' ' || state) as runs from bots join leases on bot_id = id
       where bots.ended_at is null and id = any($1) group by bots.id
       having count(*) filter (where state = 'held' and run_name = any($2)) <> 1
         or count(*) filter (where state in ('launching', 'held') and run_name <> all($2)) > 0`,
        [ids, alive.map(({ name }) => name)],
      );
      expect(left).toEqual([]);
    },
  );
});

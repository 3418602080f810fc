import { describe, expect, test } from '@jest/globals';
import type { LeaseRow, LeaseState } from '../schema/run-entities.ts';
import type { ObservedRun } from './launcher.ts';
import { findLateRuns, planRuns } from './plan-runs.ts';
import type { RunTiming } from './plan-runs.ts';

const nowMs = Date.UTC(2026, 0, 1, 12);
const timing: RunTiming = {
  leaseLostAfterMs: 20_000,
  ticketTtlMs: 60_000,
  startDeadlineMs: 600_000,
  exitSettleMs: 2_000,
  recordsRenewalsSinceMs: nowMs - 3_600_000,
  movesDisplaced: true,
  lateForMs: 15_000,
  cpuWaitMs: 300_000,
  isOwnLaunch: () => true,
};

function lease(
  state: LeaseState,
  ages: { created?: number; renewed?: number; ended?: number; displaced?: number; late?: number } = {},
): LeaseRow {
  const ago = (ms: number | undefined) => (ms === undefined ? null : new Date(nowMs - ms));
  return {
    bot_id: 'bot',
    attempt: 1,
    fencing: 1,
    mode: 'attend',
    run_name: 'run-1',
    state,
    created_at: ago(ages.created ?? 1_000) as Date,
    renewed_at: ago(ages.renewed),
    late_at: ago(ages.late),
    applied_sequence: 0,
    ended_at: ago(ages.ended),
    displaced_at: ago(ages.displaced),
    replaced_at: null,
  };
}
const running: ObservedRun = {
  name: 'run-1',
  botId: 'bot',
  attempt: 1,
  state: 'running',
  exit: null,
  exitedAtMs: null,
};
const killed = { exitCode: null, signal: 'SIGKILL', outOfMemory: false };
const exited = (agoMs: number): ObservedRun => ({
  ...running,
  state: 'exited',
  exit: killed,
  exitedAtMs: nowMs - agoMs,
});
const kinds = (leases: LeaseRow[], runs: ObservedRun[], over: Partial<RunTiming> = {}) =>
  planRuns(leases, runs, { ...timing, ...over }, nowMs).map((action) => action.kind);

describe('a run without CPU for another one', () => {
  const late = lease('held', { renewed: 1_000, late: 14_000 });

  test('is one that is held, runs and stated it a short time ago', () => {
    const names = (one: LeaseRow, run: ObservedRun, lateForMs = 15_000) =>
      findLateRuns([one], [run], { lateForMs }, nowMs);
    expect(names(late, running)).toEqual(['run-1']);
    expect(names({ ...late, late_at: new Date(nowMs - 15_000) }, running)).toEqual([]);
    expect(names({ ...late, late_at: null }, running)).toEqual([]);
    expect(names({ ...late, state: 'done' }, running)).toEqual([]);
    expect(names(late, exited(100))).toEqual([]);
    expect(names(late, running, 0)).toEqual([]);
  });

  test.each<[string, LeaseRow, number, Partial<ObservedRun>, string[]]>([
    ['while it is late', late, 20_000, {}, []],
    ['for too long', late, 300_000, {}, ['requeue']],
    ['once it is late no more', lease('held', { renewed: 1_000 }), 20_000, {}, ['requeue']],
    ['soon after the launch', lease('held', { renewed: 1_000 }), 14_000, {}, []],
    ['with another obstacle', lease('held', { renewed: 1_000 }), 20_000, { obstacle: undefined as never }, []],
    ['once it has ended, which ends the rule too', lease('done'), 20_000, { avoids: ['run-0'] }, []],
  ])('keeps a run that avoids it waiting %s: %#', (_when, avoided, created, over, expected) => {
    const waiting = { ...lease('launching', { created }), bot_id: 'other', run_name: 'run-2' };
    const obstacle = { cause: 'cpu-pressure', message: 'why' } as const;
    const run: ObservedRun = {
      ...running,
      name: 'run-2',
      botId: 'other',
      state: 'pending',
      obstacle,
      avoids: ['run-1'],
    };
    expect(kinds([avoided, waiting], [running, { ...run, ...over }])).toEqual(expected);
  });
});

describe('a run whose node goes', () => {
  const displaced: ObservedRun = { ...running, displaced: true };

  test('is replaced once, while it attends', () => {
    expect(kinds([lease('held', { renewed: 1_000 })], [displaced])).toEqual(['displace']);
    expect(kinds([lease('held', { renewed: 1_000, displaced: 500 })], [displaced])).toEqual([]);
    expect(kinds([lease('launching')], [displaced])).toEqual([]);
  });

  test('counts as failed once it is silent: it may attend no meeting that it could be displaced in', () => {
    const silent = lease('held', { renewed: 20_000 });
    expect(planRuns([silent], [{ ...displaced, unreachable: true }], timing, nowMs)).toMatchObject([
      { kind: 'displace' },
      { kind: 'mark-failed', exit: { cause: 'node-lost' } },
    ]);
  });

  test('is left to end where the operator wants that', () => {
    expect(kinds([lease('held', { renewed: 1_000 })], [displaced], { movesDisplaced: false })).toEqual([]);
  });
});

describe('a run that is wanted', () => {
  test('is left alone while it renews its lease', () => {
    expect(kinds([lease('held', { renewed: 19_999 })], [running])).toEqual([]);
  });

  test('is left alone while it renews its lease from a machine that this scheduler does not see', () => {
    expect(kinds([lease('held', { renewed: 3_000 })], [])).toEqual([]);
  });

  test('is expired when it sent no renewal for too long, observed or not', () => {
    const silent = lease('held', { renewed: 20_000 });
    expect(planRuns([silent], [running], timing, nowMs)).toEqual([
      { kind: 'mark-failed', lease: silent, exit: null, cause: 'lease_expired', why: 'it stopped renewing its lease' },
    ]);
    expect(kinds([silent], [])).toEqual(['mark-failed']);
  });

  test('is not expired when this scheduler could not receive renewals', () => {
    expect(kinds([lease('held', { renewed: 40_000 })], [running], { recordsRenewalsSinceMs: nowMs - 5_000 })).toEqual(
      [],
    );
  });

  test('has failed with its exit once its last reports had time to arrive', () => {
    const alive = lease('held', { renewed: 100 });
    expect(kinds([alive], [exited(1_999)])).toEqual([]);
    expect(planRuns([alive], [exited(2_000)], timing, nowMs)).toMatchObject([{ kind: 'mark-failed', exit: killed }]);
  });

  test('has longer for its last reports when it ended cleanly, or when this scheduler was away', () => {
    const alive = lease('held', { renewed: 100 });
    const clean = { ...exited(19_999), exit: { exitCode: 0, signal: null, outOfMemory: false } };
    expect(kinds([alive], [clean])).toEqual([]);
    expect(kinds([alive], [{ ...clean, exitedAtMs: nowMs - 20_000 }])).toEqual(['mark-failed']);
    expect(kinds([alive], [exited(60_000)], { recordsRenewalsSinceMs: nowMs - 1_000 })).toEqual([]);
  });

  test('has time to appear and to request its invocation, but not for ever', () => {
    expect(kinds([lease('launching', { created: 9_999 })], [])).toEqual([]);
    expect(kinds([lease('launching', { created: 10_000 })], [])).toEqual(['mark-failed']);
    expect(kinds([lease('launching', { created: 59_999 })], [running])).toEqual([]);
    expect(kinds([lease('launching', { created: 60_000 })], [running])).toEqual(['mark-failed']);
  });
});

test('a run that another scheduler launched, and that cannot be seen from here, has as long as its ticket', () => {
  const elsewhere = { isOwnLaunch: () => false };
  expect(kinds([lease('launching', { created: 59_999 })], [], elsewhere)).toEqual([]);
  expect(kinds([lease('launching', { created: 60_000 })], [], elsewhere)).toEqual(['mark-failed']);
});

describe('a run that has not started', () => {
  const pending: ObservedRun = { ...running, state: 'pending' };
  const blocked = (cause: 'unschedulable' | 'image-pull-failed'): ObservedRun => ({
    ...pending,
    obstacle: { cause, message: 'why' },
  });

  test('is launched again soon where another cluster takes it', () => {
    const at = (created: number, run: ObservedRun) => planRuns([lease('launching', { created })], [run], timing, nowMs);
    const lost = { ...pending, unreachable: true, elsewhere: true };
    expect(at(29_999, lost)).toEqual([]);
    expect(at(30_000, lost)).toMatchObject([
      { kind: 'mark-failed', why: 'it did not start (start-failed: its cluster is unreachable)' },
    ]);
    expect(at(30_000, { ...pending, unreachable: true })).toEqual([]);
  });

  test('waits for its place until the start deadline, however long its ticket would be good', () => {
    const waiting = [lease('launching', { created: 599_999 })];
    expect(kinds(waiting, [pending])).toEqual([]);
    expect(kinds(waiting, [blocked('unschedulable')])).toEqual([]);
    const given = lease('launching', { created: 600_000 });
    expect(planRuns([given], [blocked('unschedulable')], timing, nowMs)).toMatchObject([
      { kind: 'mark-failed', exit: { cause: 'unschedulable' }, why: 'it did not start (unschedulable: why)' },
    ]);
    expect(planRuns([given], [pending], timing, nowMs)).toMatchObject([{ exit: { cause: 'start-failed' } }]);
  });

  test('whose image cannot be pulled is given up after half a minute', () => {
    expect(kinds([lease('launching', { created: 29_999 })], [blocked('image-pull-failed')])).toEqual([]);
    const given = lease('launching', { created: 30_000 });
    expect(planRuns([given], [blocked('image-pull-failed')], timing, nowMs)).toMatchObject([
      { exit: { cause: 'image-pull-failed' } },
    ]);
    const hasty = { ...timing, startDeadlineMs: 5_000 };
    const late = lease('launching', { created: 5_000 });
    expect(planRuns([late], [blocked('image-pull-failed')], hasty, nowMs)).toMatchObject([{ kind: 'mark-failed' }]);
  });

  test('waits without a limit for a queue of the cluster, and from its admission as any other', () => {
    const held: ObservedRun = { ...pending, obstacle: { cause: 'suspended', message: 'why' } };
    const old = lease('launching', { created: 3_600_000 });
    expect(kinds([old], [held])).toEqual([]);
    expect(kinds([old], [{ ...pending, admittedAtMs: nowMs - 599_999 }])).toEqual([]);
    expect(kinds([old], [{ ...pending, admittedAtMs: nowMs - 600_000 }])).toEqual(['mark-failed']);
  });

  test('whose pod is refused counts as failed where it cannot be withdrawn and another cluster has room', () => {
    const lost: ObservedRun = { ...pending, obstacle: { cause: 'quota-exceeded', message: 'why' }, elsewhere: true };
    expect(kinds([lease('launching', { created: 29_999 })], [lost])).toEqual(['withdraw']);
    expect(kinds([lease('launching', { created: 30_000 })], [lost])).toEqual(['withdraw', 'mark-failed']);
  });

  test('in place of a displaced one has the start deadline also in a queue: the meeting does not wait', () => {
    const held: ObservedRun = { ...pending, obstacle: { cause: 'suspended', message: 'why' } };
    const replacing = (created: number) => ({ ...lease('launching', { created }), attempt: 2 });
    expect(kinds([replacing(599_999)], [held])).toEqual([]);
    expect(kinds([replacing(600_000)], [held])).toEqual(['mark-failed']);
  });

  test('has the time of its ticket from its start, not from its launch', () => {
    const late = [lease('launching', { created: 300_000 })];
    expect(kinds(late, [{ ...running, startedAtMs: nowMs - 59_999 }])).toEqual([]);
    expect(kinds(late, [{ ...running, startedAtMs: nowMs - 60_000 }])).toEqual(['mark-failed']);
  });
});

test('a run on a node that is lost lives as long as its lease is renewed', () => {
  const unreachable = { ...running, unreachable: true };
  expect(kinds([lease('held', { renewed: 19_999 })], [unreachable])).toEqual([]);
  expect(planRuns([lease('held', { renewed: 20_000 })], [unreachable], timing, nowMs)).toMatchObject([
    { kind: 'mark-failed', exit: { cause: 'node-lost' } },
  ]);
});

test('exit code 0 of a run that was out of memory needs no delay', () => {
  const exit = { exitCode: 0, signal: null, outOfMemory: true, cause: 'out-of-memory' as const };
  const run = { ...exited(2_000), exit };
  expect(planRuns([lease('held', { renewed: 100 })], [run], timing, nowMs)).toMatchObject([{ exit }]);
});

describe('a run that is not wanted', () => {
  test('is ended at once when its lease is lost or there is none', () => {
    const stop = [{ kind: 'stop', name: 'run-1', graceMs: 0 }];
    expect(planRuns([lease('lost', { ended: 1 })], [running], timing, nowMs)).toEqual(stop);
    expect(planRuns([], [running], timing, nowMs)).toEqual(stop);
  });

  test('is not ended while its node or its cluster does not respond', () => {
    expect(kinds([lease('lost', { ended: 1 })], [{ ...running, unreachable: true }])).toEqual([]);
  });

  test('may tidy up after its bot has ended, and is helped when it lingers', () => {
    expect(kinds([lease('done', { ended: 29_999 })], [running])).toEqual([]);
    expect(planRuns([lease('done', { ended: 30_000 })], [running], timing, nowMs)).toMatchObject([
      { kind: 'stop', graceMs: 5_000 },
    ]);
  });

  test.each<[string, LeaseRow[]]>([
    ['done', [lease('done', { ended: 1 })]],
    ['lost', [lease('lost', { ended: 1 })]],
    ['gone', []],
  ])('is forgotten once it has exited and its lease is %s', (_state, leases) => {
    expect(kinds(leases, [exited(0)])).toEqual(['forget']);
  });
});

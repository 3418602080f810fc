import { beforeEach, describe, expect, test } from '@jest/globals';
import { FakeClock } from '@rapporteur/async/testing';
import type { RunExit } from '@rapporteur/bot-lifecycle';
import type { RunnerReport } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { claimRuns } from '../launch/claim-runs.store.ts';
import { markFailed } from '../recovery/mark-failed.ts';
import { admitDirectly } from '../testing/admit-directly.ts';
import { useBotsDatabase } from '../testing/suite-database.ts';
import { addTeam } from '../testing/test-scheduler.ts';
import { applyReport } from './apply-report.ts';
import { displaceRun } from './displace-run.ts';
import type { Displacement } from './displace-run.ts';

let database: Database;
let clock: FakeClock;
useBotsDatabase((opened) => {
  database = opened;
});
beforeEach(() => {
  clock = new FakeClock(Date.now());
});

const now = () => clock.now();
const events = { add: async () => undefined, notify: () => undefined };
type Body = { kind: 'status'; code: 'in_call_recording' } | Pick<Ended, 'kind' | 'end'>;
type Ended = Extract<RunnerReport, { kind: 'attendance-ended' }>;

/** Of a runner that received SIGTERM before it was admitted. */
const terminated: Body = {
  kind: 'attendance-ended',
  end: { code: 'SIGTERM', message: '', joinedAt: null, exitedAt: null, recorded: true },
};
const recording: Body = { kind: 'status', code: 'in_call_recording' };

/** Launches the bot's wanted run and redeems its ticket. Returns its attempt; null: none is wanted. */
async function launch(botId: string): Promise<number | null> {
  const [run] = await claimRuns(database, { limit: 10_000, ticketTtlMs: 60_000, at: new Date(now()) });
  if (run === undefined) return null;
  expect(run).toMatchObject({ botId, mode: 'attend' });
  await database.query(
    `update leases set state = 'held', renewed_at = $3 where bot_id = $1 and attempt = $2 and state = 'launching'`,
    [botId, run.attempt, new Date(now())],
  );
  return run.attempt;
}

/** The first report of an attempt. All runs of one move have the fencing number of the first. */
async function report(botId: string, attempt: number, body: Body): Promise<void> {
  const header = { botId, attempt, fencing: 1, sequence: 1, at: new Date(now()).toISOString() };
  const outcome = await applyReport({ database, events, now }, { ...header, ...body } as RunnerReport);
  expect(outcome.kind).toBe('applied');
}

const displace = (botId: string, attempt: number): Promise<Displacement> =>
  displaceRun({ database, notifyRunner: () => undefined, now }, { botId, attempt });

/** A bot whose first run records. */
async function recordingBot(): Promise<string> {
  const botId = await admitDirectly({ database, events, now }, await addTeam(database));
  await launch(botId);
  await database.query(`update bots set phase = 'recording', status = 'in_call_recording' where id = $1`, [botId]);
  return botId;
}

/** State of each run, and what became of its place in the meeting. */
async function runsOf(botId: string): Promise<string[]> {
  const rows = await database.query<{ run: string }>(
    `select state || case when replaced_at is not null then ' replaced' when displaced_at is not null then ' displaced'
       else '' end as run from leases where bot_id = $1 order by attempt`,
    [botId],
  );
  return rows.map(({ run }) => run);
}

test('a run whose node goes is displaced although the one that it replaced still stores what it holds', async () => {
  const botId = await recordingBot();
  expect(await displace(botId, 1)).toBe('displaced');
  expect(await launch(botId)).toBe(2);
  expect(await displace(botId, 2)).toBe('already');
  await report(botId, 2, recording);
  expect(await runsOf(botId)).toEqual(['held replaced', 'held']);
  expect(await displace(botId, 2)).toBe('displaced');
  expect(await launch(botId)).toBe(3);
  expect(await runsOf(botId)).toEqual(['held replaced', 'held displaced', 'held']);
  await report(botId, 3, recording);
  expect(await runsOf(botId)).toEqual(['held replaced', 'held replaced', 'held']);
});

describe('a replacement that ends before it records', () => {
  test('because its node goes, too, is replaced by another one', async () => {
    const botId = await recordingBot();
    await displace(botId, 1);
    expect(await launch(botId)).toBe(2);
    await report(botId, 2, terminated);
    expect(await launch(botId)).toBe(3);
    await report(botId, 3, recording);
    expect(await runsOf(botId)).toEqual(['held replaced', 'lost', 'held']);
  });

  const exit = (cause: RunExit['cause']): RunExit => ({
    exitCode: null,
    signal: null,
    outOfMemory: false,
    ...(cause === undefined ? {} : { cause }),
  });
  test.each<[RunExit['cause'], 'launching' | 'held', number | null]>([
    ['node-lost', 'held', 3],
    ['evicted', 'held', 3],
    ['killed', 'launching', 3],
    ['killed', 'held', null],
    ['error', 'held', null],
    ['image-pull-failed', 'launching', null],
  ])('%s while its lease is %s: the next attempt is %s', async (cause, state, next) => {
    const botId = await recordingBot();
    await displace(botId, 1);
    expect(await launch(botId)).toBe(2);
    await database.query('update leases set state = $2 where bot_id = $1 and attempt = 2', [botId, state]);
    const failed = { botId, attempt: 2, exit: exit(cause) };
    expect(await markFailed({ database, events, now, settings: { rejoinsAfterFailure: 0 } }, failed)).toBe('moved');
    expect(await launch(botId)).toBe(next);
  });

  test('is the last one of a bot that was requested to leave', async () => {
    const botId = await recordingBot();
    await displace(botId, 1);
    await launch(botId);
    await database.query('update bots set leave_requested_at = $2 where id = $1', [botId, new Date(now())]);
    await report(botId, 2, terminated);
    expect(await launch(botId)).toBeNull();
  });
});

import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Database } from '@rapporteur/database';
import { FakeClock } from '@rapporteur/async/testing';
import { claimRuns } from './runs.store.ts';
import type { ClaimedRun } from './runs.store.ts';
import { applyReport } from '../lifecycle/apply-report.ts';
import { renewLease } from '../testing/renew-lease.ts';
import { admitDirectly } from '../testing/admit-directly.ts';
import { useBotsDatabase } from '../testing/suite-database.ts';
import { addTeam, requests } from '../testing/test-scheduler.ts';
import { endDueGrants } from '../lifecycle/end-grants.ts';
import type { EndedBot } from '../lifecycle/end-grants.ts';
import { markFailed } from './mark-failed.ts';

let database: Database;
let sendRequest: ReturnType<typeof requests>;
let clock: FakeClock;
const settings = { rejoinsAfterFailure: 0 };
const events = { add: async () => undefined, notify: () => undefined };

useBotsDatabase((opened) => {
  database = opened;
  sendRequest = requests(database, 'http://127.0.0.1:1');
});
beforeEach(() => {
  clock = new FakeClock(Date.now());
});

const now = () => clock.now();
const markRunFailed = (run: ClaimedRun, over: { lastRenewedAt?: Date | null } = {}) =>
  markFailed({ database, events, now, settings }, { botId: run.botId, attempt: run.attempt, exit: null, ...over });

/** Its ticket was redeemed. */
async function hold({ botId, attempt }: ClaimedRun): Promise<void> {
  await database.query(
    `update leases set state = 'held', renewed_at = $3 where bot_id = $1 and attempt = $2 and state = 'launching'`,
    [botId, attempt, new Date(clock.now())],
  );
}

/** The run that is due now; null: none. */
async function launch(): Promise<ClaimedRun | null> {
  const [run] = await claimRuns(database, { limit: 10_000, ticketTtlMs: 60_000, at: new Date(clock.now()) });
  return run ?? null;
}

/** A recording bot, with its run. */
async function recordingBot(): Promise<ClaimedRun> {
  const teamId = await addTeam(database);
  await admitDirectly({ database, events, now }, teamId);
  const run = await launch();
  if (run === null) throw new Error('The bot was not claimed.');
  await hold(run);
  await database.query(`update bots set phase = 'recording', status = 'in_call_recording' where id = $1`, [run.botId]);
  return run;
}

/** The next finalize run, with the pause before it. */
async function nextRun(): Promise<{ run: ClaimedRun; pauseMs: number }> {
  for (let pauseMs = 0; pauseMs <= 300_000; pauseMs += 5_000) {
    const run = await launch();
    if (run !== null) return { run, pauseMs };
    await clock.advance(5_000);
  }
  throw new Error('No run is wanted within five minutes.');
}

describe('a run that never began', () => {
  test('is not launched again once its bot was requested to leave', async () => {
    await admitDirectly({ database, events, now }, await addTeam(database));
    const run = await launch();
    if (run === null) throw new Error('The bot was not claimed.');
    await database.query('update bots set leave_requested_at = $2 where id = $1', [run.botId, new Date(now())]);
    expect(await markRunFailed(run)).toBe('ended');
    expect(await sendRequest.bot(run.botId)).toMatchObject({
      phase: 'failed',
      end_code: 'EXITING_MEETING_BEFORE_RECORD',
      wants_run: null,
    });
  });
});

describe('a recording whose saving fails', () => {
  test('is tried again with growing pauses, and runs that never began count for nothing', async () => {
    const attended = await recordingBot();
    expect(await markRunFailed(attended)).toBe('finalize');
    const pauses: number[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      const { run, pauseMs } = await nextRun();
      pauses.push(pauseMs / 1_000);
      expect(run).toMatchObject({ botId: attended.botId, mode: 'finalize' });
      expect(await markRunFailed(run)).toBe('finalize');
    }
    expect(pauses).toEqual([0, 5, 10, 20, 40, 80, 160, 300, 300, 300]);
    await database.query('update bots set finalize_attempts = 1999 where id = $1', [attended.botId]);
    const { run } = await nextRun();
    expect(await markRunFailed(run)).toBe('finalize');
    expect((await sendRequest.bot(attended.botId)).phase).toBe('finalizing');
    const { run: last } = await nextRun();
    expect(await markRunFailed(last)).toBe('ended');
  });

  test('is lost only after sixty runs that did begin', async () => {
    const attended = await recordingBot();
    await markRunFailed(attended);
    const { run } = await nextRun();
    await hold(run);
    await database.query(
      `insert into leases (bot_id, attempt, fencing, mode, run_name, state, created_at, renewed_at, applied_sequence)
       select $1, n, n, 'finalize', 'earlier-' || n, 'lost', now(), now(), 0 from generate_series(101, 158) n`,
      [attended.botId],
    );
    expect(await markRunFailed(run)).toBe('finalize');
    const { run: last } = await nextRun();
    await hold(last);
    expect(await markRunFailed(last)).toBe('ended');
    const bot = await sendRequest.bot(attended.botId);
    expect(bot).toMatchObject({ phase: 'failed', end_code: 'FORCE_KILLED' });
    expect(bot.end_message).toMatch(/tried for hours/);
  });
});

describe('the upload grants of a bot', () => {
  const ended: EndedBot[] = [];
  const endGrants = async ({ bots }: { readonly bots: readonly EndedBot[] }) => {
    ended.push(...bots);
    return { success: true as const };
  };
  const endDue = async (): Promise<readonly EndedBot[]> => {
    ended.length = 0;
    await endDueGrants({ database, endGrants, now });
    return [...ended];
  };

  test('end at once when it ends because its run died, and not while another run may save its recording', async () => {
    await database.query('delete from grant_ends');
    expect(await markRunFailed(await recordingBot())).toBe('finalize');
    await database.query('update bots set wants_run = null');
    const joining = await recordingBot();
    await database.query(`update bots set phase = 'joining', status = 'joining_call' where id = $1`, [joining.botId]);
    await database.query('update leases set applied_sequence = 1 where bot_id = $1', [joining.botId]);
    expect(await markRunFailed(joining)).toBe('ended');
    const { team_id: teamId } = await sendRequest.bot(joining.botId);
    await expect(
      endDueGrants({ database, endGrants: () => Promise.reject(new Error('storage is away')), now }),
    ).rejects.toThrow('storage is away');
    expect(await endDue()).toEqual([{ botId: joining.botId, teamId }]);
    expect(await endDue()).toEqual([]);
  });

  test('end ten minutes after the end that its runner reported, who may have files to upload', async () => {
    await database.query('delete from grant_ends');
    await database.query('update bots set wants_run = null');
    const { botId, attempt } = await recordingBot();
    await database.query(`update bots set phase = 'joining', status = 'joining_call' where id = $1`, [botId]);
    const end = { code: 'BOT_NOT_ACCEPTED', message: 'No.', joinedAt: null, exitedAt: null, recorded: false } as const;
    const header = { botId, attempt, fencing: attempt, sequence: 1, at: new Date(clock.now()).toISOString() };
    const outcome = await applyReport({ database, events, now }, { ...header, kind: 'attendance-ended', end });
    expect(outcome).toMatchObject({ kind: 'applied', final: { outcome: 'failed' } });
    await clock.advance(599_000);
    expect(await endDue()).toEqual([]);
    await clock.advance(1_000);
    expect((await endDue()).map((bot) => bot.botId)).toEqual([botId]);
  });
});

describe('a run whose renewal arrived after the poll that found it silent', () => {
  test('is not expired', async () => {
    const run = await recordingBot();
    const lastRenewedAt = new Date(clock.now());
    await clock.advance(20_000);
    const { botId, attempt } = run;
    await renewLease(database, { botId, attempt, fencing: attempt, results: [] }, new Date(clock.now()));
    expect(await markRunFailed(run, { lastRenewedAt })).toBe('nothing');
    expect(await markRunFailed(run, { lastRenewedAt: new Date(clock.now()) })).toBe('finalize');
  });

  test('is not expired either when it was its first renewal', async () => {
    const run = await recordingBot();
    expect(await markRunFailed(run, { lastRenewedAt: null })).toBe('nothing');
    expect(await markRunFailed(run)).toBe('finalize');
  });
});

describe('a run that did not get its invocation', () => {
  test('counts as a launch only once its bot is ten minutes late', async () => {
    await database.query('update bots set wants_run = null');
    const teamId = await addTeam(database);
    await admitDirectly({ database, events, now }, teamId);
    const failNext = async () => markRunFailed((await nextRun()).run);
    for (let launches = 0; launches < 5; launches += 1) expect(await failNext()).toBe('launch-again');
    await clock.advance(600_000);
    expect(await failNext()).toBe('ended');
  });
});

describe('a run that got its invocation and reported nothing', () => {
  test('is a failed launch: its bot is launched again, and ends as its last run did after the third', async () => {
    await database.query('update bots set wants_run = null');
    const teamId = await addTeam(database);
    await admitDirectly({ database, events, now }, teamId);
    for (const expected of ['launch-again', 'launch-again', 'ended'] as const) {
      const { run } = await nextRun();
      await hold(run);
      const exit = { exitCode: null, signal: 'SIGKILL', outOfMemory: true } as const;
      const { botId, attempt } = run;
      expect(await markFailed({ database, events, now, settings }, { botId, attempt, exit })).toBe(expected);
      if (expected === 'ended')
        expect(await sendRequest.bot(botId)).toMatchObject({ phase: 'failed', end_code: 'OOM_KILLED' });
    }
  });
});

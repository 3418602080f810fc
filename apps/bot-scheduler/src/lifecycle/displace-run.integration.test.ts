import { beforeEach, describe, expect, test } from '@jest/globals';
import { FakeClock } from '@rapporteur/async/testing';
import type { RunExit } from '@rapporteur/bot-lifecycle';
import type { RunnerReport } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { claimRuns } from '../launch/runs.store.ts';
import { markFailed } from '../launch/mark-failed.ts';
import { admitDirectly } from '../testing/admit-directly.ts';
import { useBotsDatabase } from '../testing/suite-database.ts';
import { addTeam } from '../testing/test-scheduler.ts';
import { applyReport } from './apply-report.ts';
import type { ReportDependencies } from './apply-report.ts';
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
const published: { readonly type: string; readonly data: unknown }[] = [];
const events: ReportDependencies['events'] = {
  add: async (_transaction, { type }, data) => published.push({ type, data }),
  notify: () => undefined,
};
type BodyOf<K extends RunnerReport['kind']> = Omit<Extract<RunnerReport, { kind: K }>, keyof typeof header>;
type Body =
  | BodyOf<'status'>
  | BodyOf<'participants'>
  | BodyOf<'attendance-ended'>
  | BodyOf<'chat-message'>
  | BodyOf<'chat-status'>;
/** All runs of one move have the fencing number of the first. */
const header = { botId: '', attempt: 1, fencing: 1, sequence: 1, at: '' };
const sequences = new Map<string, number>();

/** A run that received SIGTERM before it was admitted. */
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

/** The next report of an attempt. */
async function report(botId: string, attempt: number, body: Body): Promise<void> {
  const sequence = (sequences.get(`${botId} ${attempt}`) ?? 0) + 1;
  sequences.set(`${botId} ${attempt}`, sequence);
  const of = { ...header, botId, attempt, sequence, at: new Date(now()).toISOString() };
  const outcome = await applyReport({ database, events, now }, { ...of, ...body } as RunnerReport);
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

describe('chat of two runs in one meeting', () => {
  let ids = 0;
  const chat = (text: string, sentAtMs: number, senderName = 'Ada'): Body => {
    // Each page has ids of its own.
    const times = { sentAt: new Date(sentAtMs).toISOString(), at: new Date(now()).toISOString() };
    return {
      kind: 'chat-message',
      message: { messageId: `m-${(ids += 1)}`, senderId: null, senderName, text, ...times },
    };
  };
  const chatOf = (botId: string): string[] =>
    published.flatMap(({ type, data }) => {
      const { botId: of, message } = data as { botId: string; message: { text: string } };
      return type === 'bots.v1.chat-message' && of === botId ? [message.text] : [];
    });

  test('has every message once, whichever run reports it first and whenever the second one records', async () => {
    const botId = await recordingBot();
    const at = now();
    await report(botId, 1, chat('both, the first one first', at));
    await displace(botId, 1);
    await launch(botId);
    await report(botId, 2, chat('both, the second one first', at + 2_000));
    await report(botId, 2, chat('both,  the first one first', at + 1_000));
    await report(botId, 2, chat('the second only', at + 3_000));
    await report(botId, 2, recording);
    await report(botId, 1, chat('both, the second one first', at + 2_500));
    await report(botId, 1, chat('the first only', at + 4_000));
    await report(botId, 2, chat('after the move', at + 60_000));
    expect(chatOf(botId)).toEqual([
      'both, the first one first',
      'both, the second one first',
      'the second only',
      'the first only',
      'after the move',
    ]);
  });

  test('names no sender by a number that the list of the other run gives to another participant', async () => {
    const botId = await recordingBot();
    await report(botId, 1, { kind: 'participants', participants: [{ id: 1, name: 'Bob' }], speakers: [] });
    await displace(botId, 1);
    await launch(botId);
    for (const senderName of ['Ada', 'Bob']) {
      const { message } = chat(`by ${senderName}`, now(), senderName) as BodyOf<'chat-message'>;
      await report(botId, 2, { kind: 'chat-message', message: { ...message, senderId: 1 } });
    }
    const senders = published.flatMap(({ data }) => {
      const { botId: of, message } = data as { botId: string; message?: { senderId: number | null } };
      return of === botId && message !== undefined ? [message.senderId] : [];
    });
    expect(senders).toEqual([null, 1]);
  });

  test('has words twice that were written twice, by one participant or by two', async () => {
    const botId = await recordingBot();
    const at = now();
    for (const sender of ['Ada', 'Ada', 'Bob']) await report(botId, 1, chat('Yes', at, sender));
    await displace(botId, 1);
    await launch(botId);
    for (const sender of ['Ada', 'Ada', 'Bob', 'Ada']) await report(botId, 2, chat('Yes', at + 1_000, sender));
    expect(chatOf(botId)).toEqual(['Yes', 'Yes', 'Yes', 'Yes']);
  });

  test('has what was written before, which the page shows again, once', async () => {
    const botId = await recordingBot();
    const at = now();
    await report(botId, 1, chat('Good morning', at));
    await database.query(`update leases set state = 'lost', ended_at = $2 where bot_id = $1`, [
      botId,
      new Date(at + 50_000),
    ]);
    await database.query(`update bots set wants_run = 'attend', due_at = $2 where id = $1`, [botId, new Date(at)]);
    const attempt = (await launch(botId)) ?? 0;
    await database.query('update leases set fencing = 1 where bot_id = $1', [botId]);
    await report(botId, attempt, chat('Good morning', at));
    // After the end of the first run: written again.
    await report(botId, attempt, chat('Good morning', at + 60_000));
    expect(chatOf(botId)).toEqual(['Good morning', 'Good morning']);
  });

  test('is stated as available by the run that read it, also before that one records', async () => {
    const botId = await recordingBot();
    await displace(botId, 1);
    await launch(botId);
    await report(botId, 2, { kind: 'chat-status', available: true, reason: null });
    await report(botId, 1, { kind: 'chat-status', available: false, reason: 'panel_not_attached' });
    const [bot] = await database.query('select chat_available from bots where id = $1', [botId]);
    expect(bot).toEqual({ chat_available: true });
  });
});

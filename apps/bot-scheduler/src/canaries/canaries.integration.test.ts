import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { runnerSubjects } from '@rapporteur/contracts';
import type { RunnerReport, SignInCommand } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { FakeClock } from '@rapporteur/async/testing';
import { createLogger } from '@rapporteur/service-runtime';
import { applyReport } from '../lifecycle/apply-report.ts';
import { requestLeave } from '../lifecycle/request-leave.ts';
import { pageElementsOf } from '../page-packs/page-pack-reader.ts';
import type { BotRow } from '../schema/bot-entity.ts';
import { handleSignInRequests } from '../credentials/sign-in-requests.ts';
import type { LoginClient } from '../service-clients.ts';
import { useBotsDatabase } from '../testing/suite-database.ts';
import { claimDueCanaries, findOpenRuns, forgetCanaryRuns, makeCanaryDue, saveCanaries } from './canaries.store.ts';
import { canarySetting } from './canary-config.ts';
import { readCanaries } from './read-canaries.ts';
import { canaryTeamId, forgetCanaryData, runCanaries } from './run-canaries.ts';
import type { CanaryDependencies, EndedCanaryRun } from './run-canaries.ts';
import { listCanaries } from './canaries.routes.ts';

let database: Database;
const clock = new FakeClock();
const now = () => clock.now();
const events = { add: async () => undefined, notify: () => undefined };
const allowed = () => undefined;
let ended: EndedCanaryRun[] = [];

const canaries = readCanaries(
  canarySetting().parse(
    JSON.stringify([
      { name: 'meet-a', link: 'https://meet.google.com/abc-defg-hij', interval_seconds: 600 },
      { name: 'meet-b', link: 'https://meet.google.com/abc-defg-hik', interval_seconds: 600 },
      { name: 'zoom-a', link: 'https://zoom.us/j/123456789', interval_seconds: 600, expect: { reach: 'lobby' } },
    ]),
  ),
  { simulatorLinkHosts: [] },
);
const loginTeamId = randomUUID();
const credentialId = randomUUID();
const signIns: SignInCommand[] = [];
const logins: LoginClient = {
  reserve: () => Promise.reject(new Error('not asked for here')),
  availability: () => Promise.reject(new Error('not asked for here')),
  release: () => Promise.reject(new Error('not asked for here')),
  signIn: async (command) => {
    signIns.push(command);
    const credentials = { platform: 'teams', credentialId, email: 'canary@example.com', password: 'secret' } as const;
    return { outcome: 'credentials', credentials };
  },
};
const signedIn = readCanaries(
  canarySetting().parse(
    JSON.stringify([
      {
        name: 'teams-signed-in',
        link: 'https://teams.live.com/meet/93214567890123?p=abcdEFGH',
        login: { team_id: loginTeamId, email_group: 'bots' },
        expect: { audio: 'silence' },
      },
    ]),
  ),
  { simulatorLinkHosts: [], logins },
);

useBotsDatabase((opened) => void (database = opened));
beforeEach(async () => {
  ended = [];
  await database.query('delete from canary_runs');
  await database.query('delete from canaries');
  await saveCanaries(database, canaries, new Date(now()));
  await clock.advance(60_000);
});

const dependencies = (): CanaryDependencies => ({
  database,
  events,
  preparing: { simulatorLinkHosts: [], checkAddress: allowed, checkWebhook: allowed },
  canaries,
  stayMs: 20_000,
  elementsOf: pageElementsOf,
  leave: (botId, teamId) => requestLeave({ database, events, notifyRunner: () => undefined, now }, botId, teamId),
  notifyRuns: () => undefined,
  onEnded: async (_transaction, run) => void ended.push(run),
  onCounted: () => undefined,
  now,
  logger: createLogger('canaries', 'silent'),
});
const round = () => runCanaries(dependencies());
const running = async (name: string): Promise<BotRow> => {
  const run = (await findOpenRuns(database)).find(({ canary }) => canary === name);
  const [bot] = await database.query<BotRow>('select * from bots where id = $1', [run?.bot_id ?? randomUUID()]);
  if (bot === undefined) throw new Error(`${name} does not run.`);
  return bot;
};

type Body<R> = R extends RunnerReport ? Omit<R, 'botId' | 'attempt' | 'fencing' | 'sequence' | 'at'> : never;
/** Reports like a runner that holds the lease. */
async function report(botId: string, bodies: readonly Body<RunnerReport>[]): Promise<void> {
  await database.query(
    `insert into leases (bot_id, attempt, fencing, mode, run_name, state, created_at, applied_sequence)
     values ($1::uuid, 1, 1, 'attend', $1::uuid::text, 'held', now(), 0) on conflict (bot_id, attempt) do nothing`,
    [botId],
  );
  await database.query('update bots set attempt = 1, wants_run = null where id = $1', [botId]);
  for (const body of bodies) {
    const [lease] = await database.query<{ next: number }>(
      'select applied_sequence + 1 as next from leases where bot_id = $1',
      [botId],
    );
    const at = new Date(now()).toISOString();
    const base = { botId, attempt: 1, fencing: 1, sequence: lease?.next ?? 1, at };
    const outcome = await applyReport({ database, events, now }, { ...body, ...base } as RunnerReport);
    expect(outcome).toMatchObject({ kind: 'applied', refusal: null });
  }
}
const endedBy = (code: string, over: object = {}, joined = false): Body<RunnerReport> => ({
  kind: 'attendance-ended',
  end: { code, message: '', joinedAt: joined ? new Date(now()).toISOString() : null, exitedAt: null, recorded: joined },
  ...over,
});
const first = { index: 0, of: 3 };

describe('canaries', () => {
  test('run one per platform at a time, as bots that belong to no team and cost nothing', async () => {
    await Promise.all([round(), round()]);
    const names = (await findOpenRuns(database)).map(({ canary }) => canary).sort();
    expect(names).toEqual([expect.stringMatching(/^meet-[ab]$/), 'zoom-a']);
    const bot = await running('zoom-a');
    expect(bot).toMatchObject({ team_id: canaryTeamId, team_number: null, reserved_tokens: '0', phase: 'queued' });
    expect(bot.configuration.captions).toEqual({ language: null });
    await round();
    expect(await findOpenRuns(database)).toHaveLength(2);
  });

  test('stay in their call until every step is seen, then leave, and are judged by their reports', async () => {
    await makeCanaryDue(database, 'meet-a', new Date(now() - 3_600_000));
    await round();
    const { id } = await running('meet-a');
    await report(id, [
      { kind: 'status', code: 'joining_call', pagePackVersion: 'v1' },
      { kind: 'status', code: 'in_call_not_recording' },
      { kind: 'status', code: 'in_call_recording' },
      { kind: 'chat-status', available: true, reason: null },
    ]);
    await clock.advance(30_000);
    await round();
    expect((await running('meet-a')).leave_requested_at).toBeNull();
    await report(id, [{ kind: 'captions-status', available: true, reason: null }]);
    await round();
    expect((await running('meet-a')).leave_requested_at).not.toBeNull();
    const matchedCandidates = { nameField: first, joinButton: first, leave: first };
    const observed = { audio: true, ownName: true, roster: true };
    await report(id, [endedBy('API_REQUEST', { matchedCandidates, observed }, true)]);
    await Promise.all([round(), round()]);
    expect(ended).toMatchObject([{ canary: 'meet-a', outcome: 'passed', result: { page_pack_version: 'v1' } }]);
    const [meet] = (await listCanaries(database, canaries)).canaries;
    expect(meet).toMatchObject({ name: 'meet-a', running: false, runs: [{ bot_id: id, outcome: 'passed' }] });
  });

  test('name the step and the element of a page that changed, and keep the evidence', async () => {
    await makeCanaryDue(database, 'meet-b', new Date(now() - 3_600_000));
    await round();
    const { id } = await running('meet-b');
    await report(id, [
      { kind: 'status', code: 'joining_call' },
      endedBy('CANNOT_JOIN_MEETING', { matchedCandidates: { nameField: first } }),
    ]);
    await round();
    expect(ended).toMatchObject([{ canary: 'meet-b', outcome: 'failed', failedStep: 'page' }]);
    const forgetting = { database, events, now };
    await forgetCanaryData(forgetting, 7 * 86_400_000);
    expect(await dataForgotten(id)).toBe(false);
    await clock.advance(8 * 86_400_000);
    await forgetCanaryData(forgetting, 7 * 86_400_000);
    expect(await dataForgotten(id)).toBe(true);
  });

  test('with a login sign in with that of the team which the operator names', async () => {
    await saveCanaries(database, signedIn, new Date(now()));
    await clock.advance(60_000);
    const preparing = { simulatorLinkHosts: [], checkAddress: allowed, checkWebhook: allowed, logins };
    await runCanaries({ ...dependencies(), canaries: signedIn, preparing });
    const bot = await running('teams-signed-in');
    expect(bot.configuration.login).toMatchObject({ platform: 'teams' });
    await report(bot.id, []);
    let answer: (body: unknown, subject: string) => Promise<unknown> = async () => undefined;
    const bus = {
      reply: (_subject: string, handler: typeof answer) => {
        answer = handler;
        return { stop: async () => undefined };
      },
    };
    await handleSignInRequests({ bus, database, logins, logger: createLogger('canaries', 'silent') });
    const request = { botId: bot.id, attempt: 1, fencing: 1, failed: null };
    expect(await answer(request, runnerSubjects.signIn(bot.id))).toMatchObject({ outcome: 'credentials' });
    const selector = { platform: 'teams', credentialId: null, emailGroup: 'bots' };
    expect(signIns).toMatchObject([{ botId: bot.id, teamId: loginTeamId, selector }]);
    expect((await running('teams-signed-in')).configuration.login).toEqual({ platform: 'teams', credentialId });
    await report(bot.id, [endedBy('TEAMS_LOGIN_FAILED_MFA_REQUIRED')]);
    await runCanaries({ ...dependencies(), canaries: signedIn, preparing });
    expect(ended).toMatchObject([{ canary: 'teams-signed-in', outcome: 'failed', failedStep: 'login' }]);
  });

  test('leave a waiting room once it was shown, and do not wait for ever on a page that hangs', async () => {
    await makeCanaryDue(database, 'meet-a', new Date(now() - 3_600_000));
    await round();
    const [zoom, meet] = [await running('zoom-a'), await running('meet-a')];
    await report(zoom.id, [
      { kind: 'status', code: 'joining_call' },
      { kind: 'status', code: 'in_waiting_room' },
    ]);
    await report(meet.id, [{ kind: 'status', code: 'joining_call' }]);
    await clock.advance(20_000);
    await round();
    expect((await running('zoom-a')).leave_requested_at).not.toBeNull();
    await report(zoom.id, [endedBy('EXITING_MEETING_BEFORE_RECORD', { matchedCandidates: { joinButton: first } })]);
    await clock.advance(160_000);
    await round();
    expect((await running('meet-a')).leave_requested_at).not.toBeNull();
    await clock.advance(200_000);
    await round();
    expect(ended).toMatchObject([
      { canary: 'zoom-a', outcome: 'passed' },
      { canary: 'meet-a', outcome: 'failed', failedStep: 'page' },
    ]);
  });

  test('that fail come again after a tenth of their interval, once', async () => {
    const secondsUntilDue = async () => {
      const [row] = await database.query<{ seconds: number }>(
        `select extract(epoch from due_at - $1)::float8 as seconds from canaries where name = 'meet-a'`,
        [new Date(now())],
      );
      return row?.seconds ?? 0;
    };
    const failOnce = async (): Promise<number> => {
      await makeCanaryDue(database, 'meet-a', new Date(now() - 3_600_000));
      await round();
      await report((await running('meet-a')).id, [endedBy('CANNOT_JOIN_MEETING')]);
      await round();
      return await secondsUntilDue();
    };
    expect(await failOnce()).toBe(60);
    await clock.advance(60_000);
    expect(await failOnce()).toBeGreaterThan(500);
  });

  test('come again after their interval, and keep a bounded history', async () => {
    await round();
    const due = await database.query<{ seconds: number }>(
      `select extract(epoch from due_at - $1)::float8 as seconds from canaries where due_at > $1`,
      [new Date(now())],
    );
    expect(due).toHaveLength(2);
    for (const { seconds } of due) expect(Math.abs(seconds - 600)).toBeLessThanOrEqual(30);
    expect(await database.transaction((transaction) => claimDueCanaries(transaction, new Date(now())))).toHaveLength(1);
    await database.query(
      `update canary_runs set ended_at = now(), outcome = 'passed', result = '{"message":"","page_pack_version":null,"steps":[]}'`,
    );
    const { id } = await insertRuns(105);
    await database.transaction(forgetCanaryRuns);
    expect(await database.query('select from bots where id = $1', [id])).toEqual([]);
    expect(await database.query(`select from canary_runs where canary = 'many'`)).toHaveLength(100);
  });
});

async function dataForgotten(id: string): Promise<boolean> {
  const [bot] = await database.query<BotRow>('select * from bots where id = $1', [id]);
  return bot?.data_forgotten_at != null;
}

/** Ended runs of a canary with bots of which nothing is stored; returns the oldest. */
async function insertRuns(count: number): Promise<{ id: string }> {
  const [template] = await database.query<{ id: string }>(`select id from bots where team_id = $1 limit 1`, [
    canaryTeamId,
  ]);
  const rows = await database.query<{ id: string }>(
    `insert into bots overriding system value
     select (jsonb_populate_record(bots, jsonb_build_object('id', gen_random_uuid(), 'number', 1000000 + n, 'artifacts_deleted', true, 'ended_at', now()))).*
     from bots, generate_series(1, $2::int) n where id = $1 order by n returning id`,
    [template?.id, count],
  );
  for (const [index, { id }] of rows.entries())
    await database.query(
      `insert into canary_runs (bot_id, canary, platform, started_at, ended_at, outcome) values ($1, 'many', 'meet', $2, now(), 'passed')`,
      [id, new Date(now() + index * 1_000)],
    );
  const [oldest] = rows;
  if (oldest === undefined) throw new Error('No run was inserted.');
  return oldest;
}

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { RunnerReport } from '@rapporteur/contracts';
import type { Database } from '@rapporteur/database';
import { connectBus, createOutbox } from '@rapporteur/event-bus';
import type { Bus } from '@rapporteur/event-bus';
import { createLogger, loadConfig } from '@rapporteur/service-runtime';
import { createTestDatabase, testNats } from '@rapporteur/testbed';
import type { TestDatabase } from '@rapporteur/testbed';
import { claimRuns } from '../launch/runs.store.ts';
import { recordingConfig } from '../launch/recording-settings.ts';
import { redeemTicket } from '../launch/redeem-ticket.ts';
import { describeStatus } from '../reading/describe-bot.ts';
import { renewLease } from '../testing/renew-lease.ts';
import { markFailed } from '../launch/mark-failed.ts';
import { admitDirectly } from '../testing/admit-directly.ts';
import { addTeam, fakeStorage, openBotsDatabase, requests, testBox } from '../testing/test-scheduler.ts';
import { applyReport, readReport, skipReport } from './apply-report.ts';
import { noLiveEngines } from '../transcription/live-engines.ts';
import type { EventSink } from '../schema/context.ts';

let testDatabase: TestDatabase;
let database: Database;
let bus: Bus;
let events: EventSink & { notify(): void };
let teamId: string;
let sendRequest: ReturnType<typeof requests>;
const now = () => Date.now();

beforeAll(async () => {
  testDatabase = await createTestDatabase(openBotsDatabase);
  database = await openBotsDatabase(testDatabase.url);
  const logger = createLogger('test', 'silent');
  bus = await connectBus({ url: testNats().url, name: 'test', logger });
  const outbox = createOutbox({ database, bus, service: 'bot-scheduler', logger });
  events = { add: outbox.add.bind(outbox), notify: () => undefined };
  teamId = await addTeam(database, { tokens: 36_000_000 });
  sendRequest = requests(database, 'http://127.0.0.1:1');
});
afterAll(async () => {
  await bus.close();
  await database.close();
  await testDatabase.drop();
});

type Body<R> = R extends RunnerReport ? Omit<R, 'botId' | 'attempt' | 'fencing' | 'sequence' | 'at'> : never;
const life: readonly Body<RunnerReport>[] = [
  { kind: 'status', code: 'joining_call' },
  { kind: 'status', code: 'in_call_not_recording' },
  { kind: 'status', code: 'in_call_recording', startTime: 1_800_000_000 },
  { kind: 'participants', participants: [{ id: 1, name: 'Ada' }], speakers: [] },
  {
    kind: 'attendance-ended',
    end: {
      code: 'NO_SPEAKER',
      message: 'Silence.',
      joinedAt: '2026-01-01T10:00:00.000Z',
      exitedAt: '2026-01-01T11:00:00.000Z',
      recorded: true,
    },
  },
  {
    kind: 'recording-stored',
    artifacts: [{ kind: 'video', key: 'v.mp4', bytes: 1, sha256: 'x', contentType: 'video/mp4' }],
    durationMs: 3_600_000,
    participants: [],
    speakers: [],
  },
];
const codes = [
  'queued',
  'joining_call',
  'in_call_not_recording',
  'in_call_recording',
  'call_ended',
  'recording_succeeded',
  'completed',
];

const outbound = { allow: [], requireHttps: true, caFile: null, proxy: null };
const settings = {
  rejoinsAfterFailure: 0,
  busUrl: 'nats://127.0.0.1:1',
  leaseRenewMs: 3_000,
  leaseLostAfterMs: 20_000,
  simulator: null,
  outbound,
  recording: loadConfig(recordingConfig, {}),
};
const zoom = { box: testBox, sdk: null };
const redeeming = { busCredentials: async () => null, settings, zoom, live: noLiveEngines };
const redeem = (ticket: string, grantUpload = fakeStorage.grantUpload, runner: string = randomUUID()) =>
  redeemTicket({ ...redeeming, database, grantUpload, now }, { ticket, runner });

async function launchOne(): Promise<{ botId: string; ticket: string; attempt: number }> {
  const [run] = await claimRuns(database, { limit: 10_000, ticketTtlMs: 60_000, at: new Date(now() + 60_000) });
  if (run === undefined) throw new Error('Nothing waits for a run.');
  return run;
}
async function startBot(over: Record<string, unknown> = {}): Promise<string> {
  const botId = await admitDirectly({ database, events, now }, teamId, over);
  const run = await launchOne();
  expect(run.botId).toBe(botId);
  await redeem(run.ticket);
  return botId;
}
const reportOf = (botId: string, sequence: number, over: { attempt?: number; fencing?: number } = {}): RunnerReport =>
  ({
    ...life[sequence - 1],
    botId,
    attempt: 1,
    fencing: 1,
    sequence,
    at: '2026-01-01T10:00:00.000Z',
    ...over,
  }) as RunnerReport;
const apply = (report: RunnerReport) => applyReport({ database, events, now }, report);
/** Handles a message like the consumer of the bus. */
const receive = (message: unknown) => {
  const read = readReport(message);
  return read.kind === 'report' ? apply(read.report) : skipReport({ database }, read.report, read.error);
};

test('a report beyond the limits of its schema counts as received, and the next one is applied', async () => {
  const botId = await startBot();
  await apply(reportOf(botId, 1));
  const participant = { id: 1, name: 'N'.repeat(300_000) };
  const endless = { ...reportOf(botId, 2), kind: 'participants', participants: [participant], speakers: [] };
  expect(await receive(endless)).toMatchObject({ kind: 'unstorable' });
  expect(await receive(endless)).toMatchObject({ kind: 'duplicate' });
  expect(await receive(reportOf(botId, 3))).toMatchObject({ kind: 'applied' });
  expect(() => readReport({ ...endless, sequence: 2 ** 31 })).toThrow('sequence');
});

test('a bot that streams reserves and is charged for that as well, each direction apart', async () => {
  const streaming_config = { output_url: 'wss://a.example/out', input_url: null };
  const botId = await startBot({ streaming_enabled: true, streaming_config });
  expect(Number((await sendRequest.bot(botId)).reserved_tokens)).toBe(1_980);
  for (let sequence = 1; sequence <= life.length; sequence += 1) await apply(reportOf(botId, sequence));
  expect((await sendRequest.bot(botId)).tokens).toMatchObject({
    recording: 3_600,
    streaming_output: 360,
    streaming_input: 0,
    total: 3_960,
  });
});

describe('reports of one runner', () => {
  test('are applied in order and once, however often and in whatever order they come', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: life.length }), { maxLength: 20 }), async (deliveries) => {
        const botId = await startBot();
        // The runner resends from the first missing report until all are applied.
        const again = Array.from({ length: life.length }, (_, index) => index + 1);
        for (const sequence of [...deliveries, ...again, ...deliveries]) await apply(reportOf(botId, sequence));
        expect(await sendRequest.history(botId)).toEqual(codes);
        expect(await sendRequest.events(botId, 'bots.v1.ended')).toHaveLength(1);
        expect(await sendRequest.bot(botId)).toMatchObject({
          participants: [{ id: 1, name: 'Ada' }],
          duration_ms: '3600000',
          tokens: { total: 3_600 },
        });
      }),
      { numRuns: 15 },
    );
  });

  test('sent side by side are still applied once', async () => {
    const botId = await startBot();
    for (let sequence = 1; sequence <= life.length; sequence += 1) {
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => apply(reportOf(botId, sequence))));
      expect(outcomes.filter(({ kind }) => kind === 'applied')).toHaveLength(1);
    }
    expect(await sendRequest.history(botId)).toEqual(codes);
  });

  test('with one missing wait for it', async () => {
    const botId = await startBot();
    expect(await apply(reportOf(botId, 2))).toEqual({ kind: 'gap' });
    expect((await sendRequest.bot(botId)).status).toBe('queued');
  });

  test('that the lifecycle refuses change nothing but count as received', async () => {
    const botId = await startBot();
    const stray = { ...reportOf(botId, 3), sequence: 1 } as RunnerReport;
    expect(await apply(stray)).toEqual({
      kind: 'applied',
      refusal: 'recording_started does not follow queued.',
      teamId,
      final: null,
    });
    expect(await sendRequest.history(botId)).toEqual(['queued']);
    expect(await renewLease(database, { botId, attempt: 1, fencing: 1, results: [] }, new Date())).toMatchObject({
      appliedSequence: 1,
    });
  });

  test('that hold text which the database cannot keep are applied with the rest of it', async () => {
    const botId = await startBot();
    for (const sequence of [1, 2, 3]) await apply(reportOf(botId, sequence));
    const name = `A\0da ${'😀'[0]}`;
    const roster = { ...reportOf(botId, 4), participants: [{ id: 1, name }], speakers: [] };
    expect(await receive(roster)).toMatchObject({ kind: 'applied', refusal: null });
    expect((await sendRequest.bot(botId)).participants).toEqual([{ id: 1, name: 'Ada \uFFFD' }]);
    const message = `${'x'.repeat(999)}😀`;
    const end = { code: 'NO_SPEAKER', message, joinedAt: null, exitedAt: null, recorded: true };
    const ended = { ...reportOf(botId, 5), end } as RunnerReport;
    expect(await receive(ended)).toMatchObject({ kind: 'applied', refusal: null });
    const lost = { ...reportOf(botId, 6), kind: 'recording-lost', message };
    expect(await receive(lost)).toMatchObject({ kind: 'applied', final: { outcome: 'failed' } });
  });

  test('of a lost recording end with the reason for which the storage did not take it', async () => {
    const botId = await startBot();
    for (const sequence of [1, 2, 3]) await apply(reportOf(botId, sequence));
    const reason = 'The object store refuses this access key the request. (HTTP 403, AccessDenied: Access Denied)';
    const refused = { ...reportOf(botId, 4), kind: 'upload-failed', message: reason } as RunnerReport;
    expect(await receive(refused)).toMatchObject({ kind: 'applied', refusal: null });
    const end = { code: 'NO_SPEAKER', message: 'Silence.', joinedAt: null, exitedAt: null, recorded: true };
    await receive({ ...reportOf(botId, 5), end } as RunnerReport);
    const lost = { ...reportOf(botId, 6), kind: 'recording-lost', message: 'Nothing of the recording was stored.' };
    expect(await receive(lost)).toMatchObject({ kind: 'applied', final: { outcome: 'failed' } });
    expect((await sendRequest.bot(botId)).end_message).toBe(
      `Nothing of the recording was stored. The last failed upload: ${reason}`,
    );
  });

  test('state what a recording gives up for want of CPU, until it has it again or another run joins', async () => {
    const botId = await startBot();
    const degraded = async () => {
      const progress = { progress: null, message: null };
      return describeStatus(await sendRequest.bot(botId), { transcription: progress, delayReason: null }).degraded;
    };
    const reports: readonly Body<RunnerReport>[] = [
      ...life.slice(0, 3),
      { kind: 'degraded', step: 'frame_rate' },
      { kind: 'degraded', step: 'incoming_video' },
      { kind: 'degraded', step: null },
      { kind: 'degraded', step: 'frame_size' },
      { kind: 'status', code: 'joining_call' },
    ];
    const stated: unknown[] = [];
    for (const [index, body] of reports.entries()) {
      if (index === 7) await database.query('update bots set rejoins = 1 where id = $1', [botId]);
      const report = { ...reportOf(botId, index + 1), ...body } as RunnerReport;
      expect(await receive(report)).toMatchObject({ kind: 'applied', refusal: null });
      stated.push(await degraded());
    }
    const absent = undefined;
    expect(stated.slice(2)).toEqual([absent, 'frame_rate', 'incoming_video', absent, 'frame_size', absent]);
  });

  test('of a lost recording keep the captions of the meeting', async () => {
    const botId = await startBot();
    for (const sequence of [1, 2, 3]) await apply(reportOf(botId, sequence));
    const end = { code: 'INTERNAL_ERROR', message: 'Broken.', joinedAt: null, exitedAt: null, recorded: true };
    await receive({ ...reportOf(botId, 5), sequence: 4, end } as RunnerReport);
    const captions = {
      kind: 'captions',
      key: 'artifacts/captions.jsonl',
      bytes: 3,
      contentType: 'application/x-ndjson',
      sha256: 'a'.repeat(64),
    };
    const lost = {
      ...reportOf(botId, 6),
      sequence: 5,
      kind: 'recording-lost',
      message: 'Gone.',
      artifacts: [captions],
    };
    expect(await receive(lost)).toMatchObject({ kind: 'applied', final: { outcome: 'failed' } });
    const [row] = await database.query<{ artifacts: unknown }>('select artifacts from bots where id = $1', [botId]);
    expect(row?.artifacts).toEqual([captions]);
  });

  test('that the database can never take count as received, so that the next ones are applied', async () => {
    const botId = await startBot();
    const roster = { ...reportOf(botId, 4), sequence: 1, participants: [{ id: 1, name: 'A\0da' }] } as RunnerReport;
    expect(await apply(roster)).toMatchObject({ kind: 'unstorable', teamId });
    expect(await apply(roster)).toEqual({ kind: 'duplicate' });
    expect((await sendRequest.bot(botId)).participants).toEqual([]);
    expect(await apply({ ...reportOf(botId, 1), sequence: 2 })).toMatchObject({ kind: 'applied', refusal: null });
  });

  test('about an unknown bot are put aside', async () => {
    expect(await apply(reportOf(randomUUID(), 1))).toEqual({ kind: 'unknown' });
  });
});

describe('a runner that was fenced off', () => {
  test('can apply nothing more and learns it from its lease', async () => {
    const botId = await startBot();
    for (const sequence of [1, 2, 3]) await apply(reportOf(botId, sequence));
    const lease = { botId, attempt: 1, fencing: 1, results: [] };
    expect(await renewLease(database, lease, new Date())).toEqual({
      held: true,
      appliedSequence: 3,
      leaveRequested: false,
      commands: [],
    });
    expect(await markFailed({ database, events, now, settings }, { botId, attempt: 1, exit: null })).toBe('finalize');
    expect(await apply(reportOf(botId, 4))).toEqual({ kind: 'fenced' });
    expect(await renewLease(database, lease, new Date())).toMatchObject({ held: false, appliedSequence: 3 });

    const finalizeRun = await launchOne();
    const invocation = await redeem(finalizeRun.ticket);
    expect(invocation).toMatchObject({
      mode: 'finalize',
      attempt: 2,
      fencing: 2,
      attendanceEnd: { code: 'FORCE_KILLED', recorded: true },
    });
    expect(await apply(reportOf(botId, 5))).toEqual({ kind: 'fenced' });
    const stored = { ...reportOf(botId, 6), sequence: 1, attempt: 2, fencing: 2 } as RunnerReport;
    expect(await apply(stored)).toMatchObject({ kind: 'applied', final: { outcome: 'failed' } });
    expect(await sendRequest.bot(botId)).toMatchObject({
      status: 'failed',
      end_code: 'FORCE_KILLED',
      artifacts: [{ key: 'v.mp4' }],
    });
    expect(await apply(reportOf(botId, 6))).toEqual({ kind: 'fenced' });
  });

  test('is not taken for another when it guesses a number', async () => {
    const botId = await startBot();
    expect(await apply(reportOf(botId, 1, { fencing: 2 }))).toEqual({ kind: 'fenced' });
    expect(await apply(reportOf(botId, 1, { attempt: 2, fencing: 2 }))).toEqual({ kind: 'fenced' });
    expect(await renewLease(database, { botId, attempt: 1, fencing: 2, results: [] }, new Date())).toMatchObject({
      held: false,
    });
  });

  test('has fewer participants in its end event when all of them exceed a message of the bus', async () => {
    const botId = await startBot();
    await apply(reportOf(botId, 1));
    const roster = Array.from({ length: 2_000 }, (_, index) => ({
      id: index + 1,
      name: `${index} ${'N'.repeat(300)}`,
    }));
    await database.query('update bots set participants = $2::jsonb, speakers = $2::jsonb where id = $1', [
      botId,
      JSON.stringify(roster),
    ]);
    expect(await markFailed({ database, events, now, settings }, { botId, attempt: 1, exit: null })).toBe('ended');
    const [reported] = await sendRequest.events(botId, 'bots.v1.ended');
    const { participants } = reported as { participants: { name: string }[] };
    expect(participants).toHaveLength(1_000);
    expect(participants[0]?.name).toHaveLength(256);
    expect((await sendRequest.bot(botId)).participants).toHaveLength(2_000);
  });

  test('is marked as failed once, however many notice its end', async () => {
    const botId = await startBot();
    await apply(reportOf(botId, 1));
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () =>
        markFailed({ database, events, now, settings }, { botId, attempt: 1, exit: null }),
      ),
    );
    expect(outcomes.filter((outcome) => outcome !== 'nothing')).toEqual(['ended']);
    expect(await sendRequest.events(botId, 'bots.v1.ended')).toHaveLength(1);
  });
});

describe('the lease of a runner whose bot has ended', () => {
  test('is still held, so that it sees its last report applied and goes in peace', async () => {
    const botId = await startBot();
    for (let sequence = 1; sequence <= life.length; sequence += 1) await apply(reportOf(botId, sequence));
    expect(await renewLease(database, { botId, attempt: 1, fencing: 1, results: [] }, new Date())).toEqual({
      held: true,
      appliedSequence: life.length,
      leaveRequested: false,
      commands: [],
    });
  });
});

describe('a launch ticket', () => {
  const admit = () => admitDirectly({ database, events, now }, teamId);

  test('works once, also when many come with it', async () => {
    await admit();
    const { ticket } = await launchOne();
    const responses = await Promise.allSettled(Array.from({ length: 10 }, () => redeem(ticket)));
    expect(responses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const response of responses)
      if (response.status === 'rejected') expect(response.reason).toMatchObject({ code: 'TICKET_GONE' });
  });

  test('gives the same document again to the runner that redeemed it, until its first lease renewal', async () => {
    const botId = await admit();
    const { ticket } = await launchOne();
    const as = (runner: string) => redeem(ticket, fakeStorage.grantUpload, runner);
    const document = await as('runner-1');
    // Several of each at once: the first one may still be in progress when it is abandoned.
    expect(await Promise.all([as('runner-1'), as('runner-1')])).toEqual([document, document]);
    await expect(as('runner-2')).rejects.toMatchObject({ code: 'TICKET_GONE' });
    await renewLease(database, { botId, attempt: 1, fencing: 1, results: [] }, new Date(now() + 1_000));
    await expect(as('runner-1')).rejects.toMatchObject({ code: 'TICKET_GONE' });
  });

  test('stays good when storage could not be reached', async () => {
    await admit();
    const { ticket } = await launchOne();
    await expect(redeem(ticket, () => Promise.reject(new Error('storage is away')))).rejects.toThrow('away');
    expect((await redeem(ticket)).mode).toBe('attend');
  });

  test('is worth nothing once it expired, once its run was marked as failed, or when it was made up', async () => {
    await admit();
    const late = await launchOne();
    const { grantUpload } = fakeStorage;
    const afterwards = { ...redeeming, database, grantUpload, now: () => now() + 10 * 60_000 };
    await expect(redeemTicket(afterwards, { ticket: late.ticket, runner: randomUUID() })).rejects.toMatchObject({
      code: 'TICKET_GONE',
    });
    expect(await markFailed({ database, events, now, settings }, { ...late, exit: null })).toBe('launch-again');
    await expect(redeem(late.ticket)).rejects.toMatchObject({ code: 'TICKET_GONE' });
    await expect(redeem('x'.repeat(43))).rejects.toMatchObject({ code: 'TICKET_GONE' });
    const again = await launchOne();
    expect(again).toMatchObject({ botId: late.botId, attempt: 2 });
    expect((await redeem(again.ticket)).fencing).toBe(2);
  });

  test('is not kept in a form that could be used', async () => {
    await admit();
    const { ticket } = await launchOne();
    expect(JSON.stringify(await database.query('select * from launch_tickets'))).not.toContain(ticket);
    await redeem(ticket);
  });
});

test('a bot that is not accepted pays for recording during its time in the waiting room', async () => {
  const botId = await startBot();
  const receive = (sequence: number, body: object) =>
    apply({ ...body, botId, attempt: 1, fencing: 1, sequence, at: new Date(now()).toISOString() } as RunnerReport);
  await receive(1, { kind: 'status', code: 'joining_call' });
  await receive(2, { kind: 'status', code: 'in_waiting_room' });
  const [waiting] = await database.query<{ at: Date }>(
    `select at from bot_history where bot_id = $1 and code = 'in_waiting_room'`,
    [botId],
  );
  const exitedAt = new Date((waiting?.at.getTime() ?? 0) + 1_800_000).toISOString();
  await receive(3, {
    kind: 'attendance-ended',
    end: { code: 'BOT_NOT_ACCEPTED', message: '', joinedAt: null, exitedAt, recorded: false },
  });
  const [bot] = await database.query<{ end_code: string; tokens: object }>(
    'select end_code, tokens from bots where id = $1',
    [botId],
  );
  expect(bot).toMatchObject({ end_code: 'BOT_NOT_ACCEPTED', tokens: { recording: 1_800, total: 1_800 } });
});

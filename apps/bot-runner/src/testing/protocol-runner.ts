// A runner without a browser, for tests with many bots: ticket, lease, reports and uploads are those of the real one.
// Its meeting is the HTTP address in the bot's entry message: it is notified when a bot joins and leaves, and returns
// whether the meeting is over. A bot without an entry message runs as the real one, with its browser.
import { join } from 'node:path';
import type { BotInvocation } from '@rapporteur/contracts';
import { createLogger, loadConfig, systemClock } from '@rapporteur/service-runtime/process';
import { Termination } from '../termination.ts';
import { connectToBus } from '../bus/connect-to-bus.ts';
import { runnerConfig } from '../config.ts';
import { exitCodes } from '../exit-codes.ts';
import { redeemTicket } from '../invocation/redeem-ticket.ts';
import { Lease } from '../lease/lease.ts';
import { createFileSpool, Reporter } from '../reporting/reporter.ts';
import type { ReportBody } from '../reporting/reporter.ts';
import { createGrantStore, GrantRefused } from '../upload/grant-store.ts';

const clock = systemClock;
const config = loadConfig(runnerConfig);
const logger = createLogger('protocol-runner', config.logLevel);
const storeTimeoutMs = 120_000;
const never = new AbortController().signal;
const participant = { id: 1, name: 'Participant' };

/** Notifies the meeting. @returns whether it is over. The meeting does not fail. */
async function notifyMeeting(invocation: BotInvocation, what: 'join' | 'look' | 'leave'): Promise<boolean> {
  const { configuration, botId, attempt } = invocation;
  const response = await fetch(`${configuration.entry_message}/${what}`, {
    method: 'POST',
    body: JSON.stringify({ botId, attempt }),
    signal: AbortSignal.timeout(10_000),
  });
  return ((await response.json()) as { over: boolean }).over;
}

async function attend(invocation: BotInvocation): Promise<number> {
  const { botId, attempt, fencing } = invocation;
  const identity = { botId, attempt, fencing };
  const bus = await connectToBus({ config: {}, invocation, clock, logger, signal: never });
  const leave = new AbortController();
  const spool = createFileSpool(join(config.workFolder, 'reports.jsonl'), () => undefined);
  const reporter = new Reporter({ identity, bus, spool, clock, logger });
  const listener = {
    applied: (sequence: number) => reporter.applied(sequence),
    leaveRequested: () => leave.abort(),
    commands: () => undefined,
    displaced: () => undefined,
    replaced: () => undefined,
    lost: () => process.exit(exitCodes.fenced),
  };
  const live = { wanted: () => undefined, take: () => null };
  const sent = { results: () => [], late: () => false, live };
  const lease = new Lease({ identity, bus, ...invocation.lease, clock, logger, listener, ...sent });
  reporter.start();
  lease.start();
  const settle = async (): Promise<number> => {
    lease.outlastDisconnection();
    const settled = await reporter.settle(never);
    await lease.stop();
    await reporter.stop();
    await bus.close();
    return settled ? exitCodes.done : exitCodes.unfinished;
  };
  if (invocation.mode === 'finalize') {
    reporter.report(await storedRecording(invocation, 0));
    return settle();
  }
  reporter.report({ kind: 'status', code: 'joining_call' });
  await notifyMeeting(invocation, 'join');
  const joinedAt = new Date(clock.now()).toISOString();
  reporter.report({ kind: 'status', code: 'in_call_not_recording' });
  reporter.report({ kind: 'status', code: 'in_call_recording', startTime: Math.floor(clock.now() / 1_000) });
  while (!leave.signal.aborted && !(await notifyMeeting(invocation, 'look')))
    await clock.sleep(500, leave.signal).catch(() => undefined);
  await notifyMeeting(invocation, 'leave');
  const code = leave.signal.aborted ? 'API_REQUEST' : 'NO_ATTENDEES';
  const exitedAt = new Date(clock.now()).toISOString();
  reporter.report({ kind: 'attendance-ended', end: { code, message: '', joinedAt, exitedAt, recorded: true } });
  reporter.report(await storedRecording(invocation, Date.parse(exitedAt) - Date.parse(joinedAt)));
  return settle();
}

async function storedRecording(invocation: BotInvocation, durationMs: number): Promise<ReportBody> {
  const artifacts = [await storeVideo(invocation)];
  return { kind: 'recording-stored', artifacts, durationMs, participants: [participant], speakers: [participant] };
}

/** A bot stores its own id, repeated. */
async function storeVideo({ storage, botId }: BotInvocation) {
  const store = createGrantStore(storage);
  const object = { key: 'video.mp4', content: { bytes: Buffer.from(botId.repeat(1_000)) }, contentType: 'video/mp4' };
  for (;;) {
    try {
      const receipt = await store.put(object, AbortSignal.timeout(storeTimeoutMs));
      return { kind: 'video' as const, key: object.key, contentType: object.contentType, ...receipt };
    } catch (error) {
      if (error instanceof GrantRefused) process.exit(exitCodes.fenced);
      await clock.sleep(500);
    }
  }
}

const { schedulerUrl, launchTicket } = config;
const invocation = await redeemTicket({ schedulerUrl, ticket: launchTicket.reveal(), clock, signal: never });
if (invocation.configuration.entry_message !== null) process.exit(await attend(invocation));
const { runWithBrowsers } = await import('../browser/run-with-browsers.ts');
process.exit(
  await runWithBrowsers({
    config,
    invocation,
    logger,
    termination: new Termination(config.terminationGraceMs, systemClock),
  }),
);

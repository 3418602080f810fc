// A runner without a browser: tickets, leases and reports are those of the real one, and its scenario is its bot's
// name. Run as a process by the tests of this service.
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { botInvocation, internalRoutes, leaseReply, liveViewWanted, runnerSubjects } from '@rapporteur/contracts';
import type {
  BotInvocation,
  CommandResult,
  LeaseReply,
  LeaseRequest,
  LiveView,
  RunnerCommand,
  RunnerReport,
} from '@rapporteur/contracts';
import { connectBus, runnerInboxPrefix } from '@rapporteur/event-bus';
import type { Bus } from '@rapporteur/event-bus';
import { createLogger } from '@rapporteur/service-runtime/process';

/** Scenarios, as bot names. Unless its name says otherwise, a bot records until it is instructed to end. */
export type Scenario =
  | 'completes'
  | 'records'
  | 'chats'
  | 'waits'
  | 'crashes'
  | 'crashes-once'
  | 'crashes-then-is-rejected'
  | 'crashes-then-waits'
  | 'moves-and-is-rejected'
  | 'moves-and-waits'
  | 'cannot-finalize'
  | 'cannot-save-first'
  | 'rejected';

type Body<R> = R extends RunnerReport ? Omit<R, 'botId' | 'attempt' | 'fencing' | 'sequence' | 'at'> : never;

const settings = process.env;
const logger = createLogger('fake-runner', 'info');

async function redeem(): Promise<BotInvocation> {
  const response = await fetch(`${settings['RAPPORTEUR_SCHEDULER_URL']}${internalRoutes.redeemTicket}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ticket: settings['RAPPORTEUR_LAUNCH_TICKET'], runner: randomUUID() }),
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`The ticket was refused with ${response.status}: ${await response.text()}`);
  return botInvocation.parse(await response.json());
}

async function main(): Promise<void> {
  if (settings['FAKE_RUNNER'] === 'never-redeems') return void setInterval(() => undefined, 1_000);
  const invocation = await redeem();
  const scenario = invocation.configuration.bot_name as Scenario;
  writeFileSync(join(settings['RAPPORTEUR_WORK_FOLDER'] ?? '', 'invocation.json'), JSON.stringify(invocation));
  const runner = await connect(invocation);
  if (invocation.mode === 'finalize') await finalize(runner, scenario);
  else await attend(runner, scenario);
  await runner.close();
}

interface Runner {
  readonly invocation: BotInvocation;
  report(body: Body<RunnerReport>): void;
  /** Resolves when all reports are applied. */
  applied(): Promise<void>;
  /** Resolves with the reason to end: an API request, SIGTERM, fencing, or a replacement by another run. */
  instructedToEnd(): Promise<'API_REQUEST' | 'SIGTERM' | 'fenced' | 'replaced'>;
  close(): Promise<void>;
}

async function renew(bus: Bus, request: LeaseRequest): Promise<LeaseReply> {
  const sendRequest = (subject: string, timeoutMs: number) => bus.request(subject, request, { timeoutMs });
  const { lease, leaseOfAny } = runnerSubjects;
  return leaseReply.parse(
    await sendRequest(lease(request.botId), 1_000).catch(() => sendRequest(leaseOfAny(request.botId), 2_000)),
  );
}

async function connect(invocation: BotInvocation): Promise<Runner> {
  const { botId, attempt, fencing, bus: address, lease } = invocation;
  const credentials = address.credentials;
  const bus = await connectBus({
    url: address.url,
    name: `bot-${botId}`,
    logger,
    inboxPrefix: runnerInboxPrefix(botId),
    ...(credentials === null ? {} : { credentials }),
  });
  const sent: RunnerReport[] = [];
  let last: LeaseReply = { held: true, appliedSequence: 0, leaveRequested: false, commands: [] };
  const applied = new Map<string, CommandResult | null>();
  let wake = (): void => undefined;
  let terminated = false;
  process.on('SIGTERM', () => {
    terminated = true;
    wake();
  });
  const publish = (report: RunnerReport): void =>
    void bus
      .publish(runnerSubjects.report(botId), report)
      .catch((error: unknown) => logger.warn({ err: error }, 'Report not sent.'));
  const apply = (command: RunnerCommand): void => {
    const result = handleCommand(command, report);
    applied.set(command.id, result);
    if (result !== null) void beat();
  };
  const beat = async (live?: LiveView): Promise<void> => {
    try {
      const results = last.commands.map(({ id }) => applied.get(id)).filter((result) => result != null);
      const late = existsSync(lateFile());
      last = await renew(bus, { botId, attempt, fencing, results, live, late });
      for (const command of last.commands) if (!applied.has(command.id)) apply(command);
      for (const report of sent.filter(({ sequence }) => sequence > last.appliedSequence)) publish(report);
    } catch (error) {
      logger.warn({ err: error }, 'The lease was not renewed.');
    }
    wake();
  };
  const report = (body: Body<RunnerReport>): void => {
    const at = new Date().toISOString();
    const next = { ...body, botId, attempt, fencing, sequence: sent.length + 1, at } as RunnerReport;
    sent.push(next);
    publish(next);
  };
  const until = async <T>(check: () => T | null): Promise<T> => {
    for (;;) {
      const found = check();
      if (found !== null) return found;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  const timer = setInterval(() => void beat(), lease.renewEveryMs);
  const subscription = bus.onNotification(
    runnerSubjects.notification(botId),
    (body) => void beat(liveViewWanted.safeParse(body).success ? shownView() : undefined),
  );
  return {
    invocation,
    report,
    applied: () => until(() => (last.appliedSequence >= sent.length || !last.held ? true : null)).then(() => undefined),
    instructedToEnd: () => until(() => reasonToEnd(last, terminated)),
    close: async () => {
      clearInterval(timer);
      await subscription.stop();
      await bus.close();
    },
  };
}

function shownView(): LiveView {
  const at = new Date().toISOString();
  const chat = [{ name: 'Grace', text: 'Hello', at }];
  return { at, speaking: ['Ada'], transcript: [], chat, screenshot: { takenAt: at, image: 'aW1hZ2U=' } };
}

/** A bot that is ready early waits for its join time. */
async function untilJoinTime({ joinAt }: BotInvocation): Promise<void> {
  const waitMs = joinAt === null ? 0 : Date.parse(joinAt) - Date.now();
  if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
}

function reasonToEnd({ held, leaveRequested, replaced }: LeaseReply, terminated: boolean) {
  if (!held) return 'fenced';
  if (replaced === true) return 'replaced';
  if (leaveRequested) return 'API_REQUEST';
  return terminated ? 'SIGTERM' : null;
}

/** The message of a command selects its result; null: no response is ever sent. */
function handleCommand(command: RunnerCommand, report: Runner['report']): CommandResult | null {
  const { id } = command;
  switch (command.kind) {
    case 'pause-recording':
      report({ kind: 'status', code: 'recording_paused' });
      return { id, outcome: 'done', message: '' };
    case 'resume-recording':
      report({ kind: 'status', code: 'recording_resumed' });
      return { id, outcome: 'done', message: '' };
    case 'send-chat-message':
      break;
  }
  switch (command.message) {
    case 'unavailable':
    case 'failed':
    case 'refused':
      return { id, outcome: command.message, message: `It was ${command.message}.` };
    case 'never answered':
      return null;
    case 'kills':
      return process.exit(3);
    default:
      appendFileSync(chatFile(), `${command.message}\n`);
      return { id, outcome: 'done', message: '' };
  }
}

/** Its existence makes the runner state that its machine is late. */
const lateFile = (): string => join(settings['RAPPORTEUR_WORK_FOLDER'] ?? '', 'late');
const chatFile = (): string => join(settings['RAPPORTEUR_WORK_FOLDER'] ?? '', 'chat.txt');

async function attend(runner: Runner, scenario: Scenario): Promise<void> {
  await untilJoinTime(runner.invocation);
  const joinedAt = new Date().toISOString();
  const pagePackVersion = `test+${runner.invocation.pagePack?.version ?? 'none'}`;
  runner.report({ kind: 'status', code: 'joining_call', pagePackVersion });
  runner.report({ kind: 'status', code: 'in_waiting_room' });
  const isFirst = runner.invocation.attempt === 1;
  if (scenario === 'rejected' || (scenario.endsWith('-is-rejected') && !isFirst))
    return endUnrecorded(runner, 'BOT_NOT_ACCEPTED');
  if (scenario === 'waits' || ((scenario === 'crashes-then-waits' || scenario === 'moves-and-waits') && !isFirst))
    return endUnrecorded(runner, await runner.instructedToEnd());
  runner.report({ kind: 'status', code: 'in_call_not_recording' });
  runner.report({ kind: 'status', code: 'in_call_recording', startTime: Math.floor(Date.now() / 1_000) });
  runner.report({ kind: 'participants', participants: [{ id: 1, name: 'Ada' }], speakers: [{ id: 1, name: 'Ada' }] });
  if (scenario === 'chats') reportChat(runner);
  if (scenario === 'crashes' || (scenario.startsWith('crashes-') && isFirst)) {
    await runner.applied();
    process.exit(3);
  }
  const why = scenario === 'completes' || scenario === 'crashes-once' ? 'NO_SPEAKER' : await runner.instructedToEnd();
  if (why === 'fenced' || why === 'replaced') return;
  runner.report({
    kind: 'attendance-ended',
    end: { code: why, message: `Ended by ${why}.`, joinedAt, exitedAt: new Date().toISOString(), recorded: true },
  });
  await finalize(runner, scenario);
}

function reportChat(runner: Runner): void {
  const at = new Date().toISOString();
  runner.report({ kind: 'chat-status', available: true, reason: null });
  runner.report({ kind: 'chat-status', available: false, reason: 'send_failed' });
  const message = { messageId: 'm-1', senderId: 1, senderName: 'Ada', text: 'Good morning', sentAt: at, at };
  runner.report({ kind: 'chat-message', message });
  for (const reason of ['not_offered', 'not_offered', null] as const) {
    runner.report({ kind: 'captions-status', available: reason === null, reason });
  }
  for (const number of [1, 2, 3]) {
    runner.report({ kind: 'screenshot', number, key: `screenshots/1/000${number}.png`, takenAt: at });
  }
}

async function endUnrecorded(runner: Runner, why: string): Promise<void> {
  if (why === 'fenced') return;
  const code = why === 'API_REQUEST' ? 'EXITING_MEETING_BEFORE_RECORD' : why;
  const recorded = runner.invocation.rejoin !== null;
  const steps = [{ step: 'page-opened', atMs: Date.parse('2026-01-01T10:00:00.250Z') }];
  const page = { rule: 'denied-text', state: 'waiting-room', title: 'Daily', host: 'meet.test', steps };
  const evidence = why === 'BOT_NOT_ACCEPTED' ? { evidence: { ...page, folder: 'evidence/0001/' } } : {};
  runner.report({
    kind: 'attendance-ended',
    end: { code, message: '', joinedAt: null, exitedAt: new Date().toISOString(), recorded, ...evidence },
  });
  if (recorded) await finalize(runner, 'completes');
  else await runner.applied();
}

async function finalize(runner: Runner, scenario: Scenario): Promise<void> {
  const savesNothing =
    scenario === 'cannot-finalize' || (scenario === 'cannot-save-first' && runner.invocation.mode === 'attend');
  if (savesNothing) {
    await runner.applied();
    process.exit(4);
  }
  runner.report({
    kind: 'recording-stored',
    resourceUsage: { cpuMs: 12_000, peakMemoryBytes: 400_000_000, uploadedBytes: 5_000_000 },
    quality: {
      gapMs: 1_500,
      gapReason: 'page_lost',
      videoMissingMs: 800,
      audioImpairedMs: 2_000,
      degradedMs: 0,
      videoMissingReason: 'black',
      strategySwitches: [{ media: 'video', reason: 'no_frames' }],
    },
    artifacts: [
      {
        kind: 'video',
        key: `artifacts/${runner.invocation.attempt}/video.mp4`,
        bytes: 1,
        sha256: 'x',
        contentType: 'video/mp4',
      },
      ...[1, 2].map((id) => ({
        kind: 'participant_audio' as const,
        key: `artifacts/${runner.invocation.attempt}/participant-${id}.ogg`,
        bytes: 10,
        sha256: 'd'.repeat(64),
        contentType: 'audio/ogg',
        participant: { id, name: `Person ${id}`, speechSeconds: id * 1.5 },
      })),
    ],
    durationMs: 90_000,
    participants: [],
    speakers: [],
  });
  await runner.applied();
}

await main();

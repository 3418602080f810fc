import { join } from 'node:path';
import { connectBus, runnerInboxPrefix } from '@rapporteur/event-bus';
import type { Bus } from '@rapporteur/event-bus';
import type { BotInvocation } from '@rapporteur/contracts';
import { createPlatform } from '@rapporteur/meeting-platforms';
import type { MeetingVisit } from '@rapporteur/meeting-platforms';
import { ConfigurationError, createLogger, loadConfig, startTracing, systemClock } from '@rapporteur/service-runtime';
import type { Logger } from '@rapporteur/service-runtime';
import { Attendance } from './attendance/attend.ts';
import type { Attended } from './attendance/attend.ts';
import { CommandDesk } from './commands/command-desk.ts';
import type { CommandPerformer } from './commands/command-desk.ts';
import { launchBrowser } from './browser/launch-browser.ts';
import type { RunningBrowser } from './browser/launch-browser.ts';
import { runnerConfig } from './config.ts';
import type { RunnerConfig } from './config.ts';
import { keepEvidence } from './evidence/keep-evidence.ts';
import { finalize } from './finalize/finalize.ts';
import type { RunIdentity } from './identity.ts';
import { redeemTicket, TicketRefused } from './invocation/redeem-ticket.ts';
import { Lease } from './lease/lease.ts';
import { MeetingRecording } from './recording/meeting-recording.ts';
import { ChatReports } from './reporting/chat-reports.ts';
import { startPeopleReports } from './reporting/people-reports.ts';
import { createFileSpool } from './reporting/report-spool.ts';
import { Reporter } from './reporting/reporter.ts';
import { Screenshots } from './screenshots/screenshots.ts';
import { MeetingStory } from './story/meeting-story.ts';
import { storyEventOf } from './story/story-of-visit.ts';
import { createGrantStore } from './upload/grant-store.ts';
import type { GrantStore } from './upload/grant-store.ts';
import { UploadQueue } from './upload/upload-queue.ts';

/** Exit codes. fenced: another run holds the bot; unfinished: nobody was told how it went on. */
const exitCodes = { done: 0, unfinished: 1, fenced: 3, configuration: 78 } as const;

const clock = systemClock;
const drainLimitMs = 24_500;
const settleLimitMs = 15_000;
/** Fragments that still wait when the artifacts are stored are worth little; evidence may stand behind them. */
const lastUploadsMs = 3_000;
const lastScreenshotsMs = 1_500;
/** How long a command's result waits for the status it made to be in the database. */
const statusAppliedMs = 2_000;

interface Run {
  readonly config: RunnerConfig;
  readonly invocation: BotInvocation;
  readonly identity: RunIdentity;
  readonly logger: Logger;
  readonly store: GrantStore;
  readonly bus: Bus;
  readonly lease: Lease;
  readonly reporter: Reporter;
  readonly commands: CommandDesk;
  readonly leave: AbortController;
  readonly fence: AbortController;
  readonly drain: AbortSignal;
}

function configOrExit(): RunnerConfig {
  try {
    return loadConfig(runnerConfig);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    process.stderr.write(`bot-runner does not start. ${error.message}\n`);
    process.exit(exitCodes.configuration);
  }
}

async function run(config: RunnerConfig, logger: Logger, drain: AbortSignal): Promise<number> {
  // Loaded while the scheduler answers: the browser is wanted at once.
  const browserCode = import('playwright-core');
  const invocation = await redeemTicket({
    schedulerUrl: config.schedulerUrl,
    ticket: config.launchTicket.reveal(),
    clock,
    signal: drain,
  });
  await browserCode;
  const { botId, teamId, attempt, fencing, mode } = invocation;
  const runLogger = logger.child({ botId, teamId, attempt });
  runLogger.info(
    { mode, platform: invocation.meeting.platform, simulated: invocation.simulator !== null },
    'The run begins.',
  );
  const identity: RunIdentity = { botId, attempt, fencing };
  const browser =
    mode === 'attend'
      ? launchBrowser({
          executablePath: config.chromiumPath,
          profileFolder: join(config.workFolder, 'profile'),
          simulator: invocation.simulator,
        })
      : null;
  browser?.catch(() => undefined);
  try {
    const parts = await openRun({ config, invocation, identity, logger: runLogger, drain });
    try {
      return mode === 'attend' ? await attendMeeting(parts, browser) : await finalizeOnly(parts);
    } finally {
      await closeRun(parts);
    }
  } finally {
    await (await browser?.catch(() => null))?.close();
  }
}

async function openRun(given: Pick<Run, 'config' | 'invocation' | 'identity' | 'logger' | 'drain'>): Promise<Run> {
  const { config, invocation, identity, logger } = given;
  const { url, credentials } = invocation.bus;
  const { botId } = identity;
  const bus = await connectBus({
    url,
    name: `bot-runner ${botId}`,
    logger,
    inboxPrefix: runnerInboxPrefix(botId),
    ...(credentials === null ? {} : { credentials }),
  });
  const leave = new AbortController();
  const fence = new AbortController();
  const spool = createFileSpool(join(config.workFolder, 'reports.jsonl'), (error) =>
    logger.warn({ err: error }, 'A report could not be written to disk; it is sent all the same.'),
  );
  const reporter = new Reporter({ identity, bus, spool, clock, logger });
  const commands: CommandDesk = new CommandDesk({ clock, logger, onResult: () => lease.renewNow() });
  const lease: Lease = new Lease({
    identity,
    bus,
    ...invocation.lease,
    clock,
    logger,
    results: () => commands.results,
    listener: {
      applied: (sequence) => reporter.applied(sequence),
      leaveRequested: () => leave.abort(),
      commands: (wanted) => commands.take(wanted),
      lost: (why) => {
        reporter.silence();
        fence.abort(new Error(why));
      },
    },
  });
  reporter.start();
  lease.start();
  return { ...given, store: createGrantStore(invocation.storage), bus, lease, reporter, commands, leave, fence };
}

async function closeRun({ lease, reporter, bus }: Run): Promise<void> {
  await lease.stop();
  await reporter.stop();
  await bus.close();
}

async function attendMeeting(run: Run, browser: Promise<RunningBrowser> | null): Promise<number> {
  const uploads = new UploadQueue({ store: run.store, clock, logger: run.logger });
  try {
    const attended = await attend(run, browser, uploads);
    if (attended.fenced) return exitCodes.fenced;
    run.reporter.report({ kind: 'attendance-ended', end: attended.end });
    void (await browser?.catch(() => null))?.close();
    if (attended.end.recorded) return await finishRecording(run, uploads);
    await uploads.drain(lastUploadsMs);
    return await settle(run);
  } catch (error) {
    run.logger.error({ err: error }, 'The bot could not attend.');
    const message = 'Something broke on our side before the bot could join.';
    run.reporter.report({
      kind: 'attendance-ended',
      end: { code: 'INTERNAL_ERROR', message, joinedAt: null, exitedAt: null, recorded: false },
    });
    return await settle(run);
  } finally {
    await uploads.close();
  }
}

async function attend(run: Run, browser: Promise<RunningBrowser> | null, uploads: UploadQueue): Promise<Attended> {
  const { invocation, identity, logger, config, reporter } = run;
  const platform = createPlatform(invocation.meeting.platform);
  if (platform === null || browser === null)
    throw new Error(`This build can't attend ${invocation.meeting.platform} meetings.`);
  const { page } = await browser;
  const visit = await platform.prepare(page, { clock, log: logger });
  const story = new MeetingStory();
  const report = reporter.report.bind(reporter);
  const chat = new ChatReports({ story, report, clock });
  visit.onSignal((signal) => {
    const event = storyEventOf(signal);
    if (event !== null) story.add(event);
    if (signal.kind === 'chat') chat.add(signal.message, signal.atMs);
    if (signal.kind === 'step')
      logger.info({ step: signal.step, sinceStartMs: Math.round(performance.now()) }, `Meeting page: ${signal.step}.`);
  });
  const mode = invocation.configuration.recording_mode;
  const recording = new MeetingRecording({
    page,
    mode,
    identity,
    workFolder: config.workFolder,
    story,
    uploads,
    clock,
    logger,
  });
  await recording.install();
  const people = startPeopleReports({ story, report, clock });
  const screenshots = screenshotsFor(run, visit, uploads);
  const attendance = new Attendance(invocation, {
    visit,
    screenshots,
    recording,
    companions: [],
    report,
    orders: { leave: run.leave.signal, drain: run.drain, fence: run.fence.signal },
    keepEvidence: (end, withPicture) =>
      keepEvidence({ visit, uploads, attempt: identity.attempt, logger, withPicture }, end),
    clock,
    logger,
  });
  run.commands.serve(performerOf(run, attendance));
  const attended = await attendance.run();
  run.commands.serve(null);
  // What is reported after the end of the attendance could come after the bot's own end.
  await Promise.all([people.stop(), chat.stop(), screenshots?.close(lastScreenshotsMs)]);
  return attended;
}

/** Null where none are taken: of sound there is nothing to see, and the first platform's page is not shown to anyone. */
function screenshotsFor(run: Run, visit: MeetingVisit, uploads: UploadQueue): Screenshots | null {
  const { invocation, identity, reporter, logger } = run;
  if (invocation.configuration.recording_mode === 'audio_only' || invocation.meeting.platform === 'zoom') return null;
  return new Screenshots({
    screenshot: (quality) => visit.screenshot(quality),
    uploads,
    report: reporter.report.bind(reporter),
    attempt: identity.attempt,
    clock,
    logger,
  });
}

function performerOf({ reporter, lease }: Run, attendance: Attendance): CommandPerformer {
  return async (command, signal) => {
    const before = reporter.sequence;
    const outcome = await attendance.obey(command, signal);
    // Whoever asks for the status after the answer must find the new one.
    const until = clock.now() + statusAppliedMs;
    const { sequence } = reporter;
    const waits = command.kind !== 'send-chat-message' && outcome.outcome === 'done' && sequence > before;
    while (waits && !reporter.isApplied(sequence) && clock.now() < until && !signal.aborted) {
      lease.renewNow();
      await clock.sleep(100);
    }
    return outcome;
  };
}

async function finishRecording(run: Run, uploads: UploadQueue): Promise<number> {
  const outcome = await finalizeWith(run, run.identity.attempt > 1);
  if (outcome === 'given-up') {
    // Another run will need what still waits here.
    await uploads.drain(lastUploadsMs);
    return run.lease.isLost ? exitCodes.fenced : exitCodes.unfinished;
  }
  const [exitCode] = await Promise.all([settle(run), uploads.drain(lastUploadsMs)]);
  return exitCode;
}

async function finalizeOnly(run: Run): Promise<number> {
  const outcome = await finalizeWith(run, true);
  if (outcome === 'given-up') return run.lease.isLost ? exitCodes.fenced : exitCodes.unfinished;
  return await settle(run);
}

function finalizeWith(run: Run, earlierRuns: boolean) {
  const { store, config, invocation, reporter, logger, fence } = run;
  return finalize({
    store,
    workFolder: config.workFolder,
    ffmpegPath: config.ffmpegPath,
    mode: invocation.configuration.recording_mode,
    earlierRuns,
    report: reporter.report.bind(reporter),
    clock,
    logger,
    signal: fence.signal,
  });
}

/** Waits until the scheduler has everything that was reported. */
async function settle({ reporter, lease, logger }: Run): Promise<number> {
  if (await reporter.settle(settleLimitMs)) return lease.isLost ? exitCodes.fenced : exitCodes.done;
  logger.warn({ unapplied: reporter.unapplied }, 'The scheduler has not confirmed every report.');
  return reporter.allSent ? exitCodes.done : exitCodes.unfinished;
}

const config = configOrExit();
const logger = createLogger('bot-runner', config.logLevel);
const stopTracing = startTracing('bot-runner', config.tracesUrl);
const drain = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    logger.info({ signal }, `${signal}: leaving the meeting and saving what was recorded.`);
    drain.abort();
    setTimeout(() => {
      logger.error({}, 'Saving took too long; what is uploaded can be finished by another run.');
      process.exit(exitCodes.unfinished);
    }, drainLimitMs).unref();
  });
}
process.on('unhandledRejection', (error) =>
  logger.error({ err: error }, 'A promise failed that nobody waited for. The meeting goes on.'),
);
process.on('uncaughtException', (error) => {
  logger.error({ err: error }, 'An error nobody handled. The run ends.');
  process.exit(exitCodes.unfinished);
});

let exitCode: number = exitCodes.unfinished;
try {
  exitCode = await run(config, logger, drain.signal);
} catch (error) {
  logger.error({ err: error }, `The run failed: ${(error as Error).message}`);
  if (error instanceof TicketRefused) exitCode = exitCodes.fenced;
}
await stopTracing().catch(() => undefined);
logger.info({ exitCode, ranMs: Math.round(performance.now()) }, 'The run is over.');
process.exit(exitCode);

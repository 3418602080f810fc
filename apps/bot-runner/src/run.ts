import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { continueTrace } from '@rapporteur/event-bus';
import type { Bus } from '@rapporteur/event-bus';
import { reportLimits } from '@rapporteur/contracts';
import type { AttendanceEnd, BotInvocation, SignInRequest } from '@rapporteur/contracts';
import type { MeetingPlatform, MeetingSession } from '@rapporteur/meeting-platforms';
import { preloadCapture } from '@rapporteur/recorder';
import type { Recorder } from '@rapporteur/recorder';
import { SteadyClock, systemClock } from '@rapporteur/service-runtime/process';
import type { Logger } from '@rapporteur/service-runtime/process';
import { startTracing } from '@rapporteur/service-runtime/tracing';
import type { Appearance } from './appearance/appearance.ts';
import { openAppearance } from './appearance/open-appearance.ts';
import { choosePlatform } from './zoom/choose-platform.ts';
import { Attendance } from './attendance/attend.ts';
import type { Attended, AttendanceSignals } from './attendance/attend.ts';
import { withEarlierRecording } from './attendance/continued-recording.ts';
import { Captions } from './captions/captions.ts';
import type { CaptionsPorts } from './captions/captions.ts';
import { CommandDispatcher } from './commands/command-dispatcher.ts';
import { connectToBus } from './bus/connect-to-bus.ts';
import type { Browsers } from './browser/browsers.ts';
import type { RunnerConfig } from './config.ts';
import { keepEvidence } from './evidence/keep-evidence.ts';
import { exitCodes } from './exit-codes.ts';
import { uploadKindOf } from './finalize/artifact-file.ts';
import { finalize } from './finalize/finalize.ts';
import { InCallFiles } from './finalize/in-call-files.ts';
import type { RunIdentity } from './run-context.ts';
import { Lease } from './lease/lease.ts';
import { LiveViews } from './live/live-view.ts';
import type { LiveViewOptions } from './live/live-view.ts';
import { openRecording, recorderPage } from './recording/open-recording.ts';
import { followStory } from './reporting/follow-story.ts';
import { createFileSpool, Reporter } from './reporting/reporter.ts';
import type { Replacement } from './recovery/rejoin.ts';
import { Screenshots, takesScreenshots } from './screenshots/screenshots.ts';
import { readMemoryKills, withMemoryKills } from './resource-usage/memory-kills.ts';
import { readThrottledPeriods, trackMachineLateness } from './resource-usage/machine-lateness.ts';
import { ResourceUsageMeter } from './resource-usage/resource-usage-meter.ts';
import { requestSignIn } from './bus/request-stored.ts';
import { SignIn } from './sign-in/sign-in.ts';
import { BrowserSession } from './browser-session/browser-session.ts';
import { PaintControl } from './browser-session/paint-control.ts';
import { prepareUnlessEnded } from './browser-session/prepare-unless-ended.ts';
import type { MeetingStory } from './story/meeting-story.ts';
import { handOver, handOverMs, isCalledOff, settle, untilApplied } from './settle-run.ts';
import { stayWhileDisplaced } from './termination.ts';
import type { Termination } from './termination.ts';
import { openStreaming } from './streaming/open-streaming.ts';
import { fragmentMs, openUploads } from './upload/grant-store.ts';
import type { GrantStore, MultipartStore } from './upload/grant-store.ts';
import { UploadQueue } from './upload/upload-queue.ts';

/** The clock of the meeting and its recording. Times that other machines compare or users read are the time of day. */
const clock = new SteadyClock();
/** For a browser, its page, and a second attempt of both. */
const prepareLimitMs = 60_000;
/** Fragments that still wait when the artifacts are stored have little value; evidence may wait behind them. */
const lastUploadsMs = 3_000;
const lastScreenshotsMs = 1_500;

interface Run {
  readonly config: RunnerConfig;
  readonly invocation: BotInvocation;
  readonly identity: RunIdentity;
  readonly logger: Logger;
  readonly store: GrantStore;
  readonly multipart: MultipartStore;
  readonly resourceUsage: ResourceUsageMeter;
  readonly bus: Bus;
  readonly lease: Lease;
  readonly reporter: Reporter;
  readonly commands: CommandDispatcher;
  /** Null until the bot attends. */
  readonly watched: { views: LiveViews | null; recorder: Recorder | null };
  readonly leave: AbortController;
  readonly fence: AbortController;
  readonly replaced: AbortController;
  readonly termination: Termination;
}

/** What a run begins with. */
export interface RunStart {
  readonly config: RunnerConfig;
  readonly invocation: BotInvocation;
  readonly logger: Logger;
  /** Aborted when this process is about to stop. */
  readonly termination: Termination;
  /** The first one is already starting in mode `attend`. */
  readonly browsers: Browsers;
}

/** Executes an invocation to its end. @returns the exit code */
export async function runInvocation({ browsers, ...start }: RunStart): Promise<number> {
  const stopTracing = startTracing('bot-runner', start.config.tracesUrl);
  const { botId, attempt, fencing, mode, configuration } = start.invocation;
  const run = async (): Promise<number> => {
    const dependencies = await openRun({ ...start, identity: { botId, attempt, fencing } });
    const work = mode === 'attend' ? attendMeeting(dependencies, browsers) : finalizeOnly(dependencies);
    return await work.finally(() => closeRun(dependencies));
  };
  try {
    return await continueTrace(configuration.traceparent ?? null, `run ${mode}`, run);
  } finally {
    await stopTracing().catch(() => undefined);
  }
}

async function openRun(
  given: Pick<Run, 'config' | 'invocation' | 'identity' | 'logger' | 'termination'>,
): Promise<Run> {
  const { config, invocation, identity, logger } = given;
  const bus = await connectToBus({ config, invocation, clock: systemClock, logger, signal: given.termination.drain });
  const leave = new AbortController();
  const [fence, displaced, replaced] = [new AbortController(), new AbortController(), new AbortController()];
  const spool = createFileSpool(join(config.workFolder, 'reports.jsonl'), (error) =>
    logger.warn({ err: error }, 'A report could not be written to disk; it is sent all the same.'),
  );
  const reporter = new Reporter({ identity, bus, spool, clock: systemClock, logger });
  const watched: Run['watched'] = { views: null, recorder: null };
  const commands: CommandDispatcher = new CommandDispatcher({ clock, logger, onResult: () => lease.renewNow() });
  const lease: Lease = new Lease({
    identity,
    bus,
    ...invocation.lease,
    clock,
    logger,
    results: () => commands.results,
    late: trackMachineLateness({
      isLate: () => watched.recorder?.health().isLate === true,
      throttledPeriods: config.ownContainer ? readThrottledPeriods : null,
    }),
    live: { wanted: () => void watched.views?.want(), take: () => watched.views?.take() ?? null },
    listener: {
      applied: (sequence) => reporter.applied(sequence),
      leaveRequested: () => leave.abort(),
      commands: (wanted) => commands.take(wanted),
      displaced: () => displaced.abort(),
      replaced: () => replaced.abort(),
      lost: (why) => {
        reporter.silence();
        fence.abort(new Error(why));
      },
    },
  });
  reporter.start();
  lease.start();
  if (invocation.mode === 'attend')
    stayWhileDisplaced(given.termination, {
      displaced: displaced.signal,
      renewNow: () => lease.renewNow(),
      clock,
    });
  const resourceUsage = new ResourceUsageMeter();
  resourceUsage.start();
  const uploads = openUploads(invocation, {
    onStored: (bytes, key) => resourceUsage.uploaded(bytes, uploadKindOf(key)),
    onFailed: (message) => reporter.report({ kind: 'upload-failed', message }),
    clock: systemClock,
    logger,
  });
  return { ...given, ...uploads, resourceUsage, bus, lease, reporter, commands, watched, leave, fence, replaced };
}

async function closeRun({ lease, reporter, bus, resourceUsage }: Run): Promise<void> {
  resourceUsage.stop();
  await lease.stop();
  await reporter.stop();
  await bus.close();
}

async function attendMeeting(run: Run, browsers: Browsers): Promise<number> {
  const uploads = new UploadQueue({ store: run.store, clock, logger: run.logger });
  const inCall = inCallFilesOf(run);
  const before = readMemoryKills();
  const finalEnd = (end: AttendanceEnd): AttendanceEnd =>
    withEarlierRecording(run.invocation, withMemoryKills(end, { before, after: readMemoryKills() }));
  try {
    const attended = await continueTrace(null, 'attend meeting', () => attend(run, browsers, { uploads, inCall }));
    if (attended.fenced) return exitCodes.fenced;
    if (attended.replaced) return await handOver(run, [uploads.drain(handOverMs), inCall.close()]);
    const end = finalEnd(attended.end);
    const { resourceUsage } = run.resourceUsage;
    const { pagePackVersion, matchedCandidates } = attended.pagePackUse ?? {};
    const use = { pagePackVersion, matchedCandidates, endRule: attended.endRule?.slice(0, reportLimits.rule) };
    const observed = attended.observed ?? undefined;
    run.reporter.report({ kind: 'attendance-ended', end, resourceUsage, observed, ...use });
    void browsers.close();
    if (await isCalledOff(run, end)) return exitCodes.fenced;
    if (end.recorded) return await finishRecording(run, uploads, inCall);
    await uploads.drain(lastUploadsMs);
    return await settle(run);
  } catch (error) {
    run.logger.error({ err: error }, 'The bot could not attend.');
    const message = 'An internal error occurred before the bot could join.';
    const failed = { code: 'INTERNAL_ERROR', message, joinedAt: null, exitedAt: null, recorded: false } as const;
    const end = finalEnd(failed);
    run.reporter.report({ kind: 'attendance-ended', end });
    return end.recorded ? await finishRecording(run, uploads, inCall) : await settle(run);
  } finally {
    await Promise.all([uploads.close(), inCall.close()]);
  }
}

interface Keeping {
  readonly uploads: UploadQueue;
  readonly inCall: InCallFiles;
}

async function attend(run: Run, browsers: Browsers, { uploads, inCall }: Keeping): Promise<Attended> {
  const { invocation, identity, logger, config, reporter } = run;
  const { platform, tokens } = choosePlatform(invocation, { clock: systemClock, logger, bus: run.bus });
  // Images are fetched while the browser starts.
  const appearance = openAppearance(invocation, { browser: () => browsers.current(), clock, logger });
  platform.preload?.();
  preloadCapture();
  const signals = signalsOf(run);
  const preparing = prepareBrowserSession(run, browsers, { platform, appearance });
  const prepared = await prepareUnlessEnded(preparing, signals, invocation.meeting.platform, prepareLimitMs);
  if (!prepared.ready) return prepared.attended;
  const browserSession = prepared.value;
  logger.info({ step: 'prepared' }, 'Browser and page are ready.');
  const { session } = browserSession;
  appearance?.appearIn(session);
  const still = new PaintControl(session);
  const report = reporter.report.bind(reporter);
  const { story, chat, participants } = followStory({ session, report, clock, logger });
  const captions = captionsFor(invocation, { session, story, report, logger });
  const streaming = openStreaming(invocation, { session, captions, clock, logger });
  const { recorder, recording, material } = openRecording({
    page: browserSession.page,
    mode: invocation.configuration.recording_mode,
    strategy: invocation.captureStrategy,
    videoSize: invocation.videoSize,
    participantAudio: invocation.participantAudio === 'on',
    limits: { fragmentMs },
    identity,
    workFolder: config.workFolder,
    story,
    uploads,
    ...(streaming?.audioTap ? { audioTap: streaming.audioTap } : {}),
    resourceUsage: () => run.resourceUsage.resourceUsage,
    onStrategy: (strategy) => still.recordsBy(strategy),
    onDegraded: (step) => void session.receiveVideo(step !== 'incoming_video'),
    onKept: (fragment) => inCall.add(fragment),
    report,
    clock,
    logger,
  });
  inCall.reporterOf(material, () => story.events);
  const installed = installRecorder(run, recorder);
  const signIn = signInFor(run, () => browserSession.page.context());
  const screenshots = screenshotsFor(run, { session, uploads });
  const views = openViews(run, { story, screenshot: screenshots === null ? null : session.screenshot.bind(session) });
  const attendance = new Attendance(invocation, {
    session,
    screenshots,
    recording,
    replacePage: (how) => replacePage(run, { browserSession, signIn, recorder }, how),
    listeners: [tokens, signIn, appearance, captions, streaming, still, views].filter((listener) => listener !== null),
    report,
    reported: (signal) => untilApplied(run, signal),
    signals,
    keepEvidence: (end, withVideo) =>
      keepEvidence({ session, platform: platform.name, uploads, attempt: identity.attempt, logger, withVideo }, end),
    clock,
    logger,
  });
  run.commands.serve(attendance.perform);
  await installed;
  const attended = await attendance.run();
  run.commands.serve(null);
  // A report after the end of the attendance could follow the bot's own end.
  await Promise.all([participants.stop(), chat.stop(), screenshots?.close(lastScreenshotsMs)]);
  return attended;
}

async function installRecorder({ watched, logger }: Run, recorder: Recorder): Promise<void> {
  watched.recorder = recorder;
  // A page that has crashed by now is replaced when the bot joins.
  await recorder.install().catch((error: unknown) => {
    logger.warn({ err: error }, 'The recorder could not be prepared in this page.');
  });
}

function openViews(run: Run, sources: Pick<LiveViewOptions, 'story' | 'screenshot'>): LiveViews {
  run.watched.views = new LiveViews({ ...sources, clock, onReady: () => run.lease.renewNow() });
  return run.watched.views;
}

function signalsOf({ leave, termination, fence, replaced }: Run): AttendanceSignals {
  return { leave: leave.signal, drain: termination.drain, fence: fence.signal, replaced: replaced.signal };
}

async function replacePage(
  { fence }: Run,
  { browserSession, signIn, recorder }: { browserSession: BrowserSession; signIn: SignIn | null; recorder: Recorder },
  how: Replacement,
): Promise<void> {
  const page = await browserSession.replace(how);
  await signIn?.renew(fence.signal);
  await recorder.moveTo(recorderPage(page));
}

/** Null for a bot that joins as a guest. */
function signInFor({ invocation, identity, bus, logger }: Run, context: () => BrowserContext): SignIn | null {
  const { login } = invocation.configuration;
  if (login === null) return null;
  const request = (failed: SignInRequest['failed']) => requestSignIn(bus, { ...identity, failed });
  return new SignIn({ platform: login.platform, request, context, clock, logger });
}

async function prepareBrowserSession(
  { invocation, logger }: Run,
  browsers: Browsers,
  { platform, appearance }: { platform: MeetingPlatform; appearance: Appearance | null },
): Promise<BrowserSession> {
  const { configuration } = invocation;
  return await BrowserSession.prepare({
    browser: browsers.current(),
    launch: () => browsers.launch(),
    platform,
    ports: { clock, log: logger },
    devices: {
      camera: (await appearance?.hasVideo()) === true,
      microphone: (configuration.streaming_config?.input_url ?? null) !== null,
    },
    participantVideo: configuration.recording_mode === 'audio_only' ? 'refused' : 'wanted',
  });
}

/** Null where they are not requested: on some platforms participants can see that captions are turned on. */
function captionsFor(
  { configuration }: BotInvocation,
  ports: Pick<CaptionsPorts, 'session' | 'report' | 'logger'> & { readonly story: MeetingStory },
): Captions | null {
  const { captions: options } = configuration;
  if (options === null) return null;
  return new Captions({ ...ports, options, keep: (event) => ports.story.add(event), clock });
}

/** Null where none are taken. */
function screenshotsFor(
  run: Run,
  { session, uploads }: { session: MeetingSession; uploads: UploadQueue },
): Screenshots | null {
  const { invocation, identity, reporter, logger } = run;
  if (!takesScreenshots(invocation)) return null;
  return new Screenshots({
    screenshot: session.screenshot.bind(session),
    uploads,
    report: reporter.report.bind(reporter),
    attempt: identity.attempt,
    clock: systemClock,
    logger,
  });
}

function inCallFilesOf({ identity, invocation, config, multipart, logger }: Run): InCallFiles {
  return new InCallFiles({
    identity,
    mode: invocation.configuration.recording_mode,
    workFolder: config.workFolder,
    ffmpegPath: config.ffmpegPath,
    multipart,
    clock,
    logger,
  });
}

async function finishRecording(run: Run, uploads: UploadQueue, inCall: InCallFiles): Promise<number> {
  const finalized = await finalizeWith(run, run.identity.attempt > 1, inCall);
  if (finalized.outcome === 'given-up') {
    // Another run will need the fragments that still wait here.
    await uploads.drain(lastUploadsMs);
    return run.lease.isLost ? exitCodes.fenced : exitCodes.unfinished;
  }
  const [exitCode] = await Promise.all([settle(run, finalized), uploads.drain(lastUploadsMs)]);
  return exitCode;
}

async function finalizeOnly(run: Run): Promise<number> {
  const finalized = await finalizeWith(run, true, null);
  if (finalized.outcome === 'given-up') return run.lease.isLost ? exitCodes.fenced : exitCodes.unfinished;
  return await settle(run, finalized);
}

function finalizeWith(run: Run, earlierRuns: boolean, inCall: InCallFiles | null) {
  const { store, config, invocation, identity, reporter, logger, fence, resourceUsage } = run;
  const finalizing = {
    store,
    workFolder: config.workFolder,
    ffmpegPath: config.ffmpegPath,
    platform: invocation.meeting.platform,
    mode: invocation.configuration.recording_mode,
    participantAudio: invocation.participantAudio === 'on',
    earlierRuns,
    inCall,
    resourceUsage: () => ({ attempt: identity.attempt, complete: true, ...resourceUsage.sample() }),
    report: reporter.report.bind(reporter),
    clock,
    logger,
    signal: fence.signal,
  };
  return continueTrace(null, 'finalize recording', () => finalize(finalizing));
}

import { endReasons, evaluateLeaveRules } from '@rapporteur/bot-lifecycle';
import type { LeaveConfiguration, LeaveObservation } from '@rapporteur/bot-lifecycle';
import { waitingUnrecognised } from '@rapporteur/contracts';
import type { AttendanceEnd, BotInvocation, ObservedCall } from '@rapporteur/contracts';
import type { MeetingSession, PagePackUse, SessionSignal, SessionState } from '@rapporteur/meeting-platforms';
import { withDeadline } from '@rapporteur/service-runtime/process';
import type { SteadyClock, Logger } from '@rapporteur/service-runtime/process';
import type { CommandPerformer } from '../commands/command-dispatcher.ts';
import { commandPerformer } from '../commands/perform-command.ts';
import type { AttendanceStatus, CommandDependencies } from '../commands/perform-command.ts';
import type { RecordingSession } from '../recording/recording-session.ts';
import { captureFailed, RecoverySupervisor } from '../recovery/recovery-supervisor.ts';
import type { RejoinPorts } from '../recovery/rejoin.ts';
import type { Screenshots } from '../screenshots/screenshots.ts';
import type { RunContext } from '../run-context.ts';
import type { AttendanceListener } from './attendance-listener.ts';
import { entryMessageOf, recordingSinceMs } from './continued-recording.ts';
import { codeOf, shownRuleOf } from './end-codes.ts';
import type { CodedEnd, EndCause } from './end-codes.ts';
import { ChatOpening } from './chat-opening.ts';
import { CallObserver, leaveConfigurationOf } from './observed-call.ts';

const dismissTimeoutMs = 1_500;

/** The listeners of one attendance. Their failures never fail the attendance. */
class AttendanceListeners {
  readonly #listeners: readonly AttendanceListener[];
  readonly #logger: Logger;

  constructor(listeners: readonly AttendanceListener[], logger: Logger) {
    this.#listeners = listeners;
    this.#logger = logger;
  }

  get isEmpty(): boolean {
    return this.#listeners.length === 0;
  }

  /** The end that keeps the bot from joining; null when all are ready. */
  async ready(signal: AbortSignal): Promise<CodedEnd | null> {
    const responses = await Promise.all(this.#listeners.map(async (one) => (await one.ready?.(signal)) ?? null));
    return responses.find((response) => response !== null) ?? null;
  }

  notify(notify: (listener: AttendanceListener) => void): void {
    for (const listener of this.#listeners) {
      try {
        notify(listener);
      } catch (error) {
        this.#logger.error({ err: error }, 'A listener of the attendance failed; the attendance continues.');
      }
    }
  }

  /** Never rejects and returns within a limited time. */
  async dismiss(): Promise<void> {
    const leaving = Promise.allSettled(this.#listeners.map(async (listener) => listener.over?.()));
    await withDeadline(leaving, dismissTimeoutMs, 'Ending the listeners of the attendance').catch((error: unknown) =>
      this.#logger.warn({ err: error }, 'A listener of the attendance did not end.'),
    );
  }
}

/** What a bot waits for before it is in the call, and the status that the customer is notified of. */
interface WaitingStage {
  readonly stage: Exclude<LeaveObservation['stage'], 'joining' | 'in_call'>;
  readonly status: 'in_waiting_room' | 'in_waiting_for_host';
}

const stages: Readonly<Partial<Record<SessionState, WaitingStage>>> = {
  'waiting-room': { stage: 'waiting_room', status: 'in_waiting_room' },
  'waiting-for-host': { stage: 'waiting_for_host', status: 'in_waiting_for_host' },
  // It has no status of its own: like a host, an authorized participant has to join first.
  'waiting-for-authorized-user': { stage: 'waiting_for_authorized_user', status: 'in_waiting_for_host' },
};

function waitingStageOf(state: SessionState): WaitingStage | null {
  return stages[state] ?? null;
}

/** Why an attendance ends. Only the first cause counts, except that a lost lease replaces it: it forbids writing. */
class EndTrigger {
  #cause: EndCause | null = null;
  readonly #reported = Promise.withResolvers<void>();
  readonly #controller = new AbortController();

  /** Aborts as soon as there is a cause. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get cause(): EndCause | null {
    return this.#cause;
  }

  notify(cause: EndCause): void {
    if (this.#cause !== null && cause.kind !== 'fenced') return;
    this.#cause = cause;
    this.#reported.resolve();
    this.#controller.abort(new Error(`The attendance ends: ${cause.kind}.`));
  }

  async wait(): Promise<void> {
    await this.#reported.promise;
  }
}

/** Requests to the attendance from outside, each at most once. */
export interface AttendanceSignals {
  /** The customer requested that the bot leaves. */
  readonly leave: AbortSignal;
  /** This process is about to stop. */
  readonly drain: AbortSignal;
  /** The lease is lost; the abort reason states why. */
  readonly fence: AbortSignal;
  /** Another run has replaced this one and records. */
  readonly replaced: AbortSignal;
}

export interface AttendancePorts extends Pick<RunContext, 'report' | 'logger'> {
  readonly session: MeetingSession;
  readonly recording: RecordingSession;
  readonly replacePage: RejoinPorts['replacePage'];
  readonly signals: AttendanceSignals;
  /** Resolves when bot-scheduler has stored all reports, or soon after. */
  readonly reported: CommandDependencies['reported'];
  /** Null where none are taken. */
  readonly screenshots: Pick<Screenshots, 'take' | 'start' | 'hold' | 'resume'> | null;
  /** Notified of each step, in this order. */
  readonly listeners: readonly AttendanceListener[];
  /**
   * Called for failures while the page still shows them. Without a frame of the meeting when its recording is paused.
   */
  readonly keepEvidence: (end: CodedEnd, withVideo: boolean) => Promise<Record<string, unknown>>;
  readonly clock: SteadyClock;
}

export interface Attended {
  readonly end: AttendanceEnd;
  /** This run must not write or report anything more. */
  readonly fenced: boolean;
  /** Another run continues the attendance: this one reports no end. */
  readonly replaced: boolean;
  /** Null: no page was prepared. */
  readonly pagePackUse: PagePackUse | null;
  /** The rule by which the page showed this end before the call; null: it did not. */
  readonly endRule: string | null;
  /** Null: the bot was in no call. */
  readonly observed: ObservedCall | null;
}

const tickMs = 1_000;
const evidenceTimeoutMs = 6_000;
const lastImageTimeoutMs = 2_000;
const recordingStopTimeoutMs = 15_000;
/** A meeting with a scheduled time is opened this long before it, so that the join control can be pressed on time. */
export const openAheadMs = 10_000;

/** One attendance of one meeting: joins, records, and leaves on a rule, an end of the meeting or a request. */
export class Attendance {
  /** Executes a customer's command in the meeting, or returns why it cannot. */
  readonly perform: CommandPerformer;
  readonly #invocation: BotInvocation;
  readonly #ports: AttendancePorts;
  readonly #leaveConfiguration: LeaveConfiguration;
  readonly #ending = new EndTrigger();
  readonly #listeners: AttendanceListeners;
  readonly #recording: RecordingSession;
  readonly #supervisor: RecoverySupervisor;
  readonly #chat: ChatOpening;
  readonly #observer: CallObserver;
  #stage: LeaveObservation['stage'] = 'joining';
  #opened = false;
  #waitingSinceMs: number | null = null;
  #waitedMs = 0;
  #reportedWaiting: LeaveObservation['stage'] | null = null;
  #joinedAtMs: number | null = null;
  #inCallSinceMs: number | null = null;
  #sessionOverAtMs: number | null = null;

  constructor(invocation: BotInvocation, ports: AttendancePorts) {
    this.#invocation = invocation;
    this.#ports = ports;
    this.#leaveConfiguration = leaveConfigurationOf(invocation);
    const { recording, clock, logger, session, replacePage, screenshots, reported } = ports;
    this.#listeners = new AttendanceListeners(ports.listeners, logger);
    this.#recording = recording;
    this.#chat = new ChatOpening(ports, entryMessageOf(invocation), this.#ending.signal);
    this.#observer = new CallObserver(session, invocation.configuration.bot_name, this.#leaveConfiguration);
    this.#supervisor = new RecoverySupervisor({
      session,
      recording,
      replacePage,
      joinUrl: invocation.meeting.joinUrl,
      botName: invocation.configuration.bot_name,
      signedIn: invocation.configuration.login !== null,
      continues: invocation.rejoin !== null,
      withVideo: invocation.configuration.recording_mode !== 'audio_only',
      ending: this.#ending,
      away: () => this.#onPageLost(),
      rejoined: () => this.#onRejoined(),
      clock,
      logger,
    });
    this.perform = commandPerformer({
      status: () => this.#status(),
      session,
      recording,
      screenshots,
      paused: () => this.#listeners.notify((listener) => listener.recordingPaused?.()),
      resumed: () => this.#listeners.notify((listener) => listener.recordingResumed?.()),
      reported,
      ending: this.#ending.signal,
    });
  }

  /** Never rejects: every outcome ends in a code. */
  async run(): Promise<Attended> {
    const { session } = this.#ports;
    this.#listenToCommands();
    const stopListening = session.onSignal((signal) => this.#onSignal(signal));
    const ticking = this.#tick();
    try {
      await this.#joinAndRecord();
    } catch (error) {
      if (!this.#ending.signal.aborted) {
        this.#ports.logger.error({ err: error }, 'The attendance failed with an unexpected error.');
        this.#ending.notify({ kind: 'broken', what: 'An unexpected error ended the attendance.' });
      }
    }
    await this.#ending.wait();
    await ticking;
    stopListening();
    return await this.#finish();
  }

  #listenToCommands(): void {
    const { leave, drain, fence, replaced } = this.#ports.signals;
    whenAborted(fence, () =>
      this.#ending.notify({ kind: 'fenced', why: String((fence.reason as Error)?.message ?? fence.reason) }),
    );
    whenAborted(leave, () => this.#ending.notify({ kind: 'leave-requested' }));
    whenAborted(replaced, () => this.#ending.notify({ kind: 'replaced' }));
    whenAborted(drain, () => this.#ending.notify({ kind: 'draining' }));
  }

  #status(): AttendanceStatus {
    if (this.#ending.signal.aborted) return 'over';
    if (this.#joinedAtMs === null) return 'before';
    return this.#recording.state === 'idle' ? 'in_call_not_recording' : this.#recording.state;
  }

  #onSignal(signal: SessionSignal): void {
    this.#observer.onSignal(signal);
    if (signal.kind === 'state') this.#follow(signal.state, signal.atMs);
    if (signal.kind === 'step' && signal.step === 'join-clicked') this.#noteRequest(signal.atMs);
    if (signal.kind === 'ended' && !this.#supervisor.handles(signal.end)) {
      this.#sessionOverAtMs = signal.end.atMs;
      this.#ending.notify({ kind: 'session', end: signal.end });
    }
  }

  #follow(state: SessionState, atMs: number): void {
    const waiting = waitingStageOf(state);
    // Between the call and its waiting room, in the same page.
    if (this.#supervisor.follow(state)) this.#inCallSinceMs = null;
    else if (this.#stage === 'in_call') return;
    if (waiting !== null) this.#wait(waiting, atMs);
    else if (state === 'in-call' && this.#joinedAtMs !== null && !this.#supervisor.isReturning) this.#enterCall();
  }

  #wait({ stage, status }: WaitingStage, atMs: number): void {
    if (this.#stage === stage) return;
    this.#stage = stage;
    this.#waitingSinceMs = atMs - this.#waitedMs;
    // A bot that was in the call before continues the same recording: its status is that of the recording.
    if (this.#joinedAtMs !== null || this.#reportedWaiting === stage) return;
    this.#reportedWaiting = stage;
    const isKnown = this.#ports.session.pagePackUse().rule !== waitingUnrecognised;
    this.#ports.report({ kind: 'status', code: status, ...(isKnown ? {} : { pageRecognised: false }) });
    void this.#ports.screenshots?.take('lobby');
  }

  #noteRequest(atMs: number): void {
    const { joinAt } = this.#invocation;
    if (joinAt === null) return;
    this.#ports.logger.info({ joinAt, lateMs: atMs - Date.parse(joinAt) }, 'Admission requested.');
  }

  /** All preparation is done; only the meeting's page is not open yet. The time of day may be corrected meanwhile. */
  async #waitForTime(requestAtMs: number): Promise<void> {
    const { clock, logger } = this.#ports;
    const waitMs = (): number => requestAtMs - openAheadMs - clock.now();
    clock.begin();
    if (waitMs() > 0) logger.info({ waitMs: waitMs() }, 'The bot is ready; waiting until join_at.');
    for (; waitMs() > 0; clock.begin()) await clock.sleep(Math.min(waitMs(), tickMs), this.#ending.signal);
  }

  async #joinAndRecord(): Promise<void> {
    const { report, screenshots, session, clock } = this.#ports;
    const { joinAt } = this.#invocation;
    const obstacle = this.#listeners.isEmpty ? null : await this.#listeners.ready(this.#ending.signal);
    if (obstacle !== null) return this.#ending.notify({ kind: 'coded', end: obstacle });
    const requestAtMs = joinAt === null ? null : Date.parse(joinAt);
    if (requestAtMs === null) clock.begin();
    else await this.#waitForTime(requestAtMs);
    const { pagePackVersion } = session.pagePackUse();
    report({ kind: 'status', code: 'joining_call', pagePackVersion });
    this.#opened = true;
    const outcome = await this.#supervisor.join(requestAtMs);
    if (!outcome.joined) {
      this.#sessionOverAtMs = outcome.end.atMs;
      this.#ending.notify({ kind: 'session', end: outcome.end });
      return;
    }
    this.#enterCall();
    this.#joinedAtMs = outcome.atMs;
    report({ kind: 'status', code: 'in_call_not_recording' });
    this.#listeners.notify((listener) => listener.joined?.());
    void screenshots?.take('admitted');
    screenshots?.start();
    if (!(await this.#supervisor.startRecording())) {
      this.#ending.notify({ kind: 'broken', what: captureFailed });
      return;
    }
    this.#listeners.notify((listener) => listener.recordingStarted?.());
    void screenshots?.take('recording');
    void this.#chat.begin();
  }

  /** The page is lost; the time already waited counts when the next page has to wait. */
  #onPageLost(): void {
    this.#stage = 'joining';
    this.#inCallSinceMs = null;
    if (this.#waitingSinceMs !== null) this.#waitedMs = this.#ports.clock.now() - this.#waitingSinceMs;
    this.#waitingSinceMs = null;
  }

  #onRejoined(): void {
    this.#enterCall();
    this.#listeners.notify((listener) => listener.rejoined?.());
    void this.#chat.again();
  }

  #enterCall(): void {
    this.#stage = 'in_call';
    this.#inCallSinceMs = this.#ports.clock.now();
    this.#waitingSinceMs = null;
    this.#waitedMs = 0;
  }

  async #tick(): Promise<void> {
    const { clock, logger } = this.#ports;
    while (!this.#ending.signal.aborted) {
      try {
        this.#poll();
      } catch (error) {
        logger.error({ err: error }, 'A poll of the attendance failed; polling continues.');
      }
      await clock.sleep(tickMs, this.#ending.signal).catch(() => undefined);
    }
  }

  #poll(): void {
    this.#supervisor.poll();
    // In a pause silence does not end the attendance; a meeting that all participants have left does.
    if (this.#recording.state === 'paused' && this.#observer.hasParticipants()) this.#recording.noteParticipants();
    const verdict = evaluateLeaveRules(this.#observe(), this.#leaveConfiguration, this.#ports.clock.now());
    if (verdict !== null) this.#ending.notify({ kind: 'rule', verdict });
  }

  #observe(): LeaveObservation {
    const { speechAtMs } = this.#ports.session.health();
    const audibleAtMs = [speechAtMs, this.#recording.audioAtMs].filter((atMs) => atMs !== null);
    if (this.#stage === 'in_call') this.#observer.note(this.#recording.hasAudio);
    return {
      platform: this.#invocation.meeting.platform,
      stage: this.#stage,
      waitingSinceMs: this.#waitingSinceMs,
      joinedAtMs: this.#joinedAtMs,
      inCallSinceMs: this.#inCallSinceMs,
      recordingSinceMs: recordingSinceMs(this.#invocation, this.#recording.sinceMs, this.#ports.clock),
      lastAudioAtMs: audibleAtMs.length === 0 ? null : Math.max(...audibleAtMs),
      ...this.#observer.observe(),
    };
  }

  async #finish(): Promise<Attended> {
    const { session, recording, logger, clock } = this.#ports;
    const cause = this.#ending.cause ?? { kind: 'broken', what: 'The attendance ended without a cause.' };
    if (cause.kind === 'rejoin-failed') this.#sessionOverAtMs ??= cause.lostAtMs;
    if (cause.kind === 'fenced') recording.fragments.fence();
    const coded = this.#coded(cause);
    const hurries = cause.kind === 'fenced' || cause.kind === 'draining';
    const isLast = !hurries && cause.kind !== 'replaced' && this.#opened;
    const wantsEvidence = isLast && endReasons[coded.code].outcome === 'failed';
    const [evidence] = await Promise.all([
      wantsEvidence ? this.#evidence(coded) : null,
      isLast ? this.#lastImage() : null,
    ]);
    const stopped = withDeadline(recording.stop(), recordingStopTimeoutMs, 'Ending the recording').catch(
      (error: unknown) => logger.error({ err: error }, 'The recording did not end in order; what is on disk is kept.'),
    );
    // A run that is draining or fenced does both at once; otherwise the recording ends before the bot leaves.
    if (!hurries) await stopped;
    await Promise.all([session.leave(), this.#listeners.dismiss()]);
    const exitedAtMs = this.#sessionOverAtMs ?? clock.now();
    session.stop();
    await stopped;
    // The recorded duration is final only now.
    const end = this.#coded(cause);
    const pagePackUse = session.pagePackUse();
    logger.info(
      { cause, ...pagePackUse, code: end.code, recordedMs: recording.fragments.recordedMs },
      `The attendance is over: ${end.message}`,
    );
    return {
      end: { ...this.#endReport(end, exitedAtMs), ...(evidence === null ? {} : { evidence }) },
      fenced: this.#ending.cause?.kind === 'fenced',
      replaced: this.#ending.cause?.kind === 'replaced',
      pagePackUse,
      endRule: this.#joinedAtMs === null ? shownRuleOf(cause, pagePackUse.rule) : null,
      observed: this.#observer.seen,
    };
  }

  #coded(cause: EndCause): CodedEnd {
    return codeOf(cause, {
      platform: this.#invocation.meeting.platform,
      joined: this.#joinedAtMs !== null,
      putToWait: this.#supervisor.wasPutToWait,
      withLogin: this.#invocation.configuration.login !== null,
      page: this.#ports.session.pagePackUse(),
      stored: this.#recording.fragments.count > 0,
      recordedMs: this.#recording.recordedMsAt(this.#sessionOverAtMs ?? this.#ports.clock.now()),
    });
  }

  #endReport({ code, message }: CodedEnd, exitedAtMs: number): AttendanceEnd {
    const { correctionMs } = this.#ports.clock;
    const timeOfDay = (atMs: number): string => new Date(atMs + correctionMs).toISOString();
    return {
      code,
      message,
      joinedAt: this.#joinedAtMs === null ? null : timeOfDay(this.#joinedAtMs),
      exitedAt: timeOfDay(exitedAtMs),
      recorded: this.#recording.fragments.hasContent,
    };
  }

  async #lastImage(): Promise<void> {
    const { screenshots } = this.#ports;
    if (screenshots === null) return;
    await withDeadline(screenshots.take('end'), lastImageTimeoutMs, 'The last screenshot').catch(() => undefined);
  }

  async #evidence(end: CodedEnd): Promise<Record<string, unknown> | null> {
    const withVideo = this.#recording.state !== 'paused';
    try {
      return await withDeadline(this.#ports.keepEvidence(end, withVideo), evidenceTimeoutMs, 'Keeping the evidence');
    } catch (error) {
      this.#ports.logger.warn({ err: error }, 'The evidence of the failure could not be kept.');
      return null;
    }
  }
}

function whenAborted(signal: AbortSignal, act: () => void): void {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act, { once: true });
}

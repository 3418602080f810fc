import { evaluateLeaveRules } from '@rapporteur/bot-lifecycle';
import type { LeaveConfiguration, LeaveObservation } from '@rapporteur/bot-lifecycle';
import type { AttendanceEnd, BotInvocation } from '@rapporteur/contracts';
import type { MeetingVisit, VisitSignal } from '@rapporteur/meeting-platforms';
import type { RecorderHealth } from '@rapporteur/recorder';
import { withDeadline } from '@rapporteur/service-runtime';
import type { Clock, Logger } from '@rapporteur/service-runtime';
import { endReasons } from '@rapporteur/bot-lifecycle';
import { watchRecording } from '../recording/recording-watch.ts';
import type { ReportBody } from '../reporting/reporter.ts';
import { codeOf } from './end-codes.ts';
import type { CodedEnd, EndCause } from './end-codes.ts';
import { FirstCause } from './first-cause.ts';

/** The recording as far as the attendance drives it. */
export interface AttendanceRecording {
  start(): Promise<{ readonly startedAtMs: number }>;
  stop(): Promise<void>;
  fence(): void;
  health(): RecorderHealth;
  readonly recordedMs: number;
  readonly fragments: number;
}

/** What others ask of the attendance, each at most once. */
export interface Orders {
  /** The customer asked the bot to leave. */
  readonly leave: AbortSignal;
  /** This process is to stop soon. */
  readonly drain: AbortSignal;
  /** The lease is lost; the reason says why. */
  readonly fence: AbortSignal;
}

export interface AttendancePorts {
  readonly visit: MeetingVisit;
  readonly recording: AttendanceRecording;
  readonly orders: Orders;
  readonly report: (body: ReportBody) => void;
  /** Called for failures, while the page still shows them. */
  readonly keepEvidence: (end: CodedEnd) => Promise<Record<string, unknown>>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Attended {
  readonly end: AttendanceEnd;
  /** Nothing of this run may be written or reported any more. */
  readonly fenced: boolean;
}

const tickMs = 1_000;
const recorderStarts = 2;
const evidenceTimeoutMs = 6_000;
const recordingStopTimeoutMs = 15_000;
/** Of full scale, over a second: quieter than any speech, louder than a room. */
const soundRms = 0.01;

/** One attendance of one meeting: joins, records, leaves when a rule, the meeting or somebody says so. */
export class Attendance {
  readonly #invocation: BotInvocation;
  readonly #ports: AttendancePorts;
  readonly #leaveConfiguration: LeaveConfiguration;
  readonly #ending = new FirstCause();
  #stage: LeaveObservation['stage'] = 'joining';
  #waitingSinceMs: number | null = null;
  #joinedAtMs: number | null = null;
  #recordingSinceMs: number | null = null;
  #soundAtMs: number | null = null;
  #visitOverAtMs: number | null = null;
  #worried = false;

  constructor(invocation: BotInvocation, ports: AttendancePorts) {
    this.#invocation = invocation;
    this.#ports = ports;
    const { timeout_config: timeouts, ignored_participant_names: ignored } = invocation.configuration;
    this.#leaveConfiguration = { ...timeouts, ignored_participant_names: ignored };
  }

  /** Never rejects: whatever happens ends in a code. */
  async run(): Promise<Attended> {
    const { visit, report } = this.#ports;
    this.#obey();
    const stopListening = visit.onSignal((signal) => this.#hear(signal));
    const ticking = this.#tick();
    report({ kind: 'status', code: 'joining_call' });
    try {
      await this.#joinAndRecord();
    } catch (error) {
      if (!this.#ending.signal.aborted) {
        this.#ports.logger.error({ err: error }, 'The attendance failed in a way that was not foreseen.');
        this.#ending.tell({ kind: 'broken', what: 'Something unexpected broke while the bot was attending.' });
      }
    }
    await this.#ending.wait();
    await ticking;
    stopListening();
    return await this.#finish();
  }

  #obey(): void {
    const { leave, drain, fence } = this.#ports.orders;
    whenAborted(fence, () =>
      this.#ending.tell({ kind: 'fenced', why: String((fence.reason as Error)?.message ?? fence.reason) }),
    );
    whenAborted(leave, () => this.#ending.tell({ kind: 'leave-requested' }));
    whenAborted(drain, () => this.#ending.tell({ kind: 'draining' }));
  }

  #hear(signal: VisitSignal): void {
    if (signal.kind === 'state' && signal.state === 'waiting-room' && this.#stage === 'joining') {
      this.#stage = 'waiting_room';
      this.#waitingSinceMs = signal.atMs;
      this.#ports.report({ kind: 'status', code: 'in_waiting_room' });
    }
    if (signal.kind === 'ended') {
      this.#visitOverAtMs = signal.end.atMs;
      this.#ending.tell({ kind: 'visit', end: signal.end });
    }
  }

  async #joinAndRecord(): Promise<void> {
    const { visit, report, clock } = this.#ports;
    const { meeting, configuration } = this.#invocation;
    const options = { joinUrl: meeting.joinUrl, botName: configuration.bot_name };
    const outcome = await visit.join(options, this.#ending.signal);
    if (!outcome.joined) {
      this.#visitOverAtMs = outcome.end.atMs;
      this.#ending.tell({ kind: 'visit', end: outcome.end });
      return;
    }
    this.#stage = 'in_call';
    this.#joinedAtMs = outcome.atMs;
    this.#waitingSinceMs = null;
    report({ kind: 'status', code: 'in_call_not_recording' });
    const startedAtMs = await this.#startRecording();
    if (startedAtMs === null) return;
    this.#recordingSinceMs = clock.now();
    report({ kind: 'status', code: 'in_call_recording', startTime: Math.floor(startedAtMs / 1_000) });
    void this.#greet();
  }

  async #startRecording(): Promise<number | null> {
    const { recording, logger } = this.#ports;
    for (let attempt = 1; attempt <= recorderStarts && !this.#ending.signal.aborted; attempt += 1) {
      try {
        return (await recording.start()).startedAtMs;
      } catch (error) {
        logger.error({ err: error, attempt }, 'The recording did not start.');
      }
    }
    this.#ending.tell({ kind: 'broken', what: 'The recording could not be started in the meeting page.' });
    return null;
  }

  async #greet(): Promise<void> {
    const message = this.#invocation.configuration.entry_message;
    if (message === null || message.trim() === '') return;
    const { visit, logger } = this.#ports;
    try {
      const delivery = await visit.sendChat(message);
      if (delivery.sent) logger.info({}, 'The entry message is in the chat.');
      else logger.warn({ reason: delivery.reason, what: delivery.what }, 'The entry message could not be posted.');
    } catch (error) {
      logger.warn({ err: error }, 'The entry message could not be posted.');
    }
  }

  async #tick(): Promise<void> {
    const { clock, logger } = this.#ports;
    while (!this.#ending.signal.aborted) {
      try {
        this.#look();
      } catch (error) {
        logger.error({ err: error }, 'Looking at the attendance failed; the next look follows.');
      }
      await clock.sleep(tickMs, this.#ending.signal).catch(() => undefined);
    }
  }

  #look(): void {
    const nowMs = this.#ports.clock.now();
    if (this.#recordingSinceMs !== null) this.#checkRecording(this.#recordingSinceMs, nowMs);
    const verdict = evaluateLeaveRules(this.#observe(), this.#leaveConfiguration, nowMs);
    if (verdict !== null) this.#ending.tell({ kind: 'rule', verdict });
  }

  #checkRecording(startedAtMs: number, nowMs: number): void {
    const { recording, logger } = this.#ports;
    const health = recording.health();
    // Where sound itself stopped arriving, silence proves nothing: the silence rule starts anew.
    if (health.audioLevel.rms >= soundRms || !health.audioLevel.captureAlive) this.#soundAtMs = nowMs;
    const withPicture = this.#invocation.configuration.recording_mode !== 'audio_only';
    const concern = watchRecording(health, { startedAtMs, withPicture, nowMs });
    if (concern !== null && !this.#worried) logger.warn({ ...concern, health }, concern.what);
    this.#worried = concern !== null;
    if (concern?.hopeless === true)
      this.#ending.tell({ kind: 'broken', what: `${concern.what} What was recorded before is kept.` });
  }

  #observe(): LeaveObservation {
    const { visit } = this.#ports;
    const { voiceHeardAtMs } = visit.health();
    const heard = [voiceHeardAtMs, this.#soundAtMs].filter((atMs) => atMs !== null);
    return {
      platform: this.#invocation.meeting.platform,
      stage: this.#stage,
      waitingSinceMs: this.#waitingSinceMs,
      joinedAtMs: this.#joinedAtMs,
      recordingSinceMs: this.#recordingSinceMs,
      people: visit
        .people()
        .filter((person) => !person.isSelf)
        .map((person) => ({ name: person.name ?? '', firstSeenAtMs: person.appearedAtMs })),
      lastSoundAtMs: heard.length === 0 ? null : Math.max(...heard),
    };
  }

  async #finish(): Promise<Attended> {
    const { visit, recording, logger, clock } = this.#ports;
    const cause = this.#ending.cause ?? { kind: 'broken', what: 'The attendance ended without a cause.' };
    if (cause.kind === 'fenced') recording.fence();
    const coded = this.#coded(cause);
    const wantsEvidence =
      cause.kind !== 'fenced' && cause.kind !== 'draining' && endReasons[coded.code].outcome === 'failed';
    const evidence = wantsEvidence ? await this.#evidence(coded) : null;
    const stopped = withDeadline(recording.stop(), recordingStopTimeoutMs, 'Ending the recording').catch(
      (error: unknown) => logger.error({ err: error }, 'The recording did not end in order; what is on disk is kept.'),
    );
    // A run that must hurry, or may not write, does both at once; else the recording ends before the bot is gone.
    if (cause.kind !== 'draining' && cause.kind !== 'fenced') await stopped;
    await visit.leave();
    const exitedAtMs = this.#visitOverAtMs ?? clock.now();
    visit.stop();
    await stopped;
    // What was recorded is only known for sure now.
    const end = this.#coded(cause);
    logger.info({ cause, code: end.code, recordedMs: recording.recordedMs }, `The attendance is over: ${end.message}`);
    return {
      end: { ...this.#endReport(end, exitedAtMs), ...(evidence === null ? {} : { evidence }) },
      fenced: this.#ending.cause?.kind === 'fenced',
    };
  }

  #coded(cause: EndCause): CodedEnd {
    const { recording, clock } = this.#ports;
    const sinceMs = this.#recordingSinceMs;
    const runningMs = sinceMs === null ? 0 : (this.#visitOverAtMs ?? clock.now()) - sinceMs;
    return codeOf(cause, {
      platform: this.#invocation.meeting.platform,
      joined: this.#joinedAtMs !== null,
      recordedMs: Math.max(recording.recordedMs, runningMs),
    });
  }

  #endReport({ code, message }: CodedEnd, exitedAtMs: number): AttendanceEnd {
    return {
      code,
      message,
      joinedAt: this.#joinedAtMs === null ? null : new Date(this.#joinedAtMs).toISOString(),
      exitedAt: new Date(exitedAtMs).toISOString(),
      recorded: this.#ports.recording.fragments > 0,
    };
  }

  async #evidence(end: CodedEnd): Promise<Record<string, unknown> | null> {
    try {
      return await withDeadline(this.#ports.keepEvidence(end), evidenceTimeoutMs, 'Keeping the evidence');
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

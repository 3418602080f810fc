import { countsAsCompany, endReasons, evaluateLeaveRules } from '@rapporteur/bot-lifecycle';
import type { LeaveConfiguration, LeaveObservation } from '@rapporteur/bot-lifecycle';
import type { AttendanceEnd, BotInvocation, RunnerCommand } from '@rapporteur/contracts';
import type { MeetingVisit, VisitSignal } from '@rapporteur/meeting-platforms';
import { withDeadline } from '@rapporteur/service-runtime';
import type { Clock, Logger } from '@rapporteur/service-runtime';
import type { CommandOutcome } from '../commands/command-desk.ts';
import { performCommand } from '../commands/perform-command.ts';
import type { Standing } from '../commands/perform-command.ts';
import type { ReportBody } from '../reporting/reporter.ts';
import type { Screenshots } from '../screenshots/screenshots.ts';
import type { Companion } from './companion.ts';
import { codeOf } from './end-codes.ts';
import type { CodedEnd, EndCause } from './end-codes.ts';
import { FirstCause } from './first-cause.ts';
import { meetTheChat } from './meet-the-chat.ts';
import { RecordingControl } from './recording-control.ts';
import type { AttendanceRecording } from './recording-control.ts';

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
  /** Null where none are taken. */
  readonly screenshots: Pick<Screenshots, 'take' | 'start' | 'hold' | 'goOn'> | null;
  /** Told of each step, in this order. */
  readonly companions: readonly Companion[];
  /** Called for failures, while the page still shows them. Without a picture of a meeting whose recording is paused. */
  readonly keepEvidence: (end: CodedEnd, withPicture: boolean) => Promise<Record<string, unknown>>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Attended {
  readonly end: AttendanceEnd;
  /** Nothing of this run may be written or reported any more. */
  readonly fenced: boolean;
}

const tickMs = 1_000;
const evidenceTimeoutMs = 6_000;
const lastPictureTimeoutMs = 2_000;
const recordingStopTimeoutMs = 15_000;
const companionsTimeoutMs = 1_500;
/** A meeting for a certain moment is opened so long before it, to be ready to knock. */
export const openAheadMs = 10_000;

/** One attendance of one meeting: joins, records, leaves when a rule, the meeting or somebody says so. */
export class Attendance {
  readonly #invocation: BotInvocation;
  readonly #ports: AttendancePorts;
  readonly #leaveConfiguration: LeaveConfiguration;
  readonly #ending = new FirstCause();
  readonly #recording: RecordingControl;
  #stage: LeaveObservation['stage'] = 'joining';
  #opened = false;
  #waitingSinceMs: number | null = null;
  #joinedAtMs: number | null = null;
  #visitOverAtMs: number | null = null;

  constructor(invocation: BotInvocation, ports: AttendancePorts) {
    this.#invocation = invocation;
    this.#ports = ports;
    const { timeout_config: timeouts, ignored_participant_names: ignored } = invocation.configuration;
    this.#leaveConfiguration = { ...timeouts, ignored_participant_names: ignored };
    const withPicture = invocation.configuration.recording_mode !== 'audio_only';
    const { recording, report, clock, logger } = ports;
    this.#recording = new RecordingControl({ recording, withPicture, report, clock, logger });
  }

  /** Does what a customer asked of the bot in its meeting, or says why not. */
  async obey(command: RunnerCommand, signal: AbortSignal): Promise<CommandOutcome> {
    const { visit } = this.#ports;
    const hands = {
      standing: () => this.#standing(),
      sendChat: visit.sendChat.bind(visit),
      pause: () => this.#pause(),
      resume: () => this.#resume(),
    };
    return await performCommand(command, hands, AbortSignal.any([signal, this.#ending.signal]));
  }

  /** Never rejects: whatever happens ends in a code. */
  async run(): Promise<Attended> {
    const { visit } = this.#ports;
    this.#heedOrders();
    const stopListening = visit.onSignal((signal) => this.#hear(signal));
    const ticking = this.#tick();
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

  #heedOrders(): void {
    const { leave, drain, fence } = this.#ports.orders;
    whenAborted(fence, () =>
      this.#ending.tell({ kind: 'fenced', why: String((fence.reason as Error)?.message ?? fence.reason) }),
    );
    whenAborted(leave, () => this.#ending.tell({ kind: 'leave-requested' }));
    whenAborted(drain, () => this.#ending.tell({ kind: 'draining' }));
  }

  #standing(): Standing {
    if (this.#ending.signal.aborted) return 'over';
    if (this.#stage !== 'in_call') return 'before';
    return this.#recording.state === 'idle' ? 'in_call_not_recording' : this.#recording.state;
  }

  async #pause(): Promise<void> {
    const { screenshots } = this.#ports;
    screenshots?.hold();
    try {
      await this.#recording.pause();
    } catch (error) {
      screenshots?.goOn();
      throw error;
    }
    this.#tellCompanions((companion) => companion.recordingPaused?.());
  }

  async #resume(): Promise<void> {
    await this.#recording.resume();
    this.#ports.screenshots?.goOn();
    this.#tellCompanions((companion) => companion.recordingResumed?.());
  }

  #hear(signal: VisitSignal): void {
    if (signal.kind === 'state' && signal.state === 'waiting-room') this.#wait('waiting_room', signal.atMs);
    if (signal.kind === 'state' && signal.state === 'waiting-for-host') this.#wait('waiting_for_host', signal.atMs);
    if (signal.kind === 'step' && signal.step === 'join-clicked') this.#noteKnock(signal.atMs);
    if (signal.kind === 'ended') {
      this.#visitOverAtMs = signal.end.atMs;
      this.#ending.tell({ kind: 'visit', end: signal.end });
    }
  }

  #wait(stage: 'waiting_room' | 'waiting_for_host', atMs: number): void {
    if (this.#stage === stage || this.#stage === 'in_call') return;
    this.#stage = stage;
    this.#waitingSinceMs = atMs;
    this.#ports.report({ kind: 'status', code: `in_${stage}` });
    void this.#ports.screenshots?.take('lobby');
  }

  #noteKnock(atMs: number): void {
    const { joinAt } = this.#invocation;
    if (joinAt === null) return;
    this.#ports.logger.info({ joinAt, lateMs: atMs - Date.parse(joinAt) }, 'The bot asks to be let in.');
  }

  /** Everything is ready by now; only the meeting's page is not open yet. */
  async #waitForTime(joinAt: string): Promise<number> {
    const { clock, logger } = this.#ports;
    const knockAtMs = Date.parse(joinAt);
    const waitMs = knockAtMs - openAheadMs - clock.now();
    if (waitMs <= 0) return knockAtMs;
    logger.info({ joinAt, waitMs }, 'Ready before the time; waiting.');
    await clock.sleep(waitMs, this.#ending.signal);
    return knockAtMs;
  }

  async #joinAndRecord(): Promise<void> {
    const { visit, report, screenshots } = this.#ports;
    const { meeting, configuration, joinAt } = this.#invocation;
    const obstacle = this.#ports.companions.length === 0 ? null : await this.#readyCompanions();
    if (obstacle !== null) return this.#ending.tell({ kind: 'coded', end: obstacle });
    const knockAtMs = joinAt === null ? null : await this.#waitForTime(joinAt);
    report({ kind: 'status', code: 'joining_call' });
    this.#opened = true;
    const options = { joinUrl: meeting.joinUrl, botName: configuration.bot_name, knockAtMs };
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
    this.#tellCompanions((companion) => companion.joined?.());
    void screenshots?.take('admitted');
    screenshots?.start();
    if (!(await this.#recording.start(this.#ending.signal))) {
      this.#ending.tell({ kind: 'broken', what: 'The recording could not be started in the meeting page.' });
      return;
    }
    this.#tellCompanions((companion) => companion.recordingStarted?.());
    void screenshots?.take('recording');
    void meetTheChat(this.#ports, configuration.entry_message, this.#ending.signal);
  }

  async #readyCompanions(): Promise<CodedEnd | null> {
    const { companions } = this.#ports;
    const { signal } = this.#ending;
    const answers = await Promise.all(companions.map(async (companion) => (await companion.ready?.(signal)) ?? null));
    return answers.find((answer) => answer !== null) ?? null;
  }

  #tellCompanions(tell: (companion: Companion) => void): void {
    for (const companion of this.#ports.companions) {
      try {
        tell(companion);
      } catch (error) {
        this.#ports.logger.error(
          { err: error },
          'Something that goes along with the meeting failed; the meeting goes on.',
        );
      }
    }
  }

  /** Never rejects, and holds nothing up for long. */
  async #dismissCompanions(): Promise<void> {
    const leaving = Promise.allSettled(this.#ports.companions.map(async (companion) => companion.over?.()));
    await withDeadline(leaving, companionsTimeoutMs, 'Ending what goes along with the meeting').catch(
      (error: unknown) =>
        this.#ports.logger.warn({ err: error }, 'Something that goes along with the meeting did not end.'),
    );
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
    const concern = this.#recording.check();
    if (concern?.hopeless === true)
      this.#ending.tell({ kind: 'broken', what: `${concern.what} What was recorded before is kept.` });
    // In a pause people may be silent as long as they like; a meeting that everybody left is left all the same.
    if (this.#recording.state === 'paused' && this.#hasCompany()) this.#recording.noteCompany();
    const verdict = evaluateLeaveRules(this.#observe(), this.#leaveConfiguration, this.#ports.clock.now());
    if (verdict !== null) this.#ending.tell({ kind: 'rule', verdict });
  }

  #hasCompany(): boolean {
    return this.#ports.visit
      .people()
      .some(({ isSelf, present, name }) => !isSelf && present && countsAsCompany(name ?? '', this.#leaveConfiguration));
  }

  #observe(): LeaveObservation {
    const { visit } = this.#ports;
    const { voiceHeardAtMs } = visit.health();
    const heard = [voiceHeardAtMs, this.#recording.soundAtMs].filter((atMs) => atMs !== null);
    return {
      platform: this.#invocation.meeting.platform,
      stage: this.#stage,
      waitingSinceMs: this.#waitingSinceMs,
      joinedAtMs: this.#joinedAtMs,
      recordingSinceMs: this.#recording.sinceMs,
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
    const hurries = cause.kind === 'fenced' || cause.kind === 'draining';
    const wantsEvidence = !hurries && this.#opened && endReasons[coded.code].outcome === 'failed';
    const [evidence] = await Promise.all([
      wantsEvidence ? this.#evidence(coded) : null,
      hurries || !this.#opened ? null : this.#lastPicture(),
    ]);
    const stopped = withDeadline(recording.stop(), recordingStopTimeoutMs, 'Ending the recording').catch(
      (error: unknown) => logger.error({ err: error }, 'The recording did not end in order; what is on disk is kept.'),
    );
    // A run that must hurry, or may not write, does both at once; else the recording ends before the bot is gone.
    if (!hurries) await stopped;
    await Promise.all([visit.leave(), this.#dismissCompanions()]);
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
    return codeOf(cause, {
      platform: this.#invocation.meeting.platform,
      joined: this.#joinedAtMs !== null,
      recordedMs: this.#recording.recordedMsAt(this.#visitOverAtMs ?? this.#ports.clock.now()),
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

  async #lastPicture(): Promise<void> {
    const { screenshots } = this.#ports;
    if (screenshots === null) return;
    await withDeadline(screenshots.take('end'), lastPictureTimeoutMs, 'The last picture').catch(() => undefined);
  }

  async #evidence(end: CodedEnd): Promise<Record<string, unknown> | null> {
    const withPicture = this.#recording.state !== 'paused';
    try {
      return await withDeadline(this.#ports.keepEvidence(end, withPicture), evidenceTimeoutMs, 'Keeping the evidence');
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

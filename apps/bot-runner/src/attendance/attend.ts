import { countsAsCompany, endReasons, evaluateLeaveRules } from '@rapporteur/bot-lifecycle';
import type { LeaveConfiguration, LeaveObservation } from '@rapporteur/bot-lifecycle';
import type { AttendanceEnd, BotInvocation, RunnerCommand } from '@rapporteur/contracts';
import type { MeetingVisit, VisitSignal } from '@rapporteur/meeting-platforms';
import { withDeadline } from '@rapporteur/service-runtime/process';
import type { Clock, Logger } from '@rapporteur/service-runtime/process';
import type { CommandOutcome } from '../commands/command-desk.ts';
import { performCommand } from '../commands/perform-command.ts';
import type { Standing } from '../commands/perform-command.ts';
import type { ReportBody } from '../reporting/reporter.ts';
import type { Screenshots } from '../screenshots/screenshots.ts';
import type { Companion } from './companion.ts';
import { Company } from './company.ts';
import { codeOf } from './end-codes.ts';
import type { CodedEnd, EndCause } from './end-codes.ts';
import { FirstCause } from './first-cause.ts';
import { ChatMeeting } from './meet-the-chat.ts';
import { RecordingControl } from './recording-control.ts';
import type { AttendanceRecording } from './recording-control.ts';
import { Upkeep } from './upkeep.ts';
import { waitingStageOf } from './waiting-stage.ts';
import type { WaitingStage } from './waiting-stage.ts';
import { WayBack } from './way-back.ts';
import type { WayBackPorts } from './way-back.ts';

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
  readonly replacePage: WayBackPorts['replacePage'];
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
/** A meeting for a certain moment is opened so long before it, to be ready to knock. */
export const openAheadMs = 10_000;

/** One attendance of one meeting: joins, records, leaves when a rule, the meeting or somebody says so. */
export class Attendance {
  readonly #invocation: BotInvocation;
  readonly #ports: AttendancePorts;
  readonly #leaveConfiguration: LeaveConfiguration;
  readonly #ending = new FirstCause();
  readonly #company: Company;
  readonly #recording: RecordingControl;
  readonly #wayBack: WayBack;
  readonly #upkeep: Upkeep;
  readonly #chat: ChatMeeting;
  #stage: LeaveObservation['stage'] = 'joining';
  #opened = false;
  #waitingSinceMs: number | null = null;
  #waitedMs = 0;
  #saidOfWaiting: LeaveObservation['stage'] | null = null;
  #joinedAtMs: number | null = null;
  #voiceSinceMs: number | null = null;
  #visitOverAtMs: number | null = null;

  constructor(invocation: BotInvocation, ports: AttendancePorts) {
    this.#invocation = invocation;
    this.#ports = ports;
    const { timeout_config: timeouts, ignored_participant_names: ignored } = invocation.configuration;
    this.#leaveConfiguration = { ...timeouts, ignored_participant_names: ignored };
    const withPicture = invocation.configuration.recording_mode !== 'audio_only';
    const { recording, report, clock, logger, visit, replacePage } = ports;
    this.#company = new Company(ports.companions, logger);
    this.#recording = new RecordingControl({ recording, report, clock, logger });
    const { joinUrl } = invocation.meeting;
    const botName = invocation.configuration.bot_name;
    this.#wayBack = new WayBack({ visit, recording: this.#recording, replacePage, joinUrl, botName, clock, logger });
    this.#chat = new ChatMeeting(ports, invocation.configuration.entry_message, this.#ending.signal);
    this.#upkeep = new Upkeep({
      visit,
      recording: this.#recording,
      withPicture,
      wayBack: this.#wayBack,
      ending: this.#ending,
      away: () => this.#goOut(),
      back: () => this.#comeBack(),
      clock,
      logger,
    });
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
    if (this.#joinedAtMs === null) return 'before';
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
    this.#company.tell((companion) => companion.recordingPaused?.());
  }

  async #resume(): Promise<void> {
    await this.#recording.resume();
    this.#ports.screenshots?.goOn();
    this.#company.tell((companion) => companion.recordingResumed?.());
  }

  #hear(signal: VisitSignal): void {
    if (signal.kind === 'state') this.#wait(waitingStageOf(signal.state), signal.atMs);
    if (signal.kind === 'step' && signal.step === 'join-clicked') this.#noteKnock(signal.atMs);
    if (signal.kind === 'ended' && !this.#upkeep.handles(signal.end)) {
      this.#visitOverAtMs = signal.end.atMs;
      this.#ending.tell({ kind: 'visit', end: signal.end });
    }
  }

  #wait(waiting: WaitingStage | null, atMs: number): void {
    if (waiting === null) return;
    const { stage, status } = waiting;
    if (this.#stage === stage || this.#stage === 'in_call') return;
    this.#stage = stage;
    this.#waitingSinceMs = atMs - this.#waitedMs;
    // Who had been in the call goes on with the same recording: its status is that of the recording.
    if (this.#joinedAtMs !== null || this.#saidOfWaiting === stage) return;
    this.#saidOfWaiting = stage;
    this.#ports.report({ kind: 'status', code: status });
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
    const { report, screenshots } = this.#ports;
    const { meeting, configuration, joinAt } = this.#invocation;
    const obstacle = this.#company.isEmpty ? null : await this.#company.ready(this.#ending.signal);
    if (obstacle !== null) return this.#ending.tell({ kind: 'coded', end: obstacle });
    const knockAtMs = joinAt === null ? null : await this.#waitForTime(joinAt);
    report({ kind: 'status', code: 'joining_call' });
    this.#opened = true;
    const options = { joinUrl: meeting.joinUrl, botName: configuration.bot_name, knockAtMs };
    const outcome = await this.#wayBack.joinFirst(options, () => this.#goOut(), this.#ending.signal);
    if (!outcome.joined) {
      this.#visitOverAtMs = outcome.end.atMs;
      this.#ending.tell({ kind: 'visit', end: outcome.end });
      return;
    }
    this.#goIn();
    this.#joinedAtMs = outcome.atMs;
    report({ kind: 'status', code: 'in_call_not_recording' });
    this.#upkeep.begin();
    this.#company.tell((companion) => companion.joined?.());
    void screenshots?.take('admitted');
    screenshots?.start();
    const began = (await this.#mayRecord()) && (await this.#recording.start(this.#ending.signal));
    if (!began) await this.#upkeep.settled();
    if (this.#recording.state === 'idle') {
      this.#ending.tell({ kind: 'broken', what: 'The recording could not be started in the meeting page.' });
      return;
    }
    this.#company.tell((companion) => companion.recordingStarted?.());
    void screenshots?.take('recording');
    void this.#chat.begin();
  }

  /** False when the visit ended instead, which says why. */
  async #mayRecord(): Promise<boolean> {
    try {
      await this.#ports.visit.mayRecord?.(this.#ending.signal);
      return true;
    } catch {
      return false;
    }
  }

  /** The page is lost; what was waited with it counts when the next one has to wait. */
  #goOut(): void {
    this.#stage = 'joining';
    if (this.#waitingSinceMs !== null) this.#waitedMs = this.#ports.clock.now() - this.#waitingSinceMs;
    this.#waitingSinceMs = null;
  }

  #comeBack(): void {
    this.#goIn();
    this.#company.tell((companion) => companion.rejoined?.());
    void this.#chat.again();
  }

  #goIn(): void {
    this.#stage = 'in_call';
    this.#waitingSinceMs = null;
    this.#waitedMs = 0;
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
    this.#upkeep.look();
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
    this.#voiceSinceMs ??= voiceHeardAtMs;
    const heard = [voiceHeardAtMs, this.#recording.soundAtMs].filter((atMs) => atMs !== null);
    return {
      platform: this.#invocation.meeting.platform,
      stage: this.#stage,
      waitingSinceMs: this.#waitingSinceMs,
      joinedAtMs: this.#joinedAtMs,
      recordingSinceMs: this.#recording.sinceMs,
      people: this.#seenPeople(),
      lastSoundAtMs: heard.length === 0 ? null : Math.max(...heard),
    };
  }

  /** Whoever is heard is there, also where the page has no list of people that can be read. */
  #seenPeople(): LeaveObservation['people'] {
    const others = this.#ports.visit.people().filter((person) => !person.isSelf);
    if (others.length === 0 && this.#voiceSinceMs !== null) return [{ name: '', firstSeenAtMs: this.#voiceSinceMs }];
    return others.map((person) => ({ name: person.name ?? '', firstSeenAtMs: person.appearedAtMs }));
  }

  async #finish(): Promise<Attended> {
    const { visit, recording, logger, clock } = this.#ports;
    const cause = this.#ending.cause ?? { kind: 'broken', what: 'The attendance ended without a cause.' };
    if (cause.kind === 'not-back') this.#visitOverAtMs ??= cause.lostAtMs;
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
    await Promise.all([visit.leave(), this.#company.dismiss()]);
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
      putToWait: this.#upkeep.wasPutToWait,
      withLogin: this.#invocation.configuration.login !== null,
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

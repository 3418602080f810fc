import { runnerConfiguration } from '@rapporteur/contracts';
import type { BotInvocation, RunnerCommand } from '@rapporteur/contracts';
import type {
  ChatDelivery,
  JoinOutcome,
  MeetingParticipant,
  MeetingSession,
  SessionEnd,
  SessionEndReason,
  SessionSignal,
  SessionState,
} from '@rapporteur/meeting-platforms';
import type { RecorderHealth, RecordingSummary } from '@rapporteur/recorder';
import { SteadyClock } from '@rapporteur/async';
import { FakeClock } from '@rapporteur/async/testing';
import { Attendance } from '../attendance/attend.ts';
import type { Attended } from '../attendance/attend.ts';
import type { AttendanceListener } from '../attendance/attendance-listener.ts';
import { RecordingSession } from '../recording/recording-session.ts';
import type { CommandOutcome } from '../commands/command-dispatcher.ts';
import type { ReportBody } from '../reporting/reporter.ts';
import { quietLogger } from './quiet-logger.ts';

type CommandBody = RunnerCommand extends infer C ? (C extends RunnerCommand ? Omit<C, 'id'> : never) : never;

export const configuration: BotInvocation['configuration'] = runnerConfiguration.parse({
  bot_name: 'Rapporteur',
  meeting_url: 'https://meet.google.com/abc-defg-hij',
  recording_mode: 'speaker_view',
  entry_message: 'Hello',
  ignored_participant_names: ['Other bot'],
  timeout_config: {
    waiting_room_timeout: 120,
    no_one_joined_timeout: 180,
    silence_timeout: 300,
    grace_period: 0,
    max_recording_duration: 3_600,
  },
  bot_image: [],
  bot_image_config: null,
  login: null,
  captions: null,
  streaming_config: null,
});

/** A meeting controlled by the test, which records the actions of the bot. */
export class AttendanceHarness {
  readonly clock = new FakeClock();
  /** The clock of the bot, its pages and its recorder. */
  readonly #time = new SteadyClock(this.clock);
  readonly did: string[] = [];
  readonly frames: string[] = [];
  readonly reports: ReportBody[] = [];
  readonly attendance: Attendance;
  readonly signals = {
    leave: new AbortController(),
    drain: new AbortController(),
    fence: new AbortController(),
    replaced: new AbortController(),
  };
  participants: MeetingParticipant[] = [];
  speechAtMs: number | null = null;
  certainSpeechAtMs: number | null = null;
  audioArrives = true;
  captureAlive = true;
  rms = 0;
  recorderBroken = false;
  fragments = 0;
  chat: ChatDelivery = { sent: true };
  recorderStuck = false;
  requestAtMs: number | null | undefined;
  recordingSinceMs: number | null = null;
  joins = 0;
  signedIn: boolean | undefined;
  pageResponds = true;
  pageCannotBeReplaced = false;
  readonly pagePackUse = {
    pagePackVersion: '2026-11-26.1',
    matchedCandidates: { leave: { index: 1, of: 3 } },
    rule: 'lobby-text' as string | null,
    said: null,
  };
  #listeners = new Set<(signal: SessionSignal) => void>();
  #joined = Promise.withResolvers<JoinOutcome>();
  #right = Promise.withResolvers<void>();
  #respondedAtMs = 0;
  #lastChunkAtMs = 0;
  readonly #running: Promise<Attended>;
  attended: Attended | null = null;

  constructor(
    more: Partial<BotInvocation['configuration']> = {},
    joinAt: string | null = null,
    listeners: readonly AttendanceListener[] = [],
    rejoin: BotInvocation['rejoin'] = null,
  ) {
    const invocation = {
      configuration: { ...configuration, ...more },
      joinAt,
      rejoin,
      meeting: { platform: 'meet', joinUrl: configuration.meeting_url, meetingId: 'x' },
    } as BotInvocation;
    this.attendance = new Attendance(invocation, {
      session: this.#session(),
      recording: this.#recording(),
      replacePage: async (how) => await this.#replacePage(how),
      listeners,
      signals: {
        leave: this.signals.leave.signal,
        drain: this.signals.drain.signal,
        fence: this.signals.fence.signal,
        replaced: this.signals.replaced.signal,
      },
      report: (body) => this.reports.push(body),
      reported: async () => undefined,
      screenshots: {
        take: async (moment) => void this.frames.push(moment),
        start: () => void this.frames.push('every minute'),
        hold: () => void this.frames.push('held'),
        resume: () => void this.frames.push('on again'),
      },
      keepEvidence: async ({ code }, withVideo) => {
        this.did.push(`evidence ${code}${withVideo ? '' : ' without an image'}`);
        return { rule: 'test' };
      },
      clock: this.#time,
      logger: quietLogger,
    });
    this.#right.resolve();
    this.#running = this.attendance.run();
    void this.#running.then((attended) => (this.attended = attended));
  }

  get statuses(): string[] {
    return this.reports.flatMap((report) => (report.kind === 'status' ? [report.code] : []));
  }

  async command(command: CommandBody, signal = new AbortController().signal): Promise<CommandOutcome> {
    return await this.attendance.perform({ id: crypto.randomUUID(), ...command }, signal);
  }

  /** Emits a signal of the session. */
  #notify(signal: SessionSignal): void {
    for (const listener of this.#listeners) listener(signal);
  }

  async waitInLobby(state: Extract<SessionState, `waiting-${string}`> = 'waiting-room'): Promise<void> {
    this.#notify({ kind: 'state', state, atMs: this.#time.now() });
    await this.clock.advance(0);
  }

  async admit(): Promise<void> {
    this.#joined.resolve({ joined: true, rule: 'test', atMs: this.#time.now() });
    await this.clock.advance(0);
  }

  /** From a waiting room into which the bot was put out of the call. */
  async letIn(): Promise<void> {
    this.#notify({ kind: 'state', state: 'in-call', atMs: this.#time.now() });
    await this.clock.advance(0);
  }

  async turnAway(reason: SessionEndReason): Promise<void> {
    this.#joined.resolve({ joined: false, end: { reason, rule: 'test', atMs: this.#time.now() } });
    await this.clock.advance(0);
  }

  async end(reason: SessionEndReason, more: Partial<SessionEnd> = {}): Promise<void> {
    this.#notify({ kind: 'ended', end: { reason, rule: 'test', atMs: this.#time.now(), ...more } });
    this.#right.reject(new Error('The session ended.'));
    await this.clock.advance(0);
  }

  /** All participants, or those of a name. */
  leave(only?: string): void {
    const leftAtMs = this.#time.now();
    this.participants = this.participants.map((participant) =>
      only === undefined || participant.name === only ? { ...participant, present: false, leftAtMs } : participant,
    );
  }

  /** Speech of a participant begins. */
  speaks(name: string): void {
    const startMs = this.#time.now();
    const turn = {
      turnId: 1,
      participantId: name,
      name,
      startMs,
      endMs: null,
      source: 'levels',
      confidence: 1,
    } as const;
    this.#notify({ kind: 'speaker', change: 'started', turn, atMs: startMs });
  }

  /** The platform requires permission to record from now on, and does not grant it. */
  wantsRight(): void {
    this.#right = Promise.withResolvers();
    this.#right.promise.catch(() => undefined);
  }

  appears(name: string, isSelf = false): void {
    const appearedAtMs = this.#time.now();
    this.participants.push({
      id: name,
      name,
      avatarUrl: null,
      isSelf,
      isHost: false,
      present: true,
      appearedAtMs,
      leftAtMs: null,
    });
  }

  #session(): MeetingSession {
    return {
      join: ({ requestAtMs, signedIn }, signal) =>
        new Promise((resolve, reject) => {
          this.requestAtMs = requestAtMs;
          this.signedIn = signedIn;
          this.joins += 1;
          signal.addEventListener('abort', () => reject(signal.reason as Error));
          void this.#joined.promise.then((outcome) => {
            this.#joined = Promise.withResolvers();
            resolve(outcome);
          });
        }),
      mayRecord: async () => await this.#right.promise,
      onSignal: (listener) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
      participants: () => this.participants,
      speaking: () => [],
      health: () => {
        if (this.pageResponds) this.#respondedAtMs = this.#time.now();
        const { speechAtMs, certainSpeechAtMs } = this;
        const pageRespondedAtMs = this.#respondedAtMs;
        return { pageRespondedAtMs, rosterReadAtMs: this.#time.now(), speechAtMs, certainSpeechAtMs };
      },
      sendChat: async (text) => {
        this.did.push(`chat ${text}`);
        return this.chat;
      },
      checkChat: async () => (this.chat.sent ? { open: true } : { ...this.chat, open: false }),
      openCaptions: () => Promise.reject(new Error('not asked for here')),
      screenshot: () => Promise.reject(new Error('not asked for here')),
      paint: async () => undefined,
      receiveVideo: async () => undefined,
      showImage: async () => false,
      playAudio: () => undefined,
      clearAudio: () => undefined,
      finishedAudioMs: () => 0,
      leave: async () => void this.did.push('leave'),
      pagePackUse: () => this.pagePackUse,
      evidence: () => Promise.reject(new Error('not asked for here')),
      stop: () => void this.did.push('session stopped'),
    };
  }

  async #replacePage(how: string): Promise<void> {
    this.did.push(`another ${how}`);
    if (this.pageCannotBeReplaced) throw new Error('no browser');
    this.pageResponds = true;
  }

  #recording(): RecordingSession {
    const startedAtMs = (): number | null => this.recordingSinceMs;
    const recordedMs = (): number => (this.recordingSinceMs === null ? 0 : this.#time.now() - this.recordingSinceMs);
    const count = (): number => this.fragments;
    return new RecordingSession({
      recorder: {
        start: async () => {
          if (this.recorderBroken) throw new Error('no encoder');
          if (this.recordingSinceMs !== null) this.did.push('recording continues');
          this.fragments = 1;
          this.recordingSinceMs ??= this.#time.now();
          return { startedAtMs: this.recordingSinceMs };
        },
        release: async () => void this.did.push('capture released'),
        pause: async () => {
          if (this.recorderStuck) throw new Error('Pausing the recording took longer than 4000 ms.');
          this.did.push('paused');
          return { atMs: this.#time.now() };
        },
        resume: async () => {
          this.did.push('resumed');
          return { atMs: this.#time.now() };
        },
        stop: async () => {
          this.did.push('recording stopped');
          return {} as RecordingSummary;
        },
        health: () => this.#health(),
        get startedAtMs() {
          return startedAtMs();
        },
        pauses: [],
      },
      fragments: {
        get count() {
          return count();
        },
        get hasContent() {
          return count() > 0;
        },
        get recordedMs() {
          return recordedMs();
        },
        fence: () => void this.did.push('fenced'),
        keepEnd: async () => undefined,
      },
      report: (body) => this.reports.push(body),
      clock: this.#time,
      logger: quietLogger,
    });
  }

  #health(): RecorderHealth {
    const nowMs = this.#time.now();
    if (this.audioArrives) this.#lastChunkAtMs = nowMs;
    const lastChunkAtMs = this.#lastChunkAtMs;
    return {
      lastVideoChunkAtMs: lastChunkAtMs,
      lastAudioChunkAtMs: lastChunkAtMs,
      framesReceived: 0,
      framesEncoded: 0,
      framesDropped: 0,
      fragmentsClosed: Math.floor(nowMs / 2_000),
      fragmentsWaiting: 0,
      isLate: false,
      bytes: 0,
      audioLevel: { peak: this.rms, rms: this.rms, tracks: 1, lastDataAtMs: nowMs, captureAlive: this.captureAlive },
      degraded: null,
      lastError: null,
    };
  }
}

export async function inCall(more: Partial<BotInvocation['configuration']> = {}): Promise<AttendanceHarness> {
  const harness = new AttendanceHarness(more);
  await harness.waitInLobby();
  await harness.admit();
  return harness;
}

import { describe, expect, test } from '@jest/globals';
import type { BotInvocation } from '@rapporteur/contracts';
import type {
  JoinOutcome,
  MeetingPerson,
  MeetingVisit,
  VisitEndReason,
  VisitSignal,
} from '@rapporteur/meeting-platforms';
import type { RecorderHealth } from '@rapporteur/recorder';
import { FakeClock } from '@rapporteur/service-runtime/testing';
import type { ReportBody } from '../reporting/reporter.ts';
import { quietLogger } from '../testing/quiet-logger.ts';
import { Attendance } from './attend.ts';
import type { Attended, AttendanceRecording } from './attend.ts';

const configuration: BotInvocation['configuration'] = {
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
};

/** A meeting that does what the test says, and remembers what the bot did. */
class Stage {
  readonly clock = new FakeClock();
  readonly did: string[] = [];
  readonly reports: ReportBody[] = [];
  readonly orders = { leave: new AbortController(), drain: new AbortController(), fence: new AbortController() };
  people: MeetingPerson[] = [];
  voiceHeardAtMs: number | null = null;
  soundArrives = true;
  captureAlive = true;
  rms = 0;
  recorderBroken = false;
  fragments = 0;
  recordingSinceMs: number | null = null;
  #listener: (signal: VisitSignal) => void = () => undefined;
  readonly #joined = Promise.withResolvers<JoinOutcome>();
  readonly #running: Promise<Attended>;
  attended: Attended | null = null;

  constructor(more: Partial<BotInvocation['configuration']> = {}) {
    const invocation = {
      configuration: { ...configuration, ...more },
      meeting: { platform: 'meet', joinUrl: configuration.meeting_url, meetingId: 'x' },
    } as BotInvocation;
    const attendance = new Attendance(invocation, {
      visit: this.#visit(),
      recording: this.#recording(),
      orders: { leave: this.orders.leave.signal, drain: this.orders.drain.signal, fence: this.orders.fence.signal },
      report: (body) => this.reports.push(body),
      keepEvidence: async ({ code }) => {
        this.did.push(`evidence ${code}`);
        return { rule: 'test' };
      },
      clock: this.clock,
      logger: quietLogger,
    });
    this.#running = attendance.run();
    void this.#running.then((attended) => (this.attended = attended));
  }

  get statuses(): string[] {
    return this.reports.flatMap((report) => (report.kind === 'status' ? [report.code] : []));
  }

  async waitInLobby(): Promise<void> {
    this.#listener({ kind: 'state', state: 'waiting-room', atMs: this.clock.now() });
    await this.clock.advance(0);
  }

  async admit(): Promise<void> {
    this.#joined.resolve({ joined: true, rule: 'test', atMs: this.clock.now() });
    await this.clock.advance(0);
  }

  async turnAway(reason: VisitEndReason): Promise<void> {
    this.#joined.resolve({ joined: false, end: { reason, rule: 'test', atMs: this.clock.now() } });
    await this.clock.advance(0);
  }

  async end(reason: VisitEndReason): Promise<void> {
    this.#listener({ kind: 'ended', end: { reason, rule: 'test', atMs: this.clock.now() } });
    await this.clock.advance(0);
  }

  appears(name: string): void {
    const appearedAtMs = this.clock.now();
    this.people.push({
      id: name,
      name,
      avatarUrl: null,
      isSelf: false,
      isHost: false,
      present: true,
      appearedAtMs,
      leftAtMs: null,
    });
  }

  #visit(): MeetingVisit {
    return {
      join: (_options, signal) =>
        new Promise((resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
          void this.#joined.promise.then(resolve);
        }),
      onSignal: (listener) => {
        this.#listener = listener;
        return () => undefined;
      },
      people: () => this.people,
      speaking: () => [],
      health: () => ({ pageAnsweredAtMs: null, rosterReadAtMs: null, voiceHeardAtMs: this.voiceHeardAtMs }),
      sendChat: async (text) => {
        this.did.push(`chat ${text}`);
        return { sent: true };
      },
      leave: async () => void this.did.push('leave'),
      evidence: () => Promise.reject(new Error('not asked for here')),
      stop: () => void this.did.push('visit stopped'),
    };
  }

  #recording(): AttendanceRecording {
    const recordedMs = (): number => (this.recordingSinceMs === null ? 0 : this.clock.now() - this.recordingSinceMs);
    const fragments = (): number => this.fragments;
    return {
      start: async () => {
        if (this.recorderBroken) throw new Error('no encoder');
        this.fragments = 1;
        this.recordingSinceMs = this.clock.now();
        return { startedAtMs: this.recordingSinceMs };
      },
      stop: async () => void this.did.push('recording stopped'),
      fence: () => void this.did.push('fenced'),
      health: () => this.#health(),
      get recordedMs() {
        return recordedMs();
      },
      get fragments() {
        return fragments();
      },
    };
  }

  #health(): RecorderHealth {
    const lastChunkAtMs = this.soundArrives ? this.clock.now() : this.recordingSinceMs;
    return {
      lastVideoChunkAtMs: lastChunkAtMs,
      lastAudioChunkAtMs: lastChunkAtMs,
      framesReceived: 0,
      framesEncoded: 0,
      framesDropped: 0,
      fragmentsClosed: 0,
      fragmentsWaiting: 0,
      bytes: 0,
      audioLevel: { peak: 0, rms: this.rms, tracks: 1, lastDataAtMs: null, captureAlive: this.captureAlive },
      lastError: null,
    };
  }
}

async function inCall(more: Partial<BotInvocation['configuration']> = {}): Promise<Stage> {
  const stage = new Stage(more);
  await stage.waitInLobby();
  await stage.admit();
  return stage;
}

describe('an attendance, from the door to the recording', () => {
  test('reports each step once and in order, and greets after admission', async () => {
    const stage = await inCall();
    expect(stage.statuses).toEqual(['joining_call', 'in_waiting_room', 'in_call_not_recording', 'in_call_recording']);
    expect(stage.reports.at(-1)).toMatchObject({ startTime: Math.floor(stage.clock.now() / 1_000) });
    expect(stage.did).toEqual(['chat Hello']);
  });

  test('without a waiting room there is no word of one', async () => {
    const stage = new Stage();
    await stage.admit();
    expect(stage.statuses).toEqual(['joining_call', 'in_call_not_recording', 'in_call_recording']);
  });

  test('nobody lets it in: it leaves when its waiting time has run out', async () => {
    const stage = new Stage();
    await stage.waitInLobby();
    await stage.clock.advance(119_000);
    expect(stage.attended).toBeNull();
    await stage.clock.advance(2_000);
    expect(stage.attended?.end).toMatchObject({ code: 'TIMEOUT_WAITING_TO_START', joinedAt: null, recorded: false });
    expect(stage.did).toEqual(['evidence TIMEOUT_WAITING_TO_START', 'recording stopped', 'leave', 'visit stopped']);
  });

  test('refused, it says so and keeps the evidence', async () => {
    const stage = new Stage();
    await stage.turnAway('denied');
    expect(stage.attended?.end).toMatchObject({
      code: 'BOT_NOT_ACCEPTED',
      recorded: false,
      evidence: { rule: 'test' },
    });
  });

  test('asked to leave while it waits, it goes without having recorded', async () => {
    const stage = new Stage();
    await stage.waitInLobby();
    stage.orders.leave.abort();
    await stage.clock.advance(0);
    expect(stage.attended?.end).toMatchObject({ code: 'EXITING_MEETING_BEFORE_RECORD', recorded: false });
  });

  test('a recorder that does not start is tried twice and then named', async () => {
    const stage = new Stage();
    stage.recorderBroken = true;
    await stage.admit();
    expect(stage.attended?.end).toMatchObject({ code: 'INTERNAL_ERROR', recorded: false });
    expect(stage.statuses).not.toContain('in_call_recording');
  });
});

describe('an attendance, to its end', () => {
  test('leaves when nobody who counts has come', async () => {
    const stage = await inCall();
    stage.appears('other BOT');
    await stage.clock.advance(181_000);
    expect(stage.attended?.end.code).toBe('NO_ATTENDEES');
  });

  test('leaves after the silence it was told to bear, counted from the last voice', async () => {
    const stage = await inCall();
    stage.appears('Alice');
    await stage.clock.advance(200_000);
    stage.voiceHeardAtMs = stage.clock.now();
    await stage.clock.advance(299_000);
    expect(stage.attended).toBeNull();
    await stage.clock.advance(2_000);
    expect(stage.attended?.end.code).toBe('NO_SPEAKER');
  });

  test('sound in the recording counts as sound, though no layer says whose it is', async () => {
    const stage = await inCall();
    stage.appears('Alice');
    stage.rms = 0.1;
    await stage.clock.advance(600_000);
    expect(stage.attended).toBeNull();
  });

  test('silence proves nothing while the sound is not captured', async () => {
    const stage = await inCall();
    stage.appears('Alice');
    stage.captureAlive = false;
    await stage.clock.advance(600_000);
    expect(stage.attended).toBeNull();
  });

  test('ends a recording that reached its longest duration', async () => {
    const stage = await inCall();
    stage.appears('Alice');
    stage.rms = 0.1;
    await stage.clock.advance(3_601_000);
    expect(stage.attended?.end.code).toBe('RECORDING_TIMEOUT');
  });

  test('asked to leave, it ends the recording first, then goes', async () => {
    const stage = await inCall();
    await stage.clock.advance(30_000);
    stage.orders.leave.abort();
    await stage.clock.advance(0);
    expect(stage.attended?.end).toMatchObject({ code: 'API_REQUEST', recorded: true });
    expect(stage.did).toEqual(['chat Hello', 'recording stopped', 'leave', 'visit stopped']);
  });

  test('removed after 30 s is a normal end, at the moment the page says', async () => {
    const stage = await inCall();
    await stage.clock.advance(30_000);
    const removedAtMs = stage.clock.now();
    await stage.end('removed');
    expect(stage.attended?.end).toMatchObject({ code: 'BOT_REMOVED', exitedAt: new Date(removedAtMs).toISOString() });
  });

  test('removed after 2 s was too early', async () => {
    const stage = await inCall();
    await stage.clock.advance(2_000);
    await stage.end('removed');
    expect(stage.attended?.end.code).toBe('BOT_REMOVED_TOO_EARLY');
  });

  test('a page that crashes is our failure, and what was recorded is kept', async () => {
    const stage = await inCall();
    await stage.clock.advance(30_000);
    await stage.end('page-crashed');
    expect(stage.attended?.end).toMatchObject({ code: 'INTERNAL_ERROR', recorded: true });
  });

  test('a recording that stands still for 20 s is ended with the truth', async () => {
    const stage = await inCall();
    stage.appears('Alice');
    await stage.clock.advance(30_000);
    stage.recordingSinceMs = stage.clock.now();
    stage.soundArrives = false;
    await stage.clock.advance(22_000);
    expect(stage.attended?.end).toMatchObject({
      code: 'INTERNAL_ERROR',
      message: expect.stringMatching(/stands still/),
    });
  });

  test('told to stop, it goes at once, with what it has and without ceremony', async () => {
    const stage = await inCall();
    await stage.clock.advance(30_000);
    stage.orders.drain.abort();
    await stage.clock.advance(0);
    expect(stage.attended?.end).toMatchObject({ code: 'SIGTERM', recorded: true });
    expect(stage.did.some((line) => line.startsWith('evidence'))).toBe(false);
  });

  test('without a lease it writes nothing more and leaves', async () => {
    const stage = await inCall();
    await stage.clock.advance(10_000);
    stage.orders.fence.abort(new Error('gone'));
    await stage.clock.advance(0);
    expect(stage.attended?.fenced).toBe(true);
    expect(stage.did).toEqual(['chat Hello', 'fenced', 'recording stopped', 'leave', 'visit stopped']);
  });

  test('of two reasons at once the first wins', async () => {
    const stage = await inCall();
    await stage.clock.advance(30_000);
    stage.orders.leave.abort();
    void stage.end('removed');
    await stage.clock.advance(0);
    expect(stage.attended?.end.code).toBe('API_REQUEST');
  });
});

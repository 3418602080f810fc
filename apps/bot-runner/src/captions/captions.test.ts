import { describe, expect, test } from '@jest/globals';
import { SteadyClock } from '@rapporteur/async';
import { FakeClock } from '@rapporteur/async/testing';
import type { CaptionsAccess, SessionSignal } from '@rapporteur/meeting-platforms';
import type { LiveEvent } from '@rapporteur/speech-to-text';
import type { ReportBody } from '../reporting/reporter.ts';
import type { StoryEvent } from '../story/story-event.ts';
import { quietLogger } from '../testing/quiet-logger.ts';
import { openCaptionSession } from '../streaming/open-streaming.ts';
import { Captions } from './captions.ts';

const notOffered = { on: false, reason: 'not_offered', what: '', mayCome: true } as const;

class Meeting {
  readonly clock = new FakeClock();
  readonly time = new SteadyClock(this.clock);
  readonly reports: ReportBody[] = [];
  readonly kept: StoryEvent[] = [];
  readonly captions: Captions;
  access: CaptionsAccess = { on: true, language: null };
  certainSpeechAtMs: number | null = null;
  #notify: (signal: SessionSignal) => void = () => undefined;

  constructor() {
    const health = { pageRespondedAtMs: null, rosterReadAtMs: null, speechAtMs: null };
    this.captions = new Captions({
      session: {
        openCaptions: async () => this.access,
        onSignal: (listener) => {
          this.#notify = listener;
          return () => undefined;
        },
        health: () => ({ ...health, certainSpeechAtMs: this.certainSpeechAtMs }),
      },
      options: { language: null },
      keep: (event) => this.kept.push(event),
      report: (body) => this.reports.push(body),
      clock: this.time,
      logger: quietLogger,
    });
  }

  async begin(): Promise<void> {
    this.captions.joined();
    this.captions.recordingStarted();
    await this.clock.advance(3_000);
  }

  say(text: string, { key = 'a', isFinal = false } = {}): void {
    const atMs = this.time.now();
    const caption = { key, participantId: 'p', name: 'Ann', text, isFinal, language: 'en-US', atMs };
    this.#notify({ kind: 'caption', caption });
  }

  /** Participants speak for `ms`. */
  async speak(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 1_000) {
      this.certainSpeechAtMs = this.time.now();
      await this.clock.advance(1_000);
    }
  }

  get statuses(): unknown[] {
    return this.reports.map((report) => report.kind === 'captions-status' && (report.reason ?? report.available));
  }
}

describe("the meeting's own captions", () => {
  test('are reported once, and kept with each change', async () => {
    const meeting = new Meeting();
    await meeting.begin();
    meeting.say('good');
    meeting.say('Good morning.', { isFinal: true });
    expect(meeting.statuses).toEqual([true]);
    expect(meeting.kept).toMatchObject([
      { kind: 'captions', available: true },
      { kind: 'caption', text: 'good', isFinal: false },
      { kind: 'caption', text: 'Good morning.', isFinal: true },
    ]);
    await meeting.captions.over();
  });

  test.each([-10, 10])('keep their distance when the time of day is corrected by %i minutes', async (minutes) => {
    const meeting = new Meeting();
    await meeting.begin();
    meeting.say('One.', { key: 'a', isFinal: true });
    meeting.clock.correct(minutes * 60_000);
    await meeting.clock.advance(6_000);
    meeting.say('Two.', { key: 'b', isFinal: true });
    const starts = meeting.kept.flatMap((event) => (event.kind === 'caption' ? [event.startMs] : []));
    expect(starts.map((startMs) => startMs - (starts[0] ?? 0))).toEqual([0, 6_000]);
    await meeting.captions.over();
  });

  test('are tried for a minute where the page has no control yet, and then reported as missing', async () => {
    const meeting = new Meeting();
    meeting.access = notOffered;
    await meeting.begin();
    expect(meeting.statuses).toEqual([]);
    await meeting.clock.advance(60_000);
    expect(meeting.statuses).toEqual(['not_offered']);
    meeting.access = { on: true, language: null };
    meeting.captions.rejoined();
    await meeting.clock.advance(1);
    expect(meeting.statuses).toEqual(['not_offered', true]);
    await meeting.captions.over();
  });

  test('are missing when participants speak and none come, and are there again when one comes', async () => {
    const meeting = new Meeting();
    await meeting.begin();
    await meeting.clock.advance(120_000);
    await meeting.speak(20_000);
    await meeting.clock.advance(120_000);
    expect(meeting.statuses).toEqual([true]);
    await meeting.speak(20_000);
    expect(meeting.statuses).toEqual([true, 'none_received']);
    meeting.say('late');
    expect(meeting.statuses).toEqual([true, 'none_received', true]);
    await meeting.captions.over();
  });
});

describe('a live session of captions', () => {
  const openSession = async () => {
    const meeting = new Meeting();
    await meeting.begin();
    const said: [string, boolean][] = [];
    const onEvent = (event: LiveEvent) =>
      event.kind === 'utterance' && said.push([event.utterance.text, event.utterance.isFinal]);
    return { meeting, said, session: openCaptionSession(meeting.captions, onEvent, meeting.time) };
  };

  test('corrects what is not final, and never changes a final segment', async () => {
    const { meeting, said, session } = await openSession();
    meeting.say('the serve', { isFinal: true });
    await meeting.clock.advance(800);
    meeting.say('The server.', { isFinal: true });
    await meeting.clock.advance(2_000);
    meeting.say('The servers.', { isFinal: true });
    await meeting.clock.advance(2_000);
    expect(said).toEqual([
      ['the serve', false],
      ['The server.', false],
      ['The server.', true],
    ]);
    await session.close();
    await meeting.captions.over();
  });

  test('ends a segment whose final version never comes, and the last one when the call ends', async () => {
    const { meeting, said, session } = await openSession();
    meeting.say('no end');
    await meeting.clock.advance(5_500);
    meeting.say('last words', { key: 'b' });
    await session.finish(1_000);
    expect(said.filter(([, isFinal]) => isFinal).map(([text]) => text)).toEqual(['no end', 'last words']);
    expect(await session.ended).toBeNull();
    await meeting.captions.over();
  });

  test('is refused when captions are not available, so that the fallback is used', async () => {
    const { meeting, session } = await openSession();
    meeting.access = { on: false, reason: 'control_failed', what: '' };
    meeting.captions.rejoined();
    await meeting.clock.advance(1);
    expect(await session.ended).toMatchObject({ kind: 'rejected' });
    await meeting.captions.over();
  });
});

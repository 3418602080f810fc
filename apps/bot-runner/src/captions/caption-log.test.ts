import { describe, expect, test } from '@jest/globals';
import { CaptionLog } from './caption-log.ts';

class Meeting {
  readonly log = new CaptionLog();
  readonly texts = new Map<string, string>();
  readonly finals = new Map<string, boolean>();
  nowMs = 10_000;

  constructor() {
    this.log.recordingStarted(0);
  }

  say(text: string, { key = 'a', isFinal = false, afterMs = 300 } = {}): void {
    this.nowMs += afterMs;
    const version = { key, participantId: 'p1', name: 'Ann', text, isFinal, language: 'en', atMs: this.nowMs };
    for (const segment of this.log.take(version)) {
      this.texts.set(segment.id, segment.text);
      this.finals.set(segment.id, segment.isFinal);
      expect(segment.endMs).toBeGreaterThanOrEqual(segment.startMs);
    }
  }

  pause(): void {
    this.log.recordingPaused();
  }

  resume(): void {
    this.log.recordingResumed(this.nowMs);
  }

  get kept(): string[] {
    return [...this.texts.values()].filter((text) => text !== '');
  }
}

describe('the captions of a recording', () => {
  test('are the latest version of each utterance, also after a final one', () => {
    const meeting = new Meeting();
    meeting.say('the newm');
    meeting.say('the new serve is');
    meeting.say('The new serve is ready.', { isFinal: true });
    meeting.say('The new server is ready.', { isFinal: true, afterMs: 3_000 });
    meeting.say('yes', { key: 'b' });
    expect(meeting.kept).toEqual(['The new server is ready.', 'yes']);
    expect([...meeting.finals.values()]).toEqual([true, false]);
  });

  test('are cut where a speaker breaks off, so that times stay good, and corrections reach what was cut', () => {
    const meeting = new Meeting();
    meeting.say('we met on mondey');
    meeting.say('we met on monday and then', { afterMs: 4_000 });
    meeting.say('We met on Monday. And then we left.', { isFinal: true });
    expect(meeting.kept).toEqual(['We met on Monday.', 'And then we left.']);
  });

  test('hold nothing that was said before the recording, or in a pause, though the text goes on growing', () => {
    const meeting = new Meeting();
    meeting.say('we agreed on the price');
    meeting.pause();
    meeting.say('we agreed on the price of twelve million dolars');
    meeting.resume();
    meeting.say('we agreed on the price of twelve million dollars between us', { afterMs: 700 });
    meeting.say('we agreed on the price of twelve million dollars between us and now back', { afterMs: 1_600 });
    meeting.say('We agreed on the price of twelve million dollars between us and now back to the plan.', {
      isFinal: true,
    });
    expect(meeting.kept).toEqual(['We agreed on the price', 'and now back to the plan.']);
  });

  test('hold nothing of an utterance whose words in a pause cannot be separated', () => {
    const meeting = new Meeting();
    meeting.pause();
    meeting.say('the secret number is four');
    meeting.resume();
    meeting.say('something quite different came out of it', { afterMs: 2_000 });
    meeting.say('open again', { key: 'b' });
    expect(meeting.kept).toEqual(['open again']);
  });

  test('are kept in scripts without spaces as well', () => {
    const meeting = new Meeting();
    meeting.say('我们开始');
    meeting.pause();
    meeting.say('我们开始秘密');
    meeting.resume();
    meeting.say('我们开始秘密会议结束', { afterMs: 2_000 });
    expect(meeting.kept).toEqual(['我们开始', '会议结束']);
  });

  test('cost the same for a text of any length', () => {
    const meeting = new Meeting();
    const words = Array.from({ length: 3_000 }, (_, index) => `word${index}`);
    for (let length = 1; length <= words.length; length += 20) meeting.say(words.slice(0, length).join(' '));
    expect(meeting.kept.join(' ').split(' ').length).toBe(2_981);
    expect(meeting.kept.every((text) => text.split(' ').length <= 120)).toBe(true);
  });
});

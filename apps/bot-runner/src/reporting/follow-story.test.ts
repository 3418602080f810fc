import { describe, expect, test } from '@jest/globals';
import type { ChatMessage } from '@rapporteur/meeting-platforms';
import { FakeClock } from '@rapporteur/async/testing';
import { MeetingStory } from '../story/meeting-story.ts';
import { ChatReports } from './follow-story.ts';
import type { ReportBody } from './reporter.ts';

function setUp() {
  const clock = new FakeClock();
  const story = new MeetingStory();
  const reports: ReportBody[] = [];
  const chat = new ChatReports({ story, report: (body) => reports.push(body), clock });
  const appears = (participantId: string, name: string): void =>
    story.add({
      kind: 'participant',
      change: 'appeared',
      atMs: 0,
      participantId,
      name,
      avatarUrl: null,
      isSelf: false,
    });
  const says = (text: string, more: Partial<ChatMessage> = {}): void =>
    chat.add({ id: text, senderId: 'a', senderName: '', text, sentAtMs: 0, own: false, ...more }, clock.now());
  return { clock, reports, chat, appears, says };
}

describe('ChatReports', () => {
  test('say who wrote, by the number that the participants list has', () => {
    const { clock, reports, appears, says } = setUp();
    appears('b', 'Bruno');
    appears('a', 'Alice');
    says('Good morning');
    expect(reports).toEqual([
      {
        kind: 'chat-message',
        message: {
          messageId: 'Good morning',
          senderId: 2,
          senderName: 'Alice',
          text: 'Good morning',
          sentAt: '1970-01-01T00:00:00.000Z',
          at: new Date(clock.now()).toISOString(),
        },
      },
    ]);
  });

  test("leave out the bot's own words", () => {
    const { reports, says } = setUp();
    says('I am a bot.', { own: true });
    expect(reports).toEqual([]);
  });

  test('wait a moment for the sender to be known, in order', async () => {
    const { clock, reports, appears, says } = setUp();
    appears('b', 'Bruno');
    says('first');
    says('second', { senderId: 'b' });
    await clock.advance(1_000);
    expect(reports).toEqual([]);
    appears('a', 'Alice');
    await clock.advance(500);
    expect(reports).toMatchObject([{ message: { text: 'first', senderId: 2 } }, { message: { senderId: 1 } }]);
    expect(clock.sleeping).toBe(0);
  });

  test('name the sender by what the page shows, and as unknown where it shows nothing', async () => {
    const { clock, reports, appears, says } = setUp();
    appears('b', 'Bruno');
    says('by name', { senderId: null, senderName: 'Bruno' });
    says('a stranger', { senderId: null, senderName: 'Callum' });
    says('unknown', { senderId: null });
    await clock.advance(4_000);
    expect(reports.map((report) => report.kind === 'chat-message' && report.message)).toMatchObject([
      { senderId: 1, senderName: 'Bruno' },
      { senderId: null, senderName: 'Callum' },
      { senderId: null, senderName: 'Unknown' },
    ]);
  });

  test('at the end whatever is held is said', async () => {
    const { reports, chat, says } = setUp();
    says('last words');
    await chat.stop();
    expect(reports).toMatchObject([{ message: { text: 'last words', senderId: null } }]);
  });
});

import { describe, expect, test } from '@jest/globals';
import { chatMessages, senderOf } from './chat-artifact.ts';
import type { StoryEvent } from './meeting-story.ts';
import { MeetingStory } from './meeting-story.ts';
import { listPeople } from './people-list.ts';
import { speakerSpans } from './speaker-spans.ts';

const person = (
  personId: string,
  name: string | null,
  more: Partial<Extract<StoryEvent, { kind: 'person' }>> = {},
): StoryEvent => ({
  kind: 'person',
  change: 'appeared',
  atMs: 0,
  personId,
  name,
  avatarUrl: null,
  isSelf: false,
  ...more,
});
const turn = (turnId: number, personId: string | null, startMs: number, endMs: number | null): StoryEvent => ({
  kind: 'speaker',
  change: endMs === null ? 'started' : 'stopped',
  turnId,
  personId,
  name: null,
  startMs,
  endMs,
  source: 'contributing-sources',
  confidence: 1,
});

describe('listPeople', () => {
  test('numbers people from 1 in order of appearance, without the bot', () => {
    const { participants } = listPeople([
      person('x', 'Alice', { avatarUrl: 'https://a.test/1' }),
      person('me', 'Bot', { isSelf: true }),
      person('y', 'Bruno'),
    ]);
    expect(participants).toEqual([
      { id: 1, name: 'Alice', display_name: 'Alice', profile_picture: 'https://a.test/1' },
      { id: 2, name: 'Bruno', display_name: 'Bruno' },
    ]);
  });

  test('the bot is left out also where only a later word says that it was the bot', () => {
    expect(
      listPeople([person('me', 'Bot'), person('me', 'Bot', { change: 'changed', isSelf: true })]).participants,
    ).toEqual([]);
  });

  test('whoever comes back under the same name stays the same participant', () => {
    const events = [person('1', 'Alice'), person('1', 'Alice', { change: 'left' }), person('2', 'Alice')];
    const people = listPeople(events);
    expect(people.participants).toHaveLength(1);
    expect(people.idOf('2')).toBe(1);
  });

  test('two people of one name who are there at once are two', () => {
    expect(listPeople([person('1', 'Alice'), person('2', 'Alice')]).participants.map(({ id }) => id)).toEqual([1, 2]);
  });

  test('speakers are those who spoke, under the same numbers', () => {
    const { speakers } = listPeople([
      person('1', 'Alice'),
      person('2', 'Bruno', { avatarUrl: 'https://a.test/2' }),
      turn(1, '2', 0, 100),
      turn(2, null, 0, 100),
    ]);
    expect(speakers).toEqual([{ id: 2, name: 'Bruno', display_name: 'Bruno', profile_picture: 'https://a.test/2' }]);
  });

  test('a name that comes late is used, one that never comes is unknown', () => {
    const events = [person('1', null), person('2', null), person('1', 'Alice', { change: 'changed' })];
    expect(listPeople(events).participants.map(({ name }) => name)).toEqual(['Alice', 'Unknown']);
  });
});

describe('speakerSpans', () => {
  test("a turn's last word counts; one that a crash cut off ends with its recording", () => {
    const events = [person('1', 'Alice'), turn(1, '1', 100, null), turn(1, '1', 100, 900), turn(2, null, 1_000, null)];
    expect(speakerSpans([{ events, endsAtMs: 5_000 }], listPeople(events), 'meet')).toEqual([
      { name: 'Alice', personId: '1', startMs: 100, endMs: 900 },
      { name: null, personId: null, startMs: 1_000, endMs: 5_000 },
    ]);
  });

  test('attempts number their turns anew, and none replaces another', () => {
    const events = [person('1', 'Alice')];
    const first = { events: [...events, turn(1, '1', 0, 10)], endsAtMs: 20 };
    const second = { events: [turn(1, '1', 100, 110)], endsAtMs: 120 };
    expect(speakerSpans([first, second], listPeople(events), 'meet')).toHaveLength(2);
  });

  test("carry the first platform's number of a person, where it is one, and no other platform's", () => {
    const events = [person('16778240', 'Alice'), turn(1, '16778240', 0, 10), turn(2, 'guest', 20, 30)];
    const numbers = (platform: 'zoom' | 'meet') =>
      speakerSpans([{ events, endsAtMs: 40 }], listPeople(events), platform).map(({ userId }) => userId);
    expect(numbers('zoom')).toEqual([16_778_240, undefined]);
    expect(numbers('meet')).toEqual([undefined, undefined]);
  });
});

describe('chatMessages', () => {
  const chat = (
    id: string,
    sentAtMs: number,
    more: Partial<Extract<StoryEvent, { kind: 'chat' }>> = {},
  ): StoryEvent => ({
    kind: 'chat',
    id,
    senderId: '1',
    senderName: 'Alice',
    text: id,
    sentAtMs,
    own: false,
    ...more,
  });

  test('each message once, in the order of sending, with the number of its sender', () => {
    const events = [person('1', 'Alice'), chat('b', 2_000), chat('a', 1_000), chat('b', 2_000)];
    const alice = { sender_name: 'Alice', sender_id: 1 };
    expect(chatMessages(events, listPeople(events), (epochMs) => epochMs / 2)).toEqual([
      { ...alice, message_id: 'a', text: 'a', timestamp: '1970-01-01T00:00:01.000Z', offset_seconds: 0.5 },
      { ...alice, message_id: 'b', text: 'b', timestamp: '1970-01-01T00:00:02.000Z', offset_seconds: 1 },
    ]);
  });

  test("the bot's own words have its name and no number, an unknown sender neither", () => {
    const events = [
      chat('a', 0, { own: true, senderId: 'me', senderName: 'Bot' }),
      chat('b', 1, { senderId: null, senderName: '' }),
    ];
    expect(chatMessages(events, listPeople(events), () => 0)).toMatchObject([
      { sender_name: 'Bot', sender_id: null },
      { sender_name: 'Unknown', sender_id: null },
    ]);
  });
});

describe('a sender who is only named', () => {
  test('is the one participant of that name, and nobody where two have it', () => {
    const named = (events: StoryEvent[]) =>
      senderOf({ senderId: null, senderName: 'Alice', own: false }, listPeople(events)).id;
    expect(named([person('1', 'Bruno'), person('2', 'Alice')])).toBe(2);
    expect(named([person('1', 'Alice'), person('2', 'Alice')])).toBeNull();
    expect(named([person('1', 'Bruno')])).toBeNull();
  });
});

describe('MeetingStory', () => {
  test('hands out each event once and keeps them all', () => {
    const story = new MeetingStory();
    story.add(person('1', 'Alice'));
    expect(story.takeNew()).toHaveLength(1);
    story.add(person('2', 'Bruno'));
    expect(story.takeNew()).toMatchObject([{ personId: '2' }]);
    expect(story.takeNew()).toEqual([]);
    expect(story.events).toHaveLength(2);
  });
});

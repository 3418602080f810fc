import { describe, expect, test } from '@jest/globals';
import { chatMessages, senderOf } from './chat-artifact.ts';
import type { StoryEvent } from './story-event.ts';
import { MeetingStory } from './meeting-story.ts';
import { listParticipants, LiveParticipants } from './participant-list.ts';
import { speakerSpans } from './speaker-spans.ts';

const participant = (
  participantId: string,
  name: string | null,
  more: Partial<Extract<StoryEvent, { kind: 'participant' }>> = {},
): StoryEvent => ({
  kind: 'participant',
  change: 'appeared',
  atMs: 0,
  participantId,
  name,
  avatarUrl: null,
  isSelf: false,
  ...more,
});
const turn = (turnId: number, participantId: string | null, startMs: number, endMs: number | null): StoryEvent => ({
  kind: 'speaker',
  change: endMs === null ? 'started' : 'stopped',
  turnId,
  participantId,
  name: null,
  startMs,
  endMs,
  source: 'contributing-sources',
  confidence: 1,
});

describe('listParticipants', () => {
  test('numbers people from 1 in order of appearance, without the bot', () => {
    const { participants } = listParticipants([
      participant('x', 'Alice', { avatarUrl: 'https://a.test/1' }),
      participant('me', 'Bot', { isSelf: true }),
      participant('y', 'Bruno'),
    ]);
    expect(participants).toEqual([
      { id: 1, name: 'Alice', display_name: 'Alice', profile_picture: 'https://a.test/1' },
      { id: 2, name: 'Bruno', display_name: 'Bruno' },
    ]);
  });

  test('the bot is left out also where only a later word says that it was the bot', () => {
    expect(
      listParticipants([participant('me', 'Bot'), participant('me', 'Bot', { change: 'changed', isSelf: true })])
        .participants,
    ).toEqual([]);
  });

  test('a participant that rejoins under the same name stays the same participant', () => {
    const events = [
      participant('1', 'Alice'),
      participant('1', 'Alice', { change: 'left' }),
      participant('2', 'Alice'),
    ];
    const roster = listParticipants(events);
    expect(roster.participants).toHaveLength(1);
    expect(roster.idOf('2')).toBe(1);
  });

  test('one who comes back is not chosen among several of the name who left', () => {
    const left = (id: string) => participant(id, 'Alice', { change: 'left' });
    const events = [participant('1', 'Alice'), participant('2', 'Alice'), left('1'), left('2')];
    const roster = listParticipants([...events, participant('3', 'Alice')]);
    expect([roster.idOf('1'), roster.idOf('2'), roster.idOf('3')]).toEqual([1, 2, 3]);
  });

  test('two accounts of one name are two, also one after the other; a guest comes back with a new id', () => {
    const follow = (first: string, second: string) =>
      listParticipants([
        participant(first, 'Alice'),
        participant(first, 'Alice', { change: 'left' }),
        participant(second, 'Alice'),
      ]).participants.length;
    expect(follow('8:orgid:a', '8:orgid:b')).toBe(2);
    expect(follow('8:teamsvisitor:a', '8:teamsvisitor:b')).toBe(1);
    expect(follow('8:orgid:a', '8:teamsvisitor:b')).toBe(1);
  });

  test('a rename keeps the participant, also where another one has that name', () => {
    const events = [participant('1', 'Alice'), participant('2', 'Bruno')];
    const roster = listParticipants([...events, participant('2', 'Alice', { change: 'changed' }), turn(1, '2', 0, 9)]);
    expect(roster.participants.map(({ id, name }) => [id, name])).toEqual([
      [1, 'Alice'],
      [2, 'Alice'],
    ]);
    expect(roster.speakers.map(({ id }) => id)).toEqual([2]);
  });

  test('two people of one name who are there at once are two', () => {
    expect(
      listParticipants([participant('1', 'Alice'), participant('2', 'Alice')]).participants.map(({ id }) => id),
    ).toEqual([1, 2]);
  });

  test('speakers are those who spoke, under the same numbers', () => {
    const { speakers } = listParticipants([
      participant('1', 'Alice'),
      participant('2', 'Bruno', { avatarUrl: 'https://a.test/2' }),
      turn(1, '2', 0, 100),
      turn(2, null, 0, 100),
    ]);
    expect(speakers).toEqual([{ id: 2, name: 'Bruno', display_name: 'Bruno', profile_picture: 'https://a.test/2' }]);
  });

  test('a name that comes late is used, one that never comes is unknown', () => {
    const events = [participant('1', null), participant('2', null), participant('1', 'Alice', { change: 'changed' })];
    expect(listParticipants(events).participants.map(({ name }) => name)).toEqual(['Alice', 'Unknown']);
  });
});

describe('LiveParticipants', () => {
  test('read each event once, however many lists and look-ups follow', () => {
    let reads = 0;
    const counted = (event: StoryEvent): StoryEvent => {
      const { participantId } = event as Extract<StoryEvent, { kind: 'participant' }>;
      return Object.defineProperty({ ...event }, 'participantId', { get: () => ((reads += 1), participantId) });
    };
    const participants = new LiveParticipants();
    for (let index = 0; index < 1_000; index += 1) participants.add(counted(participant(`${index}`, `Name ${index}`)));
    for (let index = 0; index < 1_000; index += 1) participants.add(counted(turn(index, `${index}`, 0, null)));
    const lookUp = () => [
      participants.identify(null, 'Name 7', 0).id,
      participants.idOf('7'),
      participants.speakers.length,
    ];
    expect(lookUp()).toEqual([8, 8, 1_000]);
    const readAtFirst = reads;
    expect(readAtFirst).toBeLessThan(10 * 2_000);
    for (let index = 0; index < 100; index += 1) lookUp();
    participants.add(participant('late', 'Late'));
    expect(participants.participants).toHaveLength(1_001);
    expect(reads).toBe(readAtFirst);
  });

  test('give the same lists event by event as at the end, also where a participant turns out to be the bot', () => {
    const events = [
      participant('me', 'Alice'),
      participant('1', 'Alice'),
      turn(1, 'me', 0, 1),
      participant('1', 'Alice', { change: 'left' }),
      participant('me', 'Bot', { change: 'changed', isSelf: true }),
      participant('2', 'Alice'),
      turn(2, '2', 0, 1),
      participant('2', 'Alicia', { change: 'changed' }),
    ];
    const participants = new LiveParticipants();
    events.forEach((event, index) => {
      const revision = participants.revision;
      const before = JSON.stringify([participants.participants, participants.speakers]);
      participants.add(event);
      const now = [participants.participants, participants.speakers];
      const { participants: all, speakers } = listParticipants(events.slice(0, index + 1));
      expect(now).toEqual([all, speakers]);
      if (JSON.stringify(now) !== before) expect(participants.revision).not.toBe(revision);
    });
    expect(participants.participants).toEqual([{ id: 1, name: 'Alicia', display_name: 'Alicia' }]);
  });
});

describe('speakerSpans', () => {
  test("a turn's last word counts; one that a crash cut off ends with its recording", () => {
    const events = [
      participant('1', 'Alice'),
      turn(1, '1', 100, null),
      turn(1, '1', 100, 900),
      turn(2, null, 1_000, null),
    ];
    expect(speakerSpans([{ events, endsAtMs: 5_000 }], listParticipants(events), 'meet')).toEqual([
      { name: 'Alice', speakerId: 1, candidates: [], participantId: '1', startMs: 100, endMs: 900 },
      { name: null, speakerId: null, candidates: [], participantId: null, startMs: 1_000, endMs: 5_000 },
    ]);
  });

  test('have the ids of people of one name, and the candidates where only the name is known', () => {
    const named = { ...turn(2, null, 20, 30), name: 'Alice' } as StoryEvent;
    const events = [participant('1', 'Alice'), participant('2', 'Alice'), turn(1, '2', 0, 10), named];
    expect(speakerSpans([{ events, endsAtMs: 40 }], listParticipants(events), 'teams')).toMatchObject([
      { name: 'Alice', speakerId: 2, candidates: [] },
      { name: 'Alice', speakerId: null, candidates: [1, 2] },
    ]);
  });

  test('attempts number their turns anew, and none replaces another', () => {
    const events = [participant('1', 'Alice')];
    const first = { events: [...events, turn(1, '1', 0, 10)], endsAtMs: 20 };
    const second = { events: [turn(1, '1', 100, 110)], endsAtMs: 120 };
    expect(speakerSpans([first, second], listParticipants(events), 'meet')).toHaveLength(2);
  });

  test("carry the first platform's number of a person, where it is one, and no other platform's", () => {
    const events = [participant('16778240', 'Alice'), turn(1, '16778240', 0, 10), turn(2, 'guest', 20, 30)];
    const numbers = (platform: 'zoom' | 'meet') =>
      speakerSpans([{ events, endsAtMs: 40 }], listParticipants(events), platform).map(({ userId }) => userId);
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
    const events = [participant('1', 'Alice'), chat('b', 2_000), chat('a', 1_000), chat('b', 2_000)];
    const alice = { sender_name: 'Alice', sender_id: 1 };
    const attempts = [{ events, endsAtMs: 0 }];
    expect(chatMessages(attempts, listParticipants(events), (epochMs) => epochMs / 2)).toEqual([
      { ...alice, message_id: 'a', text: 'a', timestamp: '1970-01-01T00:00:01.000Z', offset_seconds: 0.5 },
      { ...alice, message_id: 'b', text: 'b', timestamp: '1970-01-01T00:00:02.000Z', offset_seconds: 1 },
    ]);
  });

  test("the bot's own words have its name and no number, an unknown sender neither", () => {
    const events = [
      chat('a', 0, { own: true, senderId: 'me', senderName: 'Bot' }),
      chat('b', 1, { senderId: null, senderName: '' }),
    ];
    expect(chatMessages([{ events, endsAtMs: 0 }], listParticipants(events), () => 0)).toMatchObject([
      { sender_name: 'Bot', sender_id: null },
      { sender_name: 'Unknown', sender_id: null },
    ]);
  });

  test('each message once over two runs whose pages have ids of their own, and each that only one of them has read', () => {
    const attempts = [
      [
        chat('1', 0, { text: 'Yes' }),
        chat('2', 9_000, { text: 'both' }),
        chat('3', 19_000, { text: 'the first only' }),
      ],
      [
        // The page shows minutes.
        chat('a', 60_000, { text: 'Yes' }),
        chat('b', 9_500, { text: 'both ' }),
        chat('c', 12_000, { text: 'the second only' }),
        chat('d', 80_000, { text: 'Yes' }),
      ],
    ].map((events, index) => ({ events, endsAtMs: [60_000, 90_000][index] ?? 0 }));
    const ids = chatMessages(attempts, listParticipants([]), () => 0).map(({ message_id: id }) => id);
    expect(ids).toEqual(['1', '2', 'c', '3', 'd']);
  });
});

describe('a sender who is only named', () => {
  const named = (events: StoryEvent[], sentAtMs = 0) => {
    const chat = { senderId: null, senderName: 'Alice', own: false, sentAtMs };
    const { id, candidates } = senderOf(chat, listParticipants(events));
    return candidates.length > 0 ? candidates : id;
  };

  test('is the one participant of that name, and one of several where more have it', () => {
    expect(named([participant('1', 'Bruno'), participant('2', 'Alice')])).toBe(2);
    expect(named([participant('1', 'Alice'), participant('2', 'Alice')])).toEqual([1, 2]);
    expect(named([participant('1', 'Bruno')])).toBeNull();
  });

  test('is who had the name at that time', () => {
    const renamed = [
      participant('1', 'Alice'),
      participant('1', 'Bruno', { change: 'changed', atMs: 100_000 }),
      participant('2', 'Alice', { atMs: 300_000 }),
    ];
    expect([named(renamed, 50_000), named(renamed, 310_000)]).toEqual([1, 2]);
    // No participant had it then: it may have been any who ever had.
    expect(named(renamed, 200_000)).toEqual([1, 2]);
  });

  test('is not a participant where the platform names another one', () => {
    const participants = listParticipants([participant('me', 'Alice', { isSelf: true }), participant('1', 'Alice')]);
    expect(participants.identify('me', 'Alice', 0)).toEqual({ id: null, name: 'Alice', candidates: [] });
  });
});

describe('MeetingStory', () => {
  test('hands out each event once and keeps them all', () => {
    const story = new MeetingStory();
    story.add(participant('1', 'Alice'));
    expect(story.takeNew()).toHaveLength(1);
    story.add(participant('2', 'Bruno'));
    expect(story.takeNew()).toMatchObject([{ participantId: '2' }]);
    expect(story.takeNew()).toEqual([]);
    expect(story.events).toHaveLength(2);
  });
});

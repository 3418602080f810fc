import { describe, expect, test } from '@jest/globals';
import { createFakeClock } from '../fake-clock.ts';
import { Room } from './room.ts';
import type { RoomRules } from './room.ts';

function openRoom(rules: Partial<RoomRules> = {}) {
  const clock = createFakeClock(1_000_000);
  const gone: number[] = [];
  const room = new Room({
    code: 'abc-defg-hij',
    participants: [{ name: 'Ann' }, { name: 'Ben' }],
    rules: { lobby: 'wait', admitAfterMs: 1000, lobbyTimeoutMs: 60_000, ...rules },
    clock,
    clockZero: clock.now(),
    onParticipantChanged: (index) => gone.push(index),
  });
  const reported: string[] = [];
  const requestJoin = (name: string) => {
    const attendee = room.requestJoin({
      name,
      notify: (event) =>
        reported.push(
          `${name} ${event.kind}${event.kind === 'memberChanged' ? ` ${event.member.name} ${event.status}` : ''}`,
        ),
    });
    if (attendee === null) throw new Error('The room took no one in.');
    return attendee;
  };
  const logged = () => room.log().map((entry) => `${entry.kind} ${entry.who ?? '-'}`);
  return { clock, room, gone, reported, requestJoin, logged };
}

describe('the lobby', () => {
  test('lets people in by itself after the set time', () => {
    const { clock, requestJoin } = openRoom({ lobby: 'admit' });
    const bot = requestJoin('Bot');
    clock.advance(999);
    expect(bot.state).toBe('lobby');
    clock.advance(1);
    expect(bot.state).toBe('inCall');
  });

  test('turns everyone away when the room refuses', () => {
    const { clock, requestJoin, reported } = openRoom({ lobby: 'refuse' });
    const bot = requestJoin('Bot');
    clock.advance(1000);
    expect(bot.state).toBe('refused');
    expect(reported).toEqual(['Bot refused']);
  });

  test('waits for a decision, which can be for one name only', () => {
    const { clock, room, requestJoin } = openRoom();
    const [one, other] = [requestJoin('One'), requestJoin('Other')];
    clock.advance(30_000);
    expect(room.admit('Other')).toBe(1);
    expect([one.state, other.state]).toEqual(['lobby', 'inCall']);
    expect(room.refuse()).toBe(1);
    expect(one.state).toBe('refused');
  });

  test('reports the missing response when the time is over', () => {
    const { clock, requestJoin, logged } = openRoom();
    requestJoin('Bot');
    clock.advance(60_000);
    expect(logged().at(-1)).toBe('noResponse Bot');
  });

  test('forgets who goes away while waiting', () => {
    const { room, requestJoin, logged } = openRoom();
    room.leave(requestJoin('Bot').id, 'connectionLost');
    expect(room.admit()).toBe(0);
    expect(logged().at(-1)).toBe('withdrew Bot');
  });
});

describe('the call', () => {
  test('notifies every participant about joins, leaves and removals', () => {
    const { room, requestJoin, reported } = openRoom();
    const [one] = [requestJoin('One'), requestJoin('Two')];
    room.admit();
    reported.length = 0;
    room.participantLeaves(1);
    room.leave(one.id, 'leaveButton');
    room.remove('Two');
    expect(reported).toEqual([
      'One memberChanged Ben left',
      'Two memberChanged Ben left',
      'Two memberChanged One left',
      'Two removed',
    ]);
  });

  test('stops the media of a simulated person who leaves or is removed, once', () => {
    const { room, gone } = openRoom();
    expect([
      room.participantLeaves(0),
      room.participantLeaves(0),
      room.remove('Ben'),
      room.participantLeaves(7),
    ]).toEqual([true, false, 1, false]);
    expect(gone).toEqual([0, 1]);
  });

  test('carries chat only from who is in the call', () => {
    const { room, requestJoin, logged } = openRoom();
    const bot = requestJoin('Bot');
    expect(room.chat(bot.deviceId, 'early')).toBeNull();
    room.admit();
    expect(room.chat(bot.deviceId, 'hello')?.senderName).toBe('Bot');
    expect(logged().at(-1)).toBe('chat Bot');
  });

  test('keeps the id of a participant who is renamed, and reports the new name', () => {
    const { room, requestJoin, reported, logged } = openRoom();
    requestJoin('Bot');
    room.admit();
    const before = room.participants()[1]?.member.deviceId;
    expect([room.renameParticipant(1, 'Ann'), room.renameParticipant(7, 'Eve')]).toEqual([true, false]);
    expect(room.membersInCall().map(({ name }) => name)).toEqual(['Ann', 'Ann', 'Bot']);
    expect(room.participants()[1]?.member.deviceId).toBe(before);
    expect([reported.at(-1), logged().at(-1)]).toEqual(['Bot renamed', 'renamed Ann']);
  });

  test('ends for everyone at the set time, and nothing happens after that', () => {
    const { clock, room, requestJoin, reported } = openRoom({ durationSeconds: 5 });
    const bot = requestJoin('Bot');
    room.admit();
    clock.advance(5000);
    expect(bot.state).toBe('ended');
    expect(reported.at(-1)).toBe('Bot meetingEnded');
    room.end();
    room.leave(bot.id, 'connectionLost');
    expect(room.requestJoin({ name: 'Late', notify: () => undefined })).toBeNull();
    expect(room.log().at(-1)).toMatchObject({ kind: 'meetingEnded', at: 1_005_000 });
    expect(clock.pending()).toBe(0);
  });

  test('gives every member its own stream ids, each small enough for a CSRC', () => {
    const { room, requestJoin } = openRoom();
    requestJoin('Bot');
    room.admit();
    const ids = room.membersInCall().flatMap((member) => [member.audioStreamId, member.videoStreamId]);
    expect(new Set(ids).size).toBe(6);
    expect(ids.every((id) => Number(id) > 0 && Number(id) < 2 ** 32)).toBe(true);
  });
});

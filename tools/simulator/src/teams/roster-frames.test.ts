import { inflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import type { Member } from '../rooms/members.ts';
import { channelMessage, conversationEndFrame, mriOf, rosterFrame, rosterOf } from './roster-frames.ts';

const member = (name: string, participantIndex: number | null): Member => ({
  deviceId: `spaces/x/devices/${name}`,
  name,
  participantIndex,
  isHost: participantIndex === 0,
  audioStreamId: '101',
  videoStreamId: '102',
});

function read(frame: string) {
  expect(frame.startsWith('3:::')).toBe(true);
  const { url, headers, body } = JSON.parse(frame.slice(4)) as {
    url: string;
    headers: Record<string, string>;
    body: string;
  };
  return { url, headers, content: JSON.parse(inflateSync(Buffer.from(body, 'base64')).toString()) as object };
}

describe('a frame of the signalling', () => {
  test('names people by their kind of id, with role, state and the ids of their streams', () => {
    const [alice, bot] = [member('Alice', 0), member('Bot', null)];
    const { url, headers, content } = read(rosterFrame(rosterOf([alice, bot]), 'call-1'));
    expect(url).toMatch(/rosterUpdate\/$/);
    expect(headers).toEqual({ 'X-Microsoft-Skype-Chain-ID': 'call-1' });
    expect(mriOf(alice)).toMatch(/^8:orgid:[0-9a-f-]{36}$/);
    expect(mriOf(bot)).toMatch(/^8:teamsvisitor:[0-9a-f]{32}$/);
    expect(content).toMatchObject({
      participants: {
        [mriOf(alice)]: { details: { displayName: 'Alice' }, state: 'active', meetingRole: 'organizer' },
        [mriOf(bot)]: { details: { displayName: 'Bot (Unverified)' }, state: 'active', meetingRole: 'attendee' },
      },
    });
    const [endpoint] = Object.values(rosterOf([alice])[mriOf(alice)]?.endpoints ?? {});
    expect(endpoint?.call.mediaStreams).toContainEqual({ type: 'audio', direction: 'sendrecv', sourceId: 101 });
  });

  test('the devices of one account are endpoints of one participant, and each kind has ids of its form', () => {
    const alice = member('Alice', 0);
    const phone = { ...member('Alice', 1), deviceId: 'spaces/x/devices/second', accountDeviceId: alice.deviceId };
    const roster = rosterOf([alice, phone]);
    expect(Object.keys(roster)).toEqual([mriOf(alice)]);
    expect(Object.keys(roster[mriOf(alice)]?.endpoints ?? {})).toHaveLength(2);
    const idOf = (kind: Member['kind']) => mriOf({ ...member('Al', 1), ...(kind && { kind }) });
    expect(idOf('guest')).toMatch(/^8:teamsvisitor:/);
    expect(idOf('personal')).toMatch(/^8:live:someone\.\w+@mail\.example$/);
    expect(idOf('phone')).toMatch(/^4:\+49\d{10}$/);
    expect([idOf('bot'), idOf('room')]).toEqual([expect.stringMatching(/^28:/), expect.stringMatching(/^8:orgid:/)]);
  });

  test('who has left is inactive and has no endpoint', () => {
    const alice = member('Alice', 0);
    expect(rosterOf([alice], false)[mriOf(alice)]).toMatchObject({ state: 'inactive', endpoints: {} });
  });

  test('states why the conversation ended', () => {
    const { url, content } = read(conversationEndFrame({ subCode: 5300, phrase: 'participantRemoved' }, 'call-1'));
    expect(url).toMatch(/conversationEnd\/$/);
    expect(content).toMatchObject({ conversationEnd: { subCode: 5300 } });
  });
});

test('a message of the channel is four bytes and JSON', () => {
  const message = channelMessage({ type: 'dsh', history: [101] });
  expect(JSON.parse(message.subarray(4).toString())).toEqual([{ type: 'dsh', history: [101] }]);
  expect(message.readUInt32BE()).toBe(message.length - 4);
});

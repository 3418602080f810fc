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

import { deflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { decodeRosterResponse, decodeTeamsFrame } from './signalling.ts';

function frame(url: string, content: unknown, callId: string | null = 'call-1'): string {
  const headers = callId === null ? {} : { 'X-Microsoft-Skype-Chain-ID': callId };
  const body = deflateSync(JSON.stringify(content)).toString('base64');
  return `3:::${JSON.stringify({ id: 1, method: 'POST', url, headers, body })}`;
}

const alice = {
  details: { id: '8:orgid:a', displayName: 'Alice' },
  state: 'active',
  meetingRole: 'organizer',
  endpoints: {
    one: {
      call: {
        mediaStreams: [
          { type: 'audio', direction: 'sendrecv', sourceId: 101 },
          { type: 'video', direction: 'sendrecv', sourceId: 102 },
        ],
      },
    },
    two: { call: { mediaStreams: [{ type: 'audio', sourceId: 103 }] } },
    three: {},
  },
};

describe('decodeTeamsFrame', () => {
  test('reads participants with presence, role and the streams of their speech', () => {
    expect(decodeTeamsFrame(frame('/v4/x/rosterUpdate/', { participants: { '8:orgid:a': alice } }))).toEqual({
      kind: 'roster',
      callId: 'call-1',
      participants: [{ id: '8:orgid:a', displayName: 'Alice', present: true, isHost: true, speakers: ['101', '103'] }],
    });
  });

  test('takes the key for the id, and says nothing about what a record leaves out', () => {
    const read = decodeTeamsFrame(frame('/rosterUpdate/', { participants: { '8:orgid:b': { details: {} } } }));
    expect(read).toMatchObject({
      participants: [{ id: '8:orgid:b', displayName: null, present: null, isHost: false, speakers: [] }],
    });
  });

  test('reads a list of participants as well as a map, and leaves out those without an id', () => {
    const read = decodeTeamsFrame(frame('/rosterUpdate/?x=1', { participants: [alice, { state: 'active' }, null] }));
    expect(read?.kind === 'roster' && read.participants.map(({ id }) => id)).toEqual(['8:orgid:a']);
  });

  test('reads the end of the conversation with its reason', () => {
    const end = { conversationEnd: { code: 0, subCode: 5300, phrase: 'participantRemoved' } };
    expect(decodeTeamsFrame(frame('/x/conversationEnd/', end, null))).toEqual({
      kind: 'end',
      callId: null,
      subCode: 5300,
    });
    expect(decodeTeamsFrame(frame('/x/conversationEnd/', {}))).toMatchObject({ subCode: null });
  });

  test('leaves other frames alone', () => {
    expect(decodeTeamsFrame('1::')).toBeNull();
    expect(decodeTeamsFrame('{"kind":"welcome"}')).toBeNull();
    expect(decodeTeamsFrame(frame('/x/somethingElse/', {}))).toBeNull();
  });

  test('refuses what cannot be read, and what inflates beyond all measure', () => {
    expect(() => decodeTeamsFrame('3:::no json')).toThrow();
    expect(() => decodeTeamsFrame(frame('/rosterUpdate/', 'x'.repeat(9 * 1024 * 1024)))).toThrow();
  });
});

describe('decodeRosterResponse', () => {
  test('reads the full roster; any other response is none', () => {
    const response = JSON.stringify({ roster: { participants: { '8:orgid:a': alice } } });
    expect(decodeRosterResponse(response)?.map(({ displayName }) => displayName)).toEqual(['Alice']);
    expect(decodeRosterResponse('{"roster":{}}')).toBeNull();
    expect(decodeRosterResponse('[]')).toBeNull();
  });
});

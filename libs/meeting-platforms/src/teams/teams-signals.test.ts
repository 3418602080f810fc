import { deflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import type { TeamsPageSnapshot } from './page-state.ts';
import { TeamsSignals } from './teams-signals.ts';

test('a chat event of an unknown form costs none of the others of its batch', () => {
  const reported: unknown[] = [];
  const host = {
    driver: { page: { on: () => undefined } },
    ports: { clock: { now: () => 0 } },
    reportChat: (messages: readonly unknown[]) => reported.push(...messages),
  };
  const layers = { rosterFrames: true, rosterResponses: false, conversationEnd: true };
  const signals = new TeamsSignals(host as never, layers as never);
  const event = (id: string) => ({
    id,
    from: 'https://teams.microsoft.com/v1/users/ME/contacts/8:orgid:ada',
    senderName: 'Ada',
    content: `<p>${id}</p>`,
    sentAt: '2027-01-11T09:00:00.000Z',
  });
  signals.receive({ kind: 'chat', events: [event('1'), null, { ...event('2'), content: null }, event('3')] });
  signals.stop();
  expect(reported).toHaveLength(2);
});

describe('an end of the conversation that the signalling names', () => {
  const end = (subCode: number): string => {
    const body = deflateSync(JSON.stringify({ conversationEnd: { subCode } })).toString('base64');
    return `3:::${JSON.stringify({ url: '/x/conversationEnd/', headers: {}, body })}`;
  };
  const snapshot = { globals: null, tiles: [], chatRows: [], stage: true } as unknown as TeamsPageSnapshot;

  function signalsOf() {
    const overruled: unknown[] = [];
    let receive: (frame: { payload: string }) => void = () => undefined;
    const socket = { on: (_event: string, listener: typeof receive) => (receive = listener) };
    const page = {
      on: (event: string, listener: (given: unknown) => void) => event === 'websocket' && listener(socket),
    };
    const host = {
      driver: { page, overrule: (reading: unknown, isFinal = true) => overruled.push([reading, isFinal]) },
      ports: { clock: { now: () => 0 }, log: { debug: () => undefined } },
      stopping: new AbortController().signal,
      reportParticipants: () => undefined,
      reportChat: () => undefined,
    };
    const layers = { rosterFrames: true, rosterResponses: false, conversationEnd: true };
    const signals = new TeamsSignals(host as never, layers as never);
    return { signals, overruled, receive: (payload: string) => receive({ payload }) };
  }

  test.each([7, 4_521, 301_005])(
    'by the lost network (%i) waits for the client, and is withdrawn in a call that continues',
    (code) => {
      const { signals, overruled, receive } = signalsOf();
      receive(end(code));
      const lost = { state: 'loading', cause: 'technical', rule: `conversation-end-${code}` };
      expect(overruled).toEqual([[lost, false]]);
      signals.seen(snapshot, 9_000);
      expect(overruled).toHaveLength(1);
      signals.seen(snapshot, 10_000);
      expect(overruled.at(-1)).toEqual([null, true]);
      signals.stop();
    },
  );

  test('by a known decision counts at once, and by an unknown code not in a call that continues', () => {
    const { signals, overruled, receive } = signalsOf();
    receive(end(5_300));
    expect(overruled).toEqual([[{ state: 'removed', rule: 'conversation-end-5300' }, true]]);
    receive(end(99));
    signals.seen(snapshot, 10_000);
    expect(overruled.at(-1)).toEqual([null, true]);
    signals.stop();
  });
});

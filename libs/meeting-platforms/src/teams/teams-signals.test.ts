import { deflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import type { TeamsPageSnapshot } from './page-state.ts';
import { TeamsSignals, TeamsCaptions, TeamsCalls } from './teams-signals.ts';
import { captionsIn } from './main-channel.page.ts';
import type { TeamsParticipant } from './signalling.ts';

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

const message = (content: unknown): Uint8Array =>
  Uint8Array.from([0, 0, 0, 9, ...Buffer.from(JSON.stringify([content]))]);
const said = (text: string, more: object = {}) => ({ userId: '8:orgid:a', text, isFinal: false, ...more });

describe('captions of Teams', () => {
  test('are read from the channel that also names the dominant speaker', () => {
    const [result] = captionsIn(message({ recognitionResults: [said('hello', { timestampAudioSent: 5 })] }));
    expect(result).toEqual({ userId: '8:orgid:a', text: 'hello', isFinal: false, audioSentAt: 5, language: null });
    expect(captionsIn(message({ type: 'dsh', history: [1] }))).toEqual([]);
    expect(captionsIn(message({ recognitionResults: [null, { text: 1 }, 'x'] }))).toEqual([]);
    expect(captionsIn(Uint8Array.from(Buffer.from('[{"recognitionResults":')))).toEqual([]);
  });

  const keys = (results: readonly (readonly [string, number, boolean, number])[]) => {
    const captions = new TeamsCaptions();
    return results.map(([text, audioSentAt, isFinal, atMs]) => {
      const { key } = captions.apply({ userId: 'a', text, isFinal, audioSentAt, language: null }, atMs);
      return key;
    });
  };

  test('are one utterance until the final result, though the time of its audio changes', () => {
    expect(
      keys([
        ['we', 1, false, 0],
        ['we met', 2, false, 300],
        ['We met.', 2, true, 600],
        ['and', 9, false, 900],
      ]),
    ).toEqual(['a/1', 'a/1', 'a/1', 'a/2']);
  });

  test('are corrected after the final result by one of the same audio', () => {
    expect(
      keys([
        ['We mat.', 2, true, 0],
        ['We met.', 2, true, 800],
      ]),
    ).toEqual(['a/1', 'a/1']);
  });

  test('begin anew after 5 s where the final result never comes', () => {
    expect(
      keys([
        ['we met', 1, false, 0],
        ['good morning', 8, false, 5_100],
      ]),
    ).toEqual(['a/1', 'a/2']);
  });
});

const participant = (id: string, displayName: string, more: Partial<TeamsParticipant> = {}): TeamsParticipant => ({
  id: `8:orgid:${id}`,
  displayName,
  present: true,
  isHost: false,
  speakers: [],
  ...more,
});
const account = participant('bot', 'Notes');
const frame = (callId: string, ...participants: TeamsParticipant[]) =>
  ({ kind: 'roster', callId, participants }) as const;
const namesOf = (chosen: readonly TeamsParticipant[] | null) => chosen?.map(({ displayName }) => displayName) ?? null;

test('of the calls of one login the own one is that whose participants the page shows, whichever came first', () => {
  const calls = new TeamsCalls();
  expect(calls.isOwn(frame('other', account, participant('a', 'Ada')))).toBe(false);
  expect(calls.isOwn(frame('own', account, participant('b', 'Ben')))).toBe(false);
  expect(calls.choose(['Notes'], account.id)).toBeNull();
  expect(namesOf(calls.choose(['Notes', 'Ben'], account.id))).toEqual(['Notes', 'Ben']);
  expect(calls.isOwn(frame('other', participant('c', 'Cy')))).toBe(false);
  expect(calls.isOwn(frame('own', participant('d', 'Di')))).toBe(true);
  expect([calls.mayEnd('other'), calls.mayEnd('own')]).toEqual([false, true]);
});

test('a call that is the only one is the own one, and one that is denied in the lobby had no roster', () => {
  const calls = new TeamsCalls();
  expect(calls.mayEnd('own')).toBe(true);
  calls.isOwn(frame('own', account));
  expect(namesOf(calls.choose([], account.id))).toEqual(['Notes']);
  const shared = new TeamsCalls();
  shared.isOwn(frame('one', account, participant('a', 'Ada')));
  shared.isOwn(frame('two', account, participant('b', 'Ben')));
  expect([shared.mayEnd('one'), shared.mayEnd('mine')]).toEqual([false, true]);
});

test('a call that the client opens anew is followed under its next id', () => {
  const calls = new TeamsCalls();
  calls.isOwn(frame('first', account, participant('a', 'Ada'), participant('b', 'Ben')));
  calls.choose(['Ada', 'Ben'], account.id);
  calls.isOwn(frame('second', account, participant('a', 'Ada')));
  expect(calls.choose(['Ada', 'Ben'], account.id)).toBeNull();
  calls.isOwn(frame('second', participant('b', 'Ben')));
  expect(namesOf(calls.choose(['Ada', 'Ben'], account.id))).toEqual(['Notes', 'Ada', 'Ben']);
  expect(calls.isOwn(frame('second', participant('c', 'Cy')))).toBe(true);
  expect(calls.isOwn(frame('first', participant('c', 'Cy')))).toBe(false);
});

test('participants of another call leave with the choice of the right one', () => {
  const calls = new TeamsCalls();
  calls.isOwn(frame('other', account, participant('a', 'Ada')));
  calls.choose([], account.id);
  calls.isOwn(frame('own', account, participant('b', 'Ben')));
  const chosen = calls.choose(['Ben'], account.id)!;
  expect(chosen.map(({ displayName, present }) => [displayName, present])).toEqual([
    ['Ada', false],
    ['Notes', true],
    ['Ben', true],
  ]);
});

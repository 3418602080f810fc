import { expect, test } from '@jest/globals';
import { TeamsCalls } from './calls.ts';
import type { TeamsParticipant } from './signalling.ts';

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

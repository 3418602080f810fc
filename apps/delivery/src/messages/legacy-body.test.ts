import { describe, expect, test } from '@jest/globals';
import { endReasons } from '@rapporteur/bot-lifecycle';
import { botEndedWith } from '../testing/bot-events.ts';
import { legacyFinalMessage, legacyErrorOf } from './legacy-body.ts';

const links = { urls: { video: 'https://s/v.mp4' }, expiresAt: '2026-11-23T09:00:00.000Z' };
const transcriptOf = (artifacts: Parameters<typeof legacyFinalMessage>[1]): unknown => {
  const { body } = legacyFinalMessage(botEndedWith('6a1f0c52-6f0e-4a55-9d0e-0a2f6a1c7b11'), artifacts);
  return (JSON.parse(body.toString('utf8')) as { data: { transcript: unknown } }).data.transcript;
};

describe('the legacy message of a bot that ended', () => {
  test('has what was spoken where there is a transcript', () => {
    const words = [{ word: 'Hello.', start: 1, end: 1.4 }];
    const utterance = { speaker: 'Ann', speakerId: 3, language: 'en', start: 1, end: 1.4, words };
    expect(transcriptOf({ ...links, transcript: { utterances: [utterance] } })).toEqual([
      { speaker: 'Ann', offset: 1, start_time: 1, end_time: 1.4, words },
    ]);
  });

  test('has an empty transcript without one', () => {
    expect(transcriptOf({ ...links, transcript: null })).toEqual([]);
    expect(transcriptOf(null)).toEqual([]);
  });
});

const names = /^(BotNotAccepted|BotRemoved|CannotJoinMeeting|InternalError|InvalidMeetingUrl|TimeoutWaitingToStart)$/;

test.each(Object.keys(endReasons))('the end code %s has a legacy name', (code) => {
  expect(legacyErrorOf(code)).toMatch(names);
});

test.each([
  ['BOT_NOT_ACCEPTED', 'BotNotAccepted'],
  ['TIMEOUT_WAITING_TO_START', 'TimeoutWaitingToStart'],
  ['CANNOT_JOIN_MEETING', 'CannotJoinMeeting'],
  ['INVALID_MEETING_URL', 'InvalidMeetingUrl'],
  ['BOT_REMOVED_TOO_EARLY', 'BotRemoved'],
  ['INTERNAL_ERROR', 'InternalError'],
  ['a code of a later build', 'InternalError'],
  ['toString', 'InternalError'],
  [null, 'InternalError'],
])('%s is %s', (code, name) => {
  expect(legacyErrorOf(code)).toBe(name);
});

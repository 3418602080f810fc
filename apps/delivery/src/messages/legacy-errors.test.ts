import { expect, test } from '@jest/globals';
import { endReasons } from '@rapporteur/bot-lifecycle';
import { legacyErrorOf } from './legacy-errors.ts';

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

import { describe, expect, test } from '@jest/globals';
import type { SessionEndReason } from '@rapporteur/meeting-platforms';
import { codeOf, shownRuleOf } from './end-codes.ts';
import type { AttendanceFacts, EndCause } from './end-codes.ts';

const facts = (more: Partial<AttendanceFacts> = {}): AttendanceFacts => ({
  platform: 'meet',
  joined: true,
  recordedMs: 60_000,
  putToWait: false,
  stored: true,
  withLogin: false,
  ...more,
});
const waiting = facts({ joined: false, recordedMs: 0 });
const session = (reason: SessionEndReason): EndCause => ({ kind: 'session', end: { reason, rule: 'test', atMs: 0 } });

describe('codeOf: before the bot is in the call', () => {
  test.each<[SessionEndReason, string]>([
    ['denied', 'BOT_NOT_ACCEPTED'],
    ['blocked', 'BOT_NOT_ACCEPTED'],
    ['captcha', 'BOT_NOT_ACCEPTED'],
    ['no-response', 'TIMEOUT_WAITING_TO_START'],
    ['not-found', 'CANNOT_JOIN_MEETING'],
    ['passcode-wrong', 'INVALID_MEETING_URL'],
    ['page-unusable', 'CANNOT_JOIN_MEETING'],
    ['login-required', 'MEET_LOGIN_REQUIRED'],
    ['ended-by-host', 'EXITING_MEETING_BEFORE_RECORD'],
    ['page-crashed', 'INTERNAL_ERROR'],
    ['external-meeting-forbidden', 'UNABLE_JOIN_EXTERNAL_MEETING'],
    ['sdk-auth-failed', 'SDK_AUTH_FAILED'],
    ['obf-token-refused', 'ALPHA_OBF_TOKEN_ERROR'],
    ['access-token-refused', 'ALPHA_ACCESS_TOKEN_ERROR'],
    ['authorized-user-left', 'WAITING_FOR_AUTHORIZED_USER_TIMEOUT'],
  ])('%s is %s', (reason, code) => {
    expect(codeOf(session(reason), waiting).code).toBe(code);
  });

  test('other platforms than Google Meet ask for a login in their own words', () => {
    expect(codeOf(session('login-required'), { ...waiting, platform: 'teams' }).code).toBe('LOGIN_REQUIRED');
    const withLogin = { ...waiting, platform: 'teams', withLogin: true } as const;
    expect(codeOf(session('login-required'), withLogin).code).toBe('TEAMS_LOGIN_REQUIRED');
  });

  test('a Zoom meeting that ends before the bot is in it ended prematurely', () => {
    expect(codeOf(session('ended-by-host'), { ...waiting, platform: 'zoom' }).code).toBe('MEETING_ENDED_PREMATURELY');
  });

  test('a host who never came may have been a wrong link, and the words say so', () => {
    const verdict = { code: 'WAITING_FOR_HOST_TIMEOUT', rule: 'waiting_for_host', since: 0 } as const;
    expect(codeOf({ kind: 'rule', verdict }, { ...waiting, platform: 'zoom' })).toMatchObject({
      code: 'WAITING_FOR_HOST_TIMEOUT',
      message: expect.stringMatching(/or the link is wrong.*waiting_room_timeout/),
    });
  });

  test('a page that cannot be operated is not reported as a wrong link', () => {
    const { message } = codeOf(session('page-unusable'), waiting);
    expect(message).toMatch(/the platform may have changed it/);
    expect(message).not.toMatch(/link/);
  });

  test('a refusal carries the sentence of the page, who can help and whether to try again', () => {
    const end = {
      reason: 'refused',
      cause: 'locked',
      said: 'Host has locked this meeting.',
      rule: 'r',
      atMs: 0,
    } as const;
    expect(codeOf({ kind: 'session', end }, waiting)).toEqual({
      code: 'BOT_NOT_ACCEPTED',
      message:
        'The meeting is locked. The page said: "Host has locked this meeting". The host of the meeting can help. Another try may help later.',
    });
    const technical = { reason: 'page-unusable', cause: 'technical', said: 'Oops', rule: 'r', atMs: 0 } as const;
    expect(codeOf({ kind: 'session', end: technical }, waiting)).toMatchObject({
      code: 'CANNOT_JOIN_MEETING',
      message: expect.stringMatching(/technical problem.*"Oops".*operator.*can help/),
    });
  });

  test('a wait in vain on a page that was not recognised says so', () => {
    const verdict = { code: 'TIMEOUT_WAITING_TO_START', rule: 'waiting_room', since: 0 } as const;
    const page = { rule: 'waiting-not-recognised', said: 'Ready when you are' };
    expect(codeOf({ kind: 'rule', verdict }, { ...waiting, page })).toMatchObject({
      code: 'TIMEOUT_WAITING_TO_START',
      message: expect.stringMatching(/did not recognise\. The page said: "Ready when you are"/),
    });
  });

  test('a request to leave is not an end of a recording that never began', () => {
    expect(codeOf({ kind: 'leave-requested' }, waiting).code).toBe('EXITING_MEETING_BEFORE_RECORD');
  });
});

describe('codeOf: in the call, before the recording', () => {
  test.each<[SessionEndReason, string]>([
    ['recording-right-refused', 'RECORDING_RIGHTS_NOT_GRANTED'],
    ['recording-right-unavailable', 'CANNOT_REQUEST_RECORDING_RIGHT'],
    ['recording-right-not-shown', 'HOST_CLIENT_CANNOT_GRANT_PERMISSION'],
    ['recording-not-started', 'RECORDING_START_TIMEOUT'],
  ])('%s is %s', (reason, code) => {
    expect(codeOf(session(reason), facts({ platform: 'zoom', recordedMs: 0 })).code).toBe(code);
  });

  test('a right that is taken back ends a recording that is kept', () => {
    expect(codeOf(session('recording-right-refused'), facts({ platform: 'zoom' }))).toMatchObject({
      code: 'BOT_REMOVED',
      message: expect.stringMatching(/took back the right/),
    });
  });
});

describe('codeOf: out of the call', () => {
  test.each<[SessionEndReason, string]>([
    ['removed', 'BOT_REMOVED'],
    ['ended-by-host', 'BOT_REMOVED'],
    ['page-crashed', 'INTERNAL_ERROR'],
    ['page-unusable', 'INTERNAL_ERROR'],
    ['connection-lost', 'INTERNAL_ERROR'],
  ])('%s is %s', (reason, code) => {
    expect(codeOf(session(reason), facts()).code).toBe(code);
  });

  test('removed before there are 5 s of video is too early', () => {
    expect(codeOf(session('removed'), facts({ recordedMs: 4_999 })).code).toBe('BOT_REMOVED_TOO_EARLY');
    expect(codeOf(session('removed'), facts({ recordedMs: 5_000 })).code).toBe('BOT_REMOVED');
  });

  test('a rule, a request, a signal and a breakage keep their own codes', () => {
    expect(codeOf({ kind: 'rule', verdict: { code: 'NO_SPEAKER', rule: 'silence', since: 0 } }, facts()).code).toBe(
      'NO_SPEAKER',
    );
    expect(codeOf({ kind: 'leave-requested' }, facts()).code).toBe('API_REQUEST');
    expect(codeOf({ kind: 'draining' }, facts()).code).toBe('SIGTERM');
    expect(codeOf({ kind: 'broken', what: 'The audio stalls.' }, facts())).toEqual({
      code: 'INTERNAL_ERROR',
      message: 'The audio stalls. What was recorded before is kept.',
    });
    expect(codeOf({ kind: 'broken', what: 'The audio stalls.' }, facts({ stored: false })).message).toBe(
      'The audio stalls.',
    );
  });

  test('a bot that was put into the waiting room, and not let in again, was removed', () => {
    const verdict = { code: 'TIMEOUT_WAITING_TO_START', rule: 'waiting_room', since: 0 } as const;
    const end = { reason: 'no-response', rule: 'test', atMs: 0 } as const;
    const rejoinFailed = { kind: 'rejoin-failed', what: 'The page stopped working.', end, lostAtMs: 0 } as const;
    const causes: EndCause[] = [{ kind: 'rule', verdict }, rejoinFailed, session('page-unusable')];
    for (const cause of causes) {
      const removed = { code: 'BOT_REMOVED', message: expect.stringMatching(/put the bot into the waiting room/) };
      expect(codeOf(cause, facts({ platform: 'zoom', putToWait: true }))).toMatchObject(removed);
      expect(codeOf(cause, facts({ platform: 'zoom' })).code).toBe('INTERNAL_ERROR');
    }
  });

  test('the right to record that is refused when the bot comes back is the end of its recording, or of none', () => {
    const end = { reason: 'recording-right-refused', rule: 'test', atMs: 0 } as const;
    const cause: EndCause = { kind: 'rejoin-failed', what: 'The page crashed.', end, lostAtMs: 0 };
    expect(codeOf(cause, facts({ platform: 'zoom' })).code).toBe('BOT_REMOVED');
    expect(codeOf(cause, facts({ recordedMs: 0 })).code).toBe('RECORDING_RIGHTS_NOT_GRANTED');
  });

  test('a removal and an end for everyone have different sentences', () => {
    expect(codeOf(session('removed'), facts()).message).toBe('Someone removed the bot from the meeting.');
    expect(codeOf(session('ended-by-host'), facts()).message).toBe('The host ended the meeting for everyone.');
    expect(codeOf(session('ended-by-host'), facts({ recordedMs: 1 })).message).toMatch(/ended the meeting.*before/);
  });

  test('every end says something that a customer can read', () => {
    expect(codeOf(session('denied'), waiting).message).toMatch(
      /^Someone in the meeting denied the bot's request to join\. The host of the meeting can help\./,
    );
    expect(codeOf(session('removed'), facts()).message).toMatch(/removed/);
  });
});

describe('shownRuleOf', () => {
  const byRule = (reason: SessionEndReason, rule: string): EndCause => ({
    kind: 'session',
    end: { reason, rule, atMs: 0 },
  });
  const verdict = { code: 'TIMEOUT_WAITING_TO_START', rule: 'waiting_room', since: 0 } as const;
  test.each<[string, EndCause, string | null]>([
    ['a page that names its end', byRule('not-found', 'not-found-text'), 'not-found-text'],
    ['a page that denies the bot', byRule('denied', 'denied-text'), 'denied-text'],
    ['a site that does not respond', byRule('page-unusable', 'site-does-not-respond'), 'site-does-not-respond'],
    ['a page that could not be operated', byRule('page-unusable', 'name-field'), null],
    ['a page that crashed', byRule('page-crashed', 'page-gone'), null],
    ['a wait that lasted too long', { kind: 'rule', verdict }, 'lobby-text'],
    ['a request to leave', { kind: 'leave-requested' }, null],
    ['a defect', { kind: 'broken', what: 'It broke.' }, null],
  ])('of %s', (_what, cause, rule) => {
    expect(shownRuleOf(cause, 'lobby-text')).toBe(rule);
  });
});

import { describe, expect, test } from '@jest/globals';
import { pageElementsOf } from '../page-packs/page-pack-reader.ts';
import { canaryTeamId } from './run-canaries.ts';
import { canarySetting } from './canary-config.ts';
import type { CanaryExpectation } from './canary-config.ts';
import { failuresInARow } from './start-canaries.ts';
import { judgeCanary, stepElements } from './judge-canary.ts';
import type { CanaryFacts } from './judge-canary.ts';
import { readCanaries } from './read-canaries.ts';

const expectation: CanaryExpectation = { reach: 'call', roster: true, audio: 'any', chat: true, captions: true };
const first = { index: 0, of: 4 };
const facts: CanaryFacts = {
  launched: true,
  withLogin: false,
  endCode: 'API_REQUEST',
  endMessage: null,
  waited: false,
  waitingRecognised: true,
  joined: true,
  chatAvailable: true,
  captions: { available: true, reason: null },
  observed: { audio: false, ownName: true, roster: true },
  matched: { nameField: first, joinButton: first, chatButton: first, captionsOn: first, leave: first },
  elements: pageElementsOf('meet'),
  pagePackVersion: '1',
};
const judge = (over: Partial<CanaryFacts>, expect: Partial<CanaryExpectation> = {}, before = {}) => {
  const { outcome, failedStep, result } = judgeCanary({ ...expectation, ...expect }, { ...facts, ...over }, before);
  const step = (name: string) => result.steps.find((each) => each.step === name);
  return { outcome, failedStep, message: result.message, step };
};

describe('a canary', () => {
  test('passes when every expected step did', () => {
    const { outcome, step } = judge({});
    expect(outcome).toBe('passed');
    expect(step('page')).toMatchObject({ result: 'passed', element: 'nameField', candidate: first });
    expect(step('audio')).toMatchObject({ result: 'not-expected' });
    expect(step('lobby')).toMatchObject({ result: 'not-expected' });
  });

  test('warns of a waiting room that was not recognised, although the bot came in', () => {
    const { outcome, step } = judge({ waited: true, waitingRecognised: false });
    expect(outcome).toBe('warning');
    expect(step('lobby')).toMatchObject({ result: 'warning', element: null });
    expect(judge({ waited: true }).outcome).toBe('passed');
  });

  test('names the step and the element at which the page was not known', () => {
    const { outcome, failedStep, step } = judge({
      endCode: 'CANNOT_JOIN_MEETING',
      joined: false,
      chatAvailable: null,
      captions: null,
      observed: null,
      matched: { nameField: first },
    });
    expect({ outcome, failedStep }).toEqual({ outcome: 'failed', failedStep: 'page' });
    expect(step('page')).toMatchObject({ element: 'joinButton', candidate: null });
    for (const later of ['call', 'chat', 'leave']) expect(step(later)).toMatchObject({ result: 'not-reached' });
  });

  test('says that its link leads to no meeting', () => {
    const endMessage = 'The platform knows no meeting under this link. Check the link.';
    const { message } = judge({ endCode: 'CANNOT_JOIN_MEETING', endMessage, joined: false, matched: {} });
    expect(message).toContain(endMessage);
  });

  test.each([
    [{ endCode: 'CANNOT_JOIN_MEETING', joined: false } as const, {}, 'call', null],
    [{ chatAvailable: false, matched: { ...facts.matched, chatButton: first } }, {}, 'chat', 'chatInput'],
    [{ captions: { available: false, reason: 'control_failed' }, matched: {} } as const, {}, 'captions', 'captionsOn'],
    [{ captions: null }, {}, 'captions', null],
    [{ observed: { audio: false, ownName: false, roster: true } }, {}, 'name', null],
    [{ observed: { audio: false, ownName: true, roster: false } }, {}, 'roster', null],
    [{}, { audio: 'heard' } as const, 'audio', null],
    [{ observed: { audio: true, ownName: true, roster: true } }, { audio: 'silence' } as const, 'audio', null],
    [{ endCode: null }, {}, 'leave', null],
    [
      { endCode: 'EXITING_MEETING_BEFORE_RECORD', joined: false, matched: { joinButton: first } } as const,
      { reach: 'lobby' } as const,
      'lobby',
      null,
    ],
  ])('fails: %j where %j is expected', (over, expected, failedStep, element) => {
    const judged = judge(over, expected);
    expect(judged).toMatchObject({ outcome: 'failed', failedStep });
    expect(judged.step(failedStep)).toMatchObject({ result: 'failed', element });
  });

  test.each([
    ['heard', true],
    ['silence', false],
  ] as const)('passes where %s is expected and is what there was', (audio, isAudible) => {
    const { outcome, step } = judge({ observed: { audio: isAudible, ownName: true, roster: true } }, { audio });
    expect(outcome).toBe('passed');
    expect(step('audio')).toMatchObject({ result: 'passed' });
  });

  test('with a login passes once the meeting was opened signed in; one without expects none', () => {
    expect(judge({ withLogin: true }).step('login')).toMatchObject({ result: 'passed' });
    expect(judge({}).step('login')).toMatchObject({ result: 'not-expected' });
  });

  test.each(['TEAMS_LOGIN_FAILED_INVALID_CREDENTIALS', 'MEET_LOGIN_UNAVAILABLE', 'MEET_LOGIN_REQUIRED'] as const)(
    'fails at its login, and at nothing else, when it ends with %s',
    (endCode) => {
      const endMessage = 'The login is not what it was.';
      const never = { joined: false, observed: null, chatAvailable: null, captions: null, matched: {} };
      const judged = judge({ ...never, withLogin: true, endCode, endMessage, pagePackVersion: null });
      expect(judged).toMatchObject({
        outcome: 'failed',
        failedStep: 'login',
        message: expect.stringContaining(endMessage),
      });
      for (const later of ['page', 'call', 'audio', 'leave'])
        expect(judged.step(later)).toMatchObject({ result: 'not-reached' });
    },
  );

  test('takes captions without speech as offered', () => {
    expect(judge({ captions: { available: false, reason: 'none_received' } }).outcome).toBe('passed');
  });

  test('succeeds up to a waiting room, and says so', () => {
    const waits = { waited: true, joined: false, endCode: 'EXITING_MEETING_BEFORE_RECORD', observed: null } as const;
    const { outcome, message, step } = judge(waits);
    expect({ outcome, message }).toEqual({ outcome: 'passed', message: expect.stringContaining('waiting room') });
    expect(step('lobby')).toMatchObject({ result: 'passed' });
    expect(step('call')).toMatchObject({ result: 'not-reached' });
    expect(judge(waits, { reach: 'lobby' })).toMatchObject({ outcome: 'passed', message: 'Every step passed.' });
  });

  test.each([
    ['the last of its list', { index: 3, of: 4 }, {}],
    ['a later one than before', { index: 2, of: 4 }, { joinButton: { index: 1, of: 4 } }],
  ])('warns of an element that was found by %s', (_what, joinButton, before) => {
    const { outcome, step } = judge({ matched: { ...facts.matched, joinButton } }, {}, before);
    expect(outcome).toBe('warning');
    expect(step('page')).toMatchObject({ result: 'warning', element: 'joinButton', candidate: joinButton });
  });

  test('does not warn of a candidate that is as usual', () => {
    const joinButton = { index: 2, of: 4 };
    expect(judge({ matched: { ...facts.matched, joinButton } }, {}, { joinButton }).outcome).toBe('passed');
  });

  test.each([
    { launched: false, endCode: 'EXITING_MEETING_BEFORE_RECORD' },
    { endCode: 'BOT_NOT_ACCEPTED' },
    { endCode: 'OOM_KILLED' },
  ] as const)('is skipped when the page is not the reason: %j', (over) => {
    expect(judge({ ...over, joined: false })).toMatchObject({ outcome: 'skipped', failedStep: null });
  });

  test('has elements that a built-in page pack knows', () => {
    const known = new Set((['meet', 'teams', 'zoom'] as const).flatMap((platform) => [...pageElementsOf(platform)]));
    const named = Object.values(stepElements).flatMap(({ needed, others }) => [...needed, ...others]);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});

test('failures in a row count for the step of the newest run only', () => {
  const runs = (...steps: (string | null)[]) =>
    steps.map((failed_step) => ({ failed_step }) as { failed_step: 'page' });
  expect(failuresInARow(runs('page', 'page', null, 'page'))).toBe(2);
  expect(failuresInARow(runs('page', 'chat'))).toBe(1);
  expect(failuresInARow(runs(null, 'page'))).toBe(0);
  expect(failuresInARow([])).toBe(0);
});

describe('the setting', () => {
  const read = (value: unknown) => canarySetting().safeParse(typeof value === 'string' ? value : JSON.stringify(value));
  const meet = { name: 'meet-daily', link: 'https://meet.google.com/abc-defg-hij' };

  test('fills in what is left out', () => {
    expect(read([meet]).data).toEqual([
      {
        ...meet,
        interval_seconds: 900,
        expect: { reach: 'call', roster: true, audio: 'any', chat: true, captions: true },
      },
    ]);
  });

  test.each([
    ['{', 'the JSON value'],
    [{}, 'the JSON value'],
    [[{ ...meet, intervall: 5 }], 'intervall'],
    [[{ ...meet, expect: { lobby: true } }], '0.expect'],
    [[{ ...meet, expect: { audio: 'loud' } }], '0.expect.audio'],
    [[{ ...meet, login: {} }], '0.login.team_id'],
    [[{ ...meet, login: { team_id: 'x' } }], '0.login.team_id'],
    [[{ ...meet, login: { team_id: canaryTeamId, password: 'x' } }], '0.login'],
    [[{ ...meet, interval_seconds: 1 }], '0.interval_seconds'],
    [[{ ...meet, name: 'Meet daily' }], '0.name'],
    [[meet, meet], 'two canaries are called meet-daily'],
  ])('refuses %j and names the field', (value, field) => {
    const { error } = read(value);
    expect(error?.issues.map(({ message }) => message).join()).toContain(field);
  });

  test.each([
    ['https://zoom.us/j/123456789', {} as never, '/login is for Google Meet and Microsoft Teams'],
    [meet.link, null, '/login is given, but this deployment stores no logins'],
    ['https://example.com/', null, '/link leads to no meeting'],
  ])('refuses a login that cannot be used at %s', (link, logins, sentence) => {
    const canary = { ...meet, link, login: { team_id: canaryTeamId } };
    const { data = [] } = read([canary]);
    expect(() => readCanaries(data, { simulatorLinkHosts: [], logins })).toThrow(`meet-daily${sentence}`);
  });
});

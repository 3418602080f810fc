import { describe, expect, test } from '@jest/globals';
import { evaluateLeaveRules } from './index.ts';
import type { LeaveConfiguration, LeaveObservation } from './index.ts';

const startMs = Date.UTC(2026, 0, 1);
const after = (seconds: number): number => startMs + seconds * 1_000;
const config: LeaveConfiguration = {
  waiting_room_timeout: 600,
  no_one_joined_timeout: 300,
  silence_timeout: 900,
  grace_period: 0,
  max_recording_duration: null,
  ignored_participant_names: [],
};
const inCall: LeaveObservation = {
  platform: 'meet',
  stage: 'in_call',
  waitingSinceMs: null,
  joinedAtMs: startMs,
  recordingSinceMs: startMs,
  participants: [],
  lastAudioAtMs: null,
};
const waiting: LeaveObservation = {
  ...inCall,
  stage: 'waiting_room',
  waitingSinceMs: startMs,
  joinedAtMs: null,
  recordingSinceMs: null,
};
const ann = { name: 'Ann', firstSeenAtMs: after(100) };

describe('the waiting room', () => {
  test('is left exactly when its timeout is over', () => {
    expect(evaluateLeaveRules(waiting, config, after(600) - 1)).toBeNull();
    expect(evaluateLeaveRules(waiting, config, after(600))).toEqual({
      code: 'TIMEOUT_WAITING_TO_START',
      rule: 'waiting_room',
      since: startMs,
    });
  });

  test('has its own end when the host is what is missing', () => {
    const verdict = evaluateLeaveRules({ ...waiting, platform: 'zoom', stage: 'waiting_for_host' }, config, after(601));
    expect(verdict?.code).toBe('WAITING_FOR_HOST_TIMEOUT');
  });

  test('has its own end when the user is missing whom the bot comes for', () => {
    const missing = { ...waiting, platform: 'zoom', stage: 'waiting_for_authorized_user' } as const;
    expect(evaluateLeaveRules(missing, config, after(600))?.code).toBe('WAITING_FOR_AUTHORIZED_USER_TIMEOUT');
    expect(evaluateLeaveRules(missing, config, after(599))).toBeNull();
  });

  test('has no hold on a bot that is still joining', () => {
    expect(evaluateLeaveRules({ ...waiting, stage: 'joining', waitingSinceMs: null }, config, after(9_999))).toBeNull();
  });
});

describe('an empty meeting', () => {
  test('is left when no participant joined in time', () => {
    expect(evaluateLeaveRules(inCall, config, after(299))).toBeNull();
    expect(evaluateLeaveRules(inCall, config, after(300))).toMatchObject({ code: 'NO_ATTENDEES', since: startMs });
  });

  test('stays empty when only ignored people are there, however their name is written', () => {
    const observation = { ...inCall, participants: [{ name: ' other BOT ', firstSeenAtMs: after(1) }] };
    const ignoring = { ...config, ignored_participant_names: ['Other bot'] };
    expect(evaluateLeaveRules(observation, ignoring, after(300))?.rule).toBe('no_one_joined');
    expect(evaluateLeaveRules(observation, config, after(300))).toBeNull();
  });
});

describe('silence', () => {
  test('counts from the first participant that counts, even without any speech', () => {
    const observation = { ...inCall, participants: [ann] };
    expect(evaluateLeaveRules(observation, config, after(999))).toBeNull();
    expect(evaluateLeaveRules(observation, config, after(1_000))).toMatchObject({
      code: 'NO_SPEAKER',
      rule: 'silence',
      since: after(100),
    });
  });

  test('starts again with every sound', () => {
    const observation = { ...inCall, participants: [ann], lastAudioAtMs: after(950) };
    expect(evaluateLeaveRules(observation, config, after(1_849))).toBeNull();
    expect(evaluateLeaveRules(observation, config, after(1_850))?.since).toBe(after(950));
  });

  test('after participants left again is still silence, not a meeting without participants', () => {
    const observation = { ...inCall, participants: [ann], lastAudioAtMs: after(200) };
    expect(evaluateLeaveRules(observation, config, after(1_100))?.code).toBe('NO_SPEAKER');
  });
});

describe('the grace period', () => {
  const patient = { ...config, grace_period: 600 };

  test('holds back the conditions of the meeting until it is over', () => {
    expect(evaluateLeaveRules(inCall, patient, after(599))).toBeNull();
    expect(evaluateLeaveRules(inCall, patient, after(600))?.rule).toBe('no_one_joined');
  });

  test('does not hold back the waiting room, which comes before the meeting', () => {
    expect(evaluateLeaveRules(waiting, { ...patient, waiting_room_timeout: 120 }, after(120))?.rule).toBe(
      'waiting_room',
    );
  });
});

describe('the longest recording', () => {
  test('is four hours unless the customer says otherwise', () => {
    const busy = { ...inCall, participants: [ann], lastAudioAtMs: after(4 * 3_600 - 1) };
    expect(evaluateLeaveRules(busy, config, after(4 * 3_600 - 1))).toBeNull();
    expect(evaluateLeaveRules(busy, config, after(4 * 3_600))?.code).toBe('RECORDING_TIMEOUT');
    const short = { ...config, max_recording_duration: 7_200 };
    expect(evaluateLeaveRules(busy, short, after(7_200))?.rule).toBe('max_duration');
  });
});

test('the first platform knows the waiting room and the longest recording only', () => {
  const zoom = { ...inCall, platform: 'zoom' as const };
  expect(evaluateLeaveRules(zoom, config, after(3_000))).toBeNull();
  expect(evaluateLeaveRules({ ...zoom, participants: [ann] }, config, after(3_000))).toBeNull();
  expect(evaluateLeaveRules({ ...waiting, platform: 'zoom' }, config, after(600))?.rule).toBe('waiting_room');
});

import { describe, expect, test } from '@jest/globals';
import { evaluateLeaveRules, participantKind } from './index.ts';
import type { LeaveConfiguration, LeaveObservation } from './index.ts';

const startMs = Date.UTC(2026, 0, 1);
const after = (seconds: number): number => startMs + seconds * 1_000;
const config: LeaveConfiguration = {
  waiting_room_timeout: 600,
  no_one_joined_timeout: 300,
  silence_timeout: 900,
  grace_period: 0,
  max_recording_duration: null,
  everyone_left_timeout: 60,
  empty_meeting_timeout: 1_800,
  ignored_participant_names: [],
  bot_names: ['Rapporteur'],
};
const inCall: LeaveObservation = {
  platform: 'meet',
  stage: 'in_call',
  waitingSinceMs: null,
  joinedAtMs: startMs,
  inCallSinceMs: startMs,
  recordingSinceMs: startMs,
  participants: [],
  lastAudioAtMs: null,
  speechBeganAtMs: null,
  rosterReadAtMs: startMs,
};
const waiting: LeaveObservation = {
  ...inCall,
  stage: 'waiting_room',
  waitingSinceMs: startMs,
  joinedAtMs: null,
  recordingSinceMs: null,
};
const ann = { name: 'Ann', firstSeenAtMs: after(100), leftAtMs: null, hasSpoken: false };
/** Each second with a list of participants that the page has just reported. */
const readNow = (observation: LeaveObservation, second: number, changes: Partial<LeaveConfiguration> = {}) =>
  evaluateLeaveRules({ ...observation, rosterReadAtMs: after(second) }, { ...config, ...changes }, after(second));

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
    const observation = { ...inCall, participants: [{ ...ann, name: ' other BOT ' }] };
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

  test('ends a meeting that all have left where that rule is off', () => {
    const observation = { ...inCall, participants: [{ ...ann, leftAtMs: after(200) }], lastAudioAtMs: after(200) };
    expect(readNow(observation, 1_100, { everyone_left_timeout: null })?.code).toBe('NO_SPEAKER');
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

test('the first platform knows neither silence nor the short time for the first participant', () => {
  const zoom = { ...inCall, platform: 'zoom' as const };
  expect(evaluateLeaveRules(zoom, config, after(1_799))).toBeNull();
  expect(evaluateLeaveRules(zoom, config, after(1_800))).toMatchObject({ code: 'NO_ATTENDEES', rule: 'empty_meeting' });
  expect(evaluateLeaveRules(zoom, { ...config, empty_meeting_timeout: null }, after(4 * 3_600 - 1))).toBeNull();
  expect(readNow({ ...zoom, participants: [ann] }, 3_000)).toBeNull();
  expect(evaluateLeaveRules({ ...waiting, platform: 'zoom' }, config, after(600))?.rule).toBe('waiting_room');
});

describe('a meeting that everyone has left', () => {
  const gone = (name: string, atSecond: number) => ({ ...ann, name, leftAtMs: after(atSecond) });

  test.each(['zoom', 'meet', 'teams'] as const)('is left soon on %s, whatever audio it has', (platform) => {
    const observation = {
      ...inCall,
      platform,
      participants: [gone('Ann', 200), gone('Ben', 240)],
      lastAudioAtMs: after(299),
    };
    expect(readNow(observation, 299)).toBeNull();
    expect(readNow(observation, 300)).toEqual({ code: 'NO_ATTENDEES', rule: 'everyone_left', since: after(240) });
    expect(readNow({ ...observation, participants: [gone('Ann', 200), ann] }, 300)).toBeNull();
  });

  test('keeps the bot no longer by programs and a humming room', () => {
    const others = ['Ann\u2019s OtterPilot', 'Rapporteur', 'Board Room 4'].map((name) => ({ ...ann, name }));
    const observation = { ...inCall, participants: [gone('Ann', 200), ...others], lastAudioAtMs: after(259) };
    expect(readNow(observation, 260)?.rule).toBe('everyone_left');
    // People in the room go on speaking.
    expect(readNow({ ...observation, speechBeganAtMs: after(250) }, 309)).toBeNull();
    expect(readNow({ ...observation, speechBeganAtMs: after(250) }, 310)?.since).toBe(after(250));
  });

  test('is none before the first person, without a readable list, and right after a rejoin', () => {
    const left = { ...inCall, participants: [gone('Ann', 200)] };
    expect(readNow({ ...inCall, participants: [gone('Fireflies.ai Notetaker Ann', 100)] }, 299)).toBeNull();
    expect(evaluateLeaveRules({ ...left, rosterReadAtMs: after(260) }, config, after(276))).toBeNull();
    expect(evaluateLeaveRules({ ...left, rosterReadAtMs: null }, config, after(276))).toBeNull();
    expect(readNow({ ...left, inCallSinceMs: after(290) }, 349)).toBeNull();
    expect(readNow({ ...left, inCallSinceMs: after(290) }, 350)?.rule).toBe('everyone_left');
    expect(readNow({ ...left, stage: 'joining' }, 350)).toBeNull();
  });

  test('is held back by the grace period', () => {
    const observation = { ...inCall, participants: [gone('Ann', 200)] };
    expect(readNow(observation, 599, { grace_period: 600 })).toBeNull();
    expect(readNow(observation, 600, { grace_period: 600 })?.rule).toBe('everyone_left');
  });
});

test('a device of a room is a participant once it has spoken', () => {
  const room = { ...ann, name: 'Conference Room 2' };
  expect(readNow({ ...inCall, participants: [room] }, 300)?.rule).toBe('no_one_joined');
  expect(readNow({ ...inCall, participants: [{ ...room, hasSpoken: true }] }, 300)).toBeNull();
});

describe('a name', () => {
  const names = {
    ignored_participant_names: ['Fireflies.ai Notetaker', 'Otter.ai', 'Ada', '議事録'],
    bot_names: ['Rapporteur'],
  };
  test.each([
    'fireflies.ai notetaker ',
    'Fireflies.ai Notetaker Ann',
    "Ann's OtterPilot",
    'Otter.ai (Ann)',
    'Read.ai meeting notes',
    'Ann\u2019s Notetaker (Otter.ai)',
    'ADA Lovelace',
    'rapporteur',
    '社内議事録ボット',
    'tl;dv Recorder',
  ])('%j is of a program', (name) => {
    expect(participantKind(name, names)).toBe('program');
  });

  test.each(['', 'Adam', 'Grenada', 'Rapporteur Smith', 'Yu Gong', 'Jamie Otter', 'Roomi Khan', 'Grain Ltd', 'Broom'])(
    '%j is of a person',
    (name) => {
      expect(participantKind(name, names)).toBe('person');
    },
  );

  test.each(['Board Room 4', 'MTR-Meeting Room', 'Zoom Rooms', 'Salle de Réunion B', '3F 会議室'])(
    '%j is of a room',
    (name) => {
      expect(participantKind(name, names)).toBe('room');
    },
  );
});

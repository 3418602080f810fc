import { describe, expect, test } from '@jest/globals';
import { chargeFor, endCodeOf, endCodeOfFailedRun, endReasons, reservedTokensFor } from './index.ts';
import type { EndCode, RunEndCause, RunExit } from './index.ts';

/** The codes of specification 7.2 by group, written down a second time on purpose; it leaves those of Teams logins open. */
const specification = {
  normal: 'BOT_REMOVED NO_ATTENDEES NO_SPEAKER RECORDING_TIMEOUT API_REQUEST',
  error:
    'BOT_NOT_ACCEPTED TIMEOUT_WAITING_TO_START CANNOT_JOIN_MEETING BOT_REMOVED_TOO_EARLY INVALID_MEETING_URL STREAMING_SETUP_FAILED LOGIN_REQUIRED INTERNAL_ERROR',
  crash: 'OOM_KILLED SIGTERM FORCE_KILLED GENERAL_ERROR',
  'pre-recording': 'EXITING_MEETING_BEFORE_RECORD',
  transcription: 'TRANSCRIPTION_FAILED',
  platform:
    'WAITING_FOR_HOST_TIMEOUT WAITING_FOR_AUTHORIZED_USER_TIMEOUT UNABLE_JOIN_EXTERNAL_MEETING RECORDING_RIGHTS_NOT_GRANTED CANNOT_REQUEST_RECORDING_RIGHT MEETING_ENDED_PREMATURELY SET_ALPHA_ID_AND_PWD_TOGETHER CANNOT_GET_JWT_TOKEN SDK_AUTH_FAILED ALPHA_ACCESS_TOKEN_ERROR ALPHA_OBF_TOKEN_ERROR RECORDING_START_TIMEOUT HOST_CLIENT_CANNOT_GRANT_PERMISSION',
  'meet-auth': 'MEET_LOGIN_UNAVAILABLE MEET_LOGIN_REQUIRED MEET_LOGIN_FAILED_SAML_REJECTED MEET_LOGIN_FAILED_TIMEOUT',
  system: 'INSUFFICIENT_TOKENS DAILY_BOT_CAP_REACHED BOT_ALREADY_EXISTS UNKNOWN_ERROR',
};

describe('the catalogue of end reasons', () => {
  test('holds every code of the specification in its group, and no other', () => {
    const grouped = Object.fromEntries(Object.keys(specification).map((kind) => [kind, [] as string[]]));
    for (const [code, { kind }] of Object.entries(endReasons)) grouped[kind]?.push(code);
    for (const [kind, codes] of Object.entries(specification)) expect(grouped[kind]).toEqual(codes.split(' '));
  });

  test('completes normal ends only, and says every reason in a sentence', () => {
    for (const { kind, outcome, message } of Object.values(endReasons)) {
      expect(outcome).toBe(kind === 'normal' ? 'completed' : 'failed');
      expect(message).toMatch(/^[A-Z].*\.$/);
    }
  });

  test('turns a code it does not know into UNKNOWN_ERROR', () => {
    expect(endCodeOf('NO_SPEAKER')).toBe('NO_SPEAKER');
    expect(endCodeOf('toString')).toBe('UNKNOWN_ERROR');
  });
});

describe('tokens', () => {
  const hour = 3_600_000;
  const everything = {
    recording: hour,
    transcription: hour,
    byok_transcription: hour,
    streaming_input: hour,
    streaming_output: hour,
  };

  test.each<[EndCode, number, number]>([
    ['BOT_REMOVED', 3_600, 5_400],
    ['TRANSCRIPTION_FAILED', 3_600, 4_320],
    ['BOT_NOT_ACCEPTED', 3_600, 3_600],
    ['TIMEOUT_WAITING_TO_START', 3_600, 3_600],
    ['RECORDING_START_TIMEOUT', 3_600, 3_600],
    ['EXITING_MEETING_BEFORE_RECORD', 0, 0],
    ['FORCE_KILLED', 0, 0],
    ['STREAMING_SETUP_FAILED', 0, 0],
    ['INSUFFICIENT_TOKENS', 0, 0],
  ])('for %s are %d for recording and %d in all after an hour of each', (code, recording, total) => {
    expect(chargeFor(code, everything)).toMatchObject({ recording, total });
  });

  test('follow the duration and are never negative', () => {
    const half = { recording: hour / 2, streaming_input: hour / 2 };
    expect(chargeFor('API_REQUEST', half)).toMatchObject({ recording: 1_800, streaming_input: 180, total: 1_980 });
    expect(chargeFor('API_REQUEST', { recording: -5 }).total).toBe(0);
  });

  test('are whole for every duration, a begun one counts, and the meters sum up to the total', () => {
    expect(chargeFor('API_REQUEST', { recording: 1, byok_transcription: 20_001 })).toMatchObject({
      recording: 1,
      byok_transcription: 2,
    });
    for (let ms = 0; ms < hour; ms += 7_919) {
      const { total, ...meters } = chargeFor(
        'BOT_REMOVED',
        Object.fromEntries(Object.keys(everything).map((meter) => [meter, ms])),
      );
      expect(Object.values(meters).every(Number.isSafeInteger)).toBe(true);
      expect(total).toBe(Object.values(meters).reduce((sum, tokens) => sum + tokens, 0));
    }
  });

  test('are reserved for half an hour of what the bot will do', () => {
    expect(reservedTokensFor(['recording'])).toBe(1_800);
    expect(reservedTokensFor(['recording', 'streaming_output'])).toBe(1_980);
    expect(reservedTokensFor(['recording', 'streaming_input', 'streaming_output'])).toBe(2_160);
  });
});

describe('a run that ended without saying why', () => {
  const exit = (exitCode: number | null, signal: string | null, outOfMemory = false): RunExit => ({
    exitCode,
    signal,
    outOfMemory,
  });
  test.each<[string, RunExit | null, EndCode]>([
    ['out of memory', exit(null, 'SIGKILL', true), 'OOM_KILLED'],
    ['by SIGTERM', exit(null, 'SIGTERM'), 'SIGTERM'],
    ['with exit code 143', exit(143, null), 'SIGTERM'],
    ['by SIGKILL', exit(null, 'SIGKILL'), 'FORCE_KILLED'],
    ['with exit code 137', exit(137, null), 'FORCE_KILLED'],
    ['unseen', exit(null, null), 'FORCE_KILLED'],
    ['not at all', null, 'FORCE_KILLED'],
    ['with exit code 1', exit(1, null), 'GENERAL_ERROR'],
    ['with exit code 0 and no final report', exit(0, null), 'GENERAL_ERROR'],
    ['by SIGSEGV', exit(null, 'SIGSEGV'), 'GENERAL_ERROR'],
  ])('%s has the right code', (_how, seen, code) => {
    expect(endCodeOfFailedRun(seen)).toBe(code);
  });

  test.each<[RunEndCause, EndCode]>([
    ['out-of-memory', 'OOM_KILLED'],
    ['evicted', 'FORCE_KILLED'],
    ['node-lost', 'FORCE_KILLED'],
    ['killed', 'FORCE_KILLED'],
    ['preempted', 'SIGTERM'],
    ['deadline-exceeded', 'SIGTERM'],
    ['terminated', 'SIGTERM'],
    ['unschedulable', 'GENERAL_ERROR'],
    ['cpu-pressure', 'GENERAL_ERROR'],
    ['image-pull-failed', 'GENERAL_ERROR'],
    ['start-failed', 'GENERAL_ERROR'],
    ['completed', 'GENERAL_ERROR'],
    ['error', 'GENERAL_ERROR'],
  ])('because of %s has the code %s, even with exit code 0', (cause, code) => {
    expect(endCodeOfFailedRun({ ...exit(0, null), cause })).toBe(code);
  });
});

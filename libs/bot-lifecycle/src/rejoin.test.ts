import { describe, expect, test } from '@jest/globals';
import { decide } from './decide.ts';
import type { BotState } from './decide.ts';
import { endOfRejoinedBot, mayRejoin } from './rejoin.ts';
import type { FailedAttendance } from './rejoin.ts';

const failed: FailedAttendance = { phase: 'recording', leaveRequested: false, rejoins: 0, exit: null };
const deadline = { exitCode: null, signal: 'SIGTERM', outOfMemory: false, cause: 'deadline-exceeded' } as const;

describe('another run rejoins', () => {
  test.each(['joining', 'waiting', 'in_call', 'recording'] as const)('a bot in phase %s', (phase) => {
    expect(mayRejoin({ ...failed, phase }, 1)).toBe(true);
  });

  test.each([
    ['when the deployment allows none', failed, 0],
    ['after as many as the deployment allows', { ...failed, rejoins: 2 }, 2],
    ['a bot that was asked to leave', { ...failed, leaveRequested: true }, 1],
    ['a paused bot', { ...failed, phase: 'paused' } as const, 1],
    ['a bot that has left', { ...failed, phase: 'finalizing' } as const, 1],
    ['after the deadline of a run', { ...failed, exit: deadline }, 1],
  ])('not: %s', (_what, attendance, most) => {
    expect(mayRejoin(attendance, most)).toBe(false);
  });
});

describe('a bot whose run rejoined', () => {
  const recording: BotState = {
    phase: 'recording',
    status: 'in_call_recording',
    end: null,
    leaveRequested: false,
    transcriptionWanted: false,
    rejoins: true,
  };
  const codes = ['joining_call', 'in_waiting_room', 'in_call_not_recording', 'in_call_recording'] as const;

  test.each(codes)('keeps its status when the run reports %s', (code) => {
    expect(decide(recording, { kind: 'status', code })).toEqual({
      allowed: true,
      next: recording,
      steps: [],
      final: null,
    });
  });

  test.each(codes.slice(0, 3))('refuses %s when no run rejoined', (code) => {
    expect(decide({ ...recording, rejoins: false }, { kind: 'status', code }).allowed).toBe(false);
  });

  test('continues from the lobby to the recording when the failed run was in the call only', () => {
    const inCall = { ...recording, phase: 'in_call', status: 'in_call_not_recording' } as const;
    expect(decide(inCall, { kind: 'status', code: 'joining_call' })).toMatchObject({ next: inCall, steps: [] });
    const started = decide(inCall, { kind: 'status', code: 'in_call_recording' });
    expect(started).toMatchObject({ next: { phase: 'recording' }, steps: [{ code: 'in_call_recording' }] });
  });
});

describe('the end of a bot whose recording an earlier run began', () => {
  test('is the failure of that run when the new one never got in', () => {
    const end = endOfRejoinedBot({ code: 'BOT_NOT_ACCEPTED', message: 'Denied.', joined: false }, 'OOM_KILLED', false);
    expect(end).toMatchObject({ code: 'OOM_KILLED', recorded: true });
    expect(end.message).toMatch(/ran out of memory.*could not rejoin: Denied/);
  });

  test('is a request to leave, also before the new run got in', () => {
    const code = 'EXITING_MEETING_BEFORE_RECORD';
    expect(endOfRejoinedBot({ code, message: '', joined: false }, 'OOM_KILLED', true).code).toBe('API_REQUEST');
    expect(endOfRejoinedBot({ code, message: '', joined: true }, 'OOM_KILLED', true).code).toBe('API_REQUEST');
  });

  test('is what the new run reports once it was in the call', () => {
    const report = { code: 'NO_SPEAKER', message: 'Silence.', joined: true } as const;
    const end = { code: 'NO_SPEAKER', message: 'Silence.', recorded: true };
    expect(endOfRejoinedBot(report, 'OOM_KILLED', false)).toEqual(end);
  });

  test('never states that there was too little to record', () => {
    const report = { code: 'BOT_REMOVED_TOO_EARLY', message: '', joined: true } as const;
    expect(endOfRejoinedBot(report, 'OOM_KILLED', false)).toMatchObject({ code: 'BOT_REMOVED', recorded: true });
  });
});

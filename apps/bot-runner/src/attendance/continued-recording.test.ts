import { describe, expect, test } from '@jest/globals';
import type { BotInvocation } from '@rapporteur/contracts';
import { AttendanceHarness } from '../testing/attendance-harness.ts';
import { withEarlierRecording } from './continued-recording.ts';

const minuteMs = 60_000;
const rejoinAfter = (stageMs: number, clockMs: number) => ({
  recordingSince: new Date(clockMs - stageMs).toISOString(),
});

describe('a run that continues the recording of an earlier one', () => {
  test('posts no second entry message', async () => {
    const harness = new AttendanceHarness({}, null, [], rejoinAfter(minuteMs, Date.now()));
    await harness.admit();
    expect(harness.did).not.toContain('chat Hello');
    expect(harness.statuses).toContain('in_call_recording');
  });

  test('ends at the longest duration of the whole recording', async () => {
    const clockMs = new AttendanceHarness().clock.now();
    const harness = new AttendanceHarness({}, null, [], rejoinAfter(59 * minuteMs, clockMs));
    await harness.admit();
    await harness.clock.advance(30_000);
    expect(harness.attended).toBeNull();
    await harness.clock.advance(31_000);
    expect(harness.attended?.end.code).toBe('RECORDING_TIMEOUT');
  });

  test('does not wait for a host: the meeting was running, and is over', async () => {
    const harness = new AttendanceHarness({}, null, [], rejoinAfter(minuteMs, Date.now()));
    await harness.waitInLobby('waiting-for-host');
    await harness.clock.advance(76_000);
    expect(harness.attended?.end.code).toBe('EXITING_MEETING_BEFORE_RECORD');
  });

  test('has a recording to finish although it never got in', () => {
    const end = { code: 'BOT_NOT_ACCEPTED', message: '', joinedAt: null, exitedAt: null, recorded: false } as const;
    const rejoin = rejoinAfter(minuteMs, Date.now());
    expect(withEarlierRecording({ rejoin } as BotInvocation, end).recorded).toBe(true);
    expect(withEarlierRecording({ rejoin: null } as BotInvocation, end).recorded).toBe(false);
  });
});

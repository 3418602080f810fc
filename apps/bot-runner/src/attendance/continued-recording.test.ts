import { describe, expect, test } from '@jest/globals';
import type { BotInvocation } from '@rapporteur/contracts';
import { Stage } from '../testing/stage.ts';
import { withEarlierRecording } from './continued-recording.ts';

const minuteMs = 60_000;
const rejoinAfter = (stageMs: number, clockMs: number) => ({
  recordingSince: new Date(clockMs - stageMs).toISOString(),
});

describe('a run that continues the recording of an earlier one', () => {
  test('posts no second entry message', async () => {
    const stage = new Stage({}, null, [], rejoinAfter(minuteMs, Date.now()));
    await stage.admit();
    expect(stage.did).not.toContain('chat Hello');
    expect(stage.statuses).toContain('in_call_recording');
  });

  test('ends at the longest duration of the whole recording', async () => {
    const clockMs = new Stage().clock.now();
    const stage = new Stage({}, null, [], rejoinAfter(59 * minuteMs, clockMs));
    await stage.admit();
    await stage.clock.advance(30_000);
    expect(stage.attended).toBeNull();
    await stage.clock.advance(31_000);
    expect(stage.attended?.end.code).toBe('RECORDING_TIMEOUT');
  });

  test('has a recording to finish although it never got in', () => {
    const end = { code: 'BOT_NOT_ACCEPTED', message: '', joinedAt: null, exitedAt: null, recorded: false } as const;
    const rejoin = rejoinAfter(minuteMs, Date.now());
    expect(withEarlierRecording({ rejoin } as BotInvocation, end).recorded).toBe(true);
    expect(withEarlierRecording({ rejoin: null } as BotInvocation, end).recorded).toBe(false);
  });
});

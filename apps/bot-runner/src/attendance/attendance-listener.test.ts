import { describe, expect, test } from '@jest/globals';
import { AttendanceHarness } from '../testing/attendance-harness.ts';
import type { AttendanceListener } from './attendance-listener.ts';

function noting(): { listener: AttendanceListener; reported: string[] } {
  const reported: string[] = [];
  const listener: AttendanceListener = {
    ready: async () => {
      reported.push('ready');
      return null;
    },
    joined: () => void reported.push('joined'),
    recordingStarted: () => void reported.push('started'),
    recordingPaused: () => void reported.push('paused'),
    recordingResumed: () => void reported.push('resumed'),
    over: async () => void reported.push('over'),
  };
  return { listener, reported };
}

describe('what goes along with an attendance', () => {
  test('is notified of each step in its order', async () => {
    const { listener, reported } = noting();
    const harness = new AttendanceHarness({}, null, [listener]);
    await harness.admit();
    await harness.command({ kind: 'pause-recording', chatMessage: null });
    await harness.command({ kind: 'resume-recording', chatMessage: null });
    await harness.end('removed');
    expect(reported).toEqual(['ready', 'joined', 'started', 'paused', 'resumed', 'over']);
  });

  test("can keep the bot from joining, and its end is the bot's", async () => {
    const { listener, reported } = noting();
    const refusing: AttendanceListener = {
      ready: async () => ({ code: 'STREAMING_SETUP_FAILED', message: 'No such address.' }),
    };
    const harness = new AttendanceHarness({}, null, [refusing, listener]);
    await harness.clock.advance(0);
    expect(harness.attended?.end).toMatchObject({ code: 'STREAMING_SETUP_FAILED', message: 'No such address.' });
    expect(harness.statuses).toEqual([]);
    expect(reported).toEqual(['ready', 'over']);
  });

  test('costs nothing when it fails', async () => {
    const { listener, reported } = noting();
    const failing: AttendanceListener = {
      joined: () => {
        throw new Error('broken');
      },
      over: async () => {
        throw new Error('broken');
      },
    };
    const harness = new AttendanceHarness({}, null, [failing, listener]);
    await harness.admit();
    await harness.end('removed');
    expect(reported.at(-1)).toBe('over');
    expect(harness.attended).not.toBeNull();
  });
});

import { describe, expect, test } from '@jest/globals';
import { Stage } from '../testing/stage.ts';
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
    const stage = new Stage({}, null, [listener]);
    await stage.admit();
    await stage.command({ kind: 'pause-recording', chatMessage: null });
    await stage.command({ kind: 'resume-recording', chatMessage: null });
    await stage.end('removed');
    expect(reported).toEqual(['ready', 'joined', 'started', 'paused', 'resumed', 'over']);
  });

  test("can keep the bot from joining, and its end is the bot's", async () => {
    const { listener, reported } = noting();
    const refusing: AttendanceListener = {
      ready: async () => ({ code: 'STREAMING_SETUP_FAILED', message: 'No such address.' }),
    };
    const stage = new Stage({}, null, [refusing, listener]);
    await stage.clock.advance(0);
    expect(stage.attended?.end).toMatchObject({ code: 'STREAMING_SETUP_FAILED', message: 'No such address.' });
    expect(stage.statuses).toEqual([]);
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
    const stage = new Stage({}, null, [failing, listener]);
    await stage.admit();
    await stage.end('removed');
    expect(reported.at(-1)).toBe('over');
    expect(stage.attended).not.toBeNull();
  });
});

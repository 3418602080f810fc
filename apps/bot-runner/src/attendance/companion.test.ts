import { describe, expect, test } from '@jest/globals';
import { Stage } from '../testing/stage.ts';
import type { Companion } from './companion.ts';

function noting(): { companion: Companion; told: string[] } {
  const told: string[] = [];
  const companion: Companion = {
    ready: async () => {
      told.push('ready');
      return null;
    },
    joined: () => void told.push('joined'),
    recordingStarted: () => void told.push('started'),
    recordingPaused: () => void told.push('paused'),
    recordingResumed: () => void told.push('resumed'),
    over: async () => void told.push('over'),
  };
  return { companion, told };
}

describe('what goes along with an attendance', () => {
  test('is told of each step in its order', async () => {
    const { companion, told } = noting();
    const stage = new Stage({}, null, [companion]);
    await stage.admit();
    await stage.command({ kind: 'pause-recording', chatMessage: null });
    await stage.command({ kind: 'resume-recording', chatMessage: null });
    await stage.end('removed');
    expect(told).toEqual(['ready', 'joined', 'started', 'paused', 'resumed', 'over']);
  });

  test("can keep the bot from joining, and its end is the bot's", async () => {
    const { companion, told } = noting();
    const refusing: Companion = {
      ready: async () => ({ code: 'STREAMING_SETUP_FAILED', message: 'No such address.' }),
    };
    const stage = new Stage({}, null, [refusing, companion]);
    await stage.clock.advance(0);
    expect(stage.attended?.end).toMatchObject({ code: 'STREAMING_SETUP_FAILED', message: 'No such address.' });
    expect(stage.statuses).toEqual([]);
    expect(told).toEqual(['ready', 'over']);
  });

  test('costs nothing when it fails', async () => {
    const { companion, told } = noting();
    const failing: Companion = {
      joined: () => {
        throw new Error('broken');
      },
      over: async () => {
        throw new Error('broken');
      },
    };
    const stage = new Stage({}, null, [failing, companion]);
    await stage.admit();
    await stage.end('removed');
    expect(told.at(-1)).toBe('over');
    expect(stage.attended).not.toBeNull();
  });
});

import { describe, expect, test } from '@jest/globals';
import { prepareUnlessEnded } from './prepare-unless-ended.ts';

function setUp() {
  const leave = new AbortController();
  const drain = new AbortController();
  const fence = new AbortController();
  const replaced = new AbortController();
  return {
    leave,
    drain,
    fence,
    replaced,
    signals: { leave: leave.signal, drain: drain.signal, fence: fence.signal, replaced: replaced.signal },
  };
}
const never = new Promise<string>(() => undefined);

describe('preparing to attend', () => {
  test('gives what was prepared', async () => {
    expect(await prepareUnlessEnded(Promise.resolve('page'), setUp().signals, 'meet', 60_000)).toEqual({
      ready: true,
      value: 'page',
    });
  });

  test.each([
    ['leave', 'EXITING_MEETING_BEFORE_RECORD', false, false],
    ['drain', 'SIGTERM', false, false],
    ['fence', 'GENERAL_ERROR', true, false],
    ['replaced', 'SIGTERM', false, true],
  ] as const)('in a browser that hangs ends on the signal %s', async (name, code, fenced, replaced) => {
    const scene = setUp();
    const prepared = prepareUnlessEnded(never, scene.signals, 'meet', 60_000);
    scene[name].abort(new Error('test'));
    expect(await prepared).toMatchObject({
      ready: false,
      attended: { end: { code, joinedAt: null, recorded: false }, fenced, replaced },
    });
  });

  test('in a browser that hangs fails when it takes too long', async () => {
    await expect(prepareUnlessEnded(never, setUp().signals, 'meet', 5)).rejects.toThrow(
      'Preparing the browser took longer',
    );
  });
});

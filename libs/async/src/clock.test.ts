import { describe, expect, test } from '@jest/globals';
import { withDeadline } from './clock.ts';
import { FakeClock } from './testing.ts';

describe('the fake clock', () => {
  test('wakes sleepers in the order of their time, and only those whose time has come', async () => {
    const clock = new FakeClock(0);
    const woken: string[] = [];
    void clock.sleep(200).then(() => woken.push(`late at ${clock.now()}`));
    void clock.sleep(100).then(() => woken.push(`early at ${clock.now()}`));
    await clock.advance(150);
    expect(woken).toEqual(['early at 100']);
    await clock.advance(50);
    expect(woken).toEqual(['early at 100', 'late at 200']);
    expect(clock.sleeping).toBe(0);
  });

  test('an aborted sleep rejects with the reason and is forgotten', async () => {
    const clock = new FakeClock(0);
    const stop = new AbortController();
    const sleeping = clock.sleep(100, stop.signal);
    stop.abort(new Error('stop now'));
    await expect(sleeping).rejects.toThrow('stop now');
    expect(clock.sleeping).toBe(0);
  });
});

describe('a deadline', () => {
  test('states what took too long', async () => {
    await expect(withDeadline(new Promise(() => undefined), 5, 'Waiting for nothing')).rejects.toThrow(
      'Waiting for nothing took longer than 5 ms.',
    );
  });
});

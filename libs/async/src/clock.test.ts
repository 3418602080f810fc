import { describe, expect, test } from '@jest/globals';
import { doneWithin, SteadyClock, unlessAborted, withDeadline } from './clock.ts';
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

test('the clock of a meeting ignores corrections of the time of day until it begins again', async () => {
  const clock = new FakeClock(1_000);
  const steady = new SteadyClock(clock);
  await clock.advance(500);
  clock.correct(-60_000);
  expect([steady.now(), steady.correctionMs, steady.monotonic()]).toEqual([1_500, -60_000, 500]);
  steady.begin();
  expect([steady.now(), steady.correctionMs]).toEqual([-58_500, 0]);
});

const never = new Promise<never>(() => undefined);

describe('a deadline', () => {
  test('states what took too long, or throws the error that is made for it', async () => {
    await expect(withDeadline(never, 5, 'Waiting for nothing')).rejects.toThrow(
      'Waiting for nothing took longer than 5 ms.',
    );
    await expect(withDeadline(never, 0, () => new RangeError('late'))).rejects.toThrow(RangeError);
  });

  test('of a clock ends the wait, and leaves no sleep behind when the work is done first', async () => {
    const clock = new FakeClock();
    const late = doneWithin(never, 100, clock);
    await clock.advance(100);
    expect(await late).toBe(false);
    expect(await doneWithin(Promise.resolve(), 100, clock)).toBe(true);
    await expect(doneWithin(Promise.reject(new Error('broken')), 100, clock)).rejects.toThrow('broken');
    expect(clock.sleeping).toBe(0);
  });
});

test('work that is given up rejects with the reason of the signal', async () => {
  const stop = new AbortController();
  const waiting = unlessAborted(never, stop.signal);
  stop.abort(new Error('stop now'));
  await expect(waiting).rejects.toThrow('stop now');
  await expect(unlessAborted(Promise.resolve(1), stop.signal)).rejects.toThrow('stop now');
});
